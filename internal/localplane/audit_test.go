// SPDX-License-Identifier: Apache-2.0

package localplane

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"
)

// waitForWrite waits until the audit log has a write by the user, with the verb,
// of the resource and with the answer that want names. The test's own deadline
// ends a wait in vain.
func waitForWrite(t *testing.T, p *Plane, want Write) {
	t.Helper()
	for {
		writes, err := p.Writes(t.Context())
		if err != nil {
			t.Fatalf("waiting for %s %s by %s: %v", want.Verb, want.Resource, want.User, err)
		}
		if slices.ContainsFunc(writes, func(got Write) bool {
			return got.User == want.User && got.Verb == want.Verb && got.Group == want.Group &&
				got.Resource == want.Resource && got.Subresource == want.Subresource && got.Code == want.Code
		}) {
			return
		}
		time.Sleep(probeInterval)
	}
}

func TestWritesNamesEveryWriteOfAUser(t *testing.T) {
	t.Parallel()
	plane := startPlane(t, Options{Audit: true, Users: []User{{Name: "author"}}})
	send := func(user, method, path, body string) {
		t.Helper()
		config, err := plane.UserConfig(user)
		if err != nil {
			t.Fatal(err)
		}
		config.UserAgent = "writes-test"
		httpClient, err := rest.HTTPClientFor(config)
		if err != nil {
			t.Fatal(err)
		}
		c := &client{http: httpClient, host: config.Host}
		if status, err := c.send(t.Context(), method, path, body); status == 0 {
			t.Fatal(err)
		}
	}
	send(AdminUser, http.MethodPost, configMaps, `{"metadata":{"name":"a"}}`)
	send(AdminUser, http.MethodGet, configMaps+"/a", "")
	send(AdminUser, http.MethodPut, configMaps+"/a?dryRun=All", `{"metadata":{"name":"a"}}`)
	send("author", http.MethodDelete, configMaps+"/a", "")

	all, err := plane.Writes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := slices.DeleteFunc(all, func(w Write) bool { return w.UserAgent != "writes-test" })
	base := Write{UserAgent: "writes-test", Resource: "configmaps", Namespace: "default", Name: "a"}
	create, update, remove := base, base, base
	create.User, create.Verb, create.Code, create.RequestURI = AdminUser, "create", http.StatusCreated, configMaps
	update.User, update.Verb, update.Code, update.RequestURI = AdminUser, "update", http.StatusOK, configMaps+"/a?dryRun=All"
	remove.User, remove.Verb, remove.Code, remove.RequestURI = "author", "delete", http.StatusForbidden, configMaps+"/a"
	if diff := cmp.Diff([]Write{create, update, remove}, got); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
}

func TestWritesNeedsTheAuditOption(t *testing.T) {
	t.Parallel()
	_, err := new(Plane).Writes(t.Context())
	wantError(t, err, "Options.Audit")
}

func TestFollowAnAuditLog(t *testing.T) {
	t.Parallel()
	const (
		received = `{"auditID":"1","stage":"RequestReceived","verb":"create"}` + "\n"
		complete = `{"auditID":"1","stage":"ResponseComplete","verb":"create"}` + "\n"
		panicked = `{"auditID":"1","stage":"Panic","verb":"create"}` + "\n"
	)
	tests := map[string]struct {
		log     string
		writes  int
		open    int
		wantErr bool
	}{
		"nothing":                          {},
		"a write in progress":              {log: received, open: 1},
		"a write that is complete":         {log: received + complete, writes: 1},
		"a write in which a handler broke": {log: received + panicked, writes: 1},
		"a line that is being written":     {log: received + complete + received[:9], writes: 1, open: 1},
		"a line that is not JSON":          {log: "{\n", wantErr: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), auditLogFile)
			for cut := range len(test.log) + 1 { // read in two parts, and twice what follows
				var log auditLog
				for _, text := range []string{test.log[:cut], test.log, test.log} {
					if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
					writes, open, err := log.follow(path)
					if text != test.log {
						continue
					}
					if len(writes) != test.writes || open != test.open || (err != nil) != test.wantErr {
						t.Errorf("cut at %d: got %d writes, %d open, error %v; want %d, %d, error %t",
							cut, len(writes), open, err, test.writes, test.open, test.wantErr)
					}
				}
			}
		})
	}
}

// TestAnAuditLogIsReadOnce: what was read is not read again, and what a caller
// does to its list is not seen by the next.
func TestAnAuditLogIsReadOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), auditLogFile)
	var log auditLog
	if writes, open, err := log.follow(path); len(writes) > 0 || open > 0 || err != nil {
		t.Fatalf("without a file: %v, %d open, %v", writes, open, err)
	}
	first := `{"auditID":"1","stage":"ResponseComplete","verb":"create"}` + "\n"
	text := first
	var verbs []string
	for _, step := range []struct{ add, verb string }{
		{"", "create"}, {`{"auditID":"2","stage":"ResponseComplete","verb":"delete"}` + "\n", "delete"},
	} {
		text += step.add
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		writes, _, err := log.follow(path)
		if err != nil {
			t.Fatal(err)
		}
		verbs = append(verbs, step.verb)
		var got []string
		for i := range writes {
			got = append(got, writes[i].Verb)
			writes[i].Verb = "changed"
		}
		if diff := cmp.Diff(verbs, got); diff != "" {
			t.Errorf("verbs (-want +got):\n%s", diff)
		}
		text = strings.Repeat("x", len(first)-1) + "\n" + text[len(first):] // nobody looks there again
	}
}
