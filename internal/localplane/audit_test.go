// SPDX-License-Identifier: Apache-2.0

package localplane

import (
	"net/http"
	"slices"
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

func TestParseAuditLog(t *testing.T) {
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
			writes, open, err := parseAuditLog([]byte(test.log))
			if len(writes) != test.writes || open != test.open || (err != nil) != test.wantErr {
				t.Errorf("got %d writes, %d open, error %v; want %d, %d, error %t",
					len(writes), open, err, test.writes, test.open, test.wantErr)
			}
		})
	}
}
