// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/metrics"
)

// scraperUser may get /metrics by the role of config/rbac, and nothing else.
const scraperUser = "scraper"

// managerBinary builds the manager once for all tests.
var managerBinary = sync.OnceValues(func() (string, error) {
	path := filepath.Join(plane.Dir, "manager")
	out, err := exec.CommandContext(context.Background(), "go", "build", "-o", path, repository("cmd/manager")).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("building the manager: %w\n%s", err, out)
	}
	return path, nil
})

// startScraped runs the manager as a process of its own, with metrics, and
// returns their address.
func (w *world) startScraped() (address string) {
	w.Helper()
	manager, err := managerBinary()
	if err != nil {
		w.Fatal(err)
	}
	kubeconfig := filepath.Join(w.TempDir(), "kubeconfig")
	if err := plane.WriteKubeconfig(kubeconfig, managerUser); err != nil {
		w.Fatal(err)
	}
	var config net.ListenConfig
	listener, err := config.Listen(w.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		w.Fatal(err)
	}
	address = listener.Addr().String()
	if err := listener.Close(); err != nil {
		w.Fatal(err)
	}
	var log strings.Builder
	cmd := exec.CommandContext(w.Context(), manager, "--namespace="+w.namespace, "--provider-profiles=Read",
		"--metrics-bind-address="+address, "--health-probe-bind-address=0")
	cmd.Env, cmd.Stderr = append(os.Environ(), "KUBECONFIG="+kubeconfig), &log
	if err := cmd.Start(); err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // says that it was killed
		if w.Failed() {
			w.Logf("the manager said\n%s", log.String())
		}
	})
	return address
}

// scrape gets the metrics as a user, empty for nobody.
func (w *world) scrape(address, user string) (status int, text string, err error) {
	w.Helper()
	request, err := http.NewRequestWithContext(w.Context(), http.MethodGet, "https://"+address+"/metrics", nil)
	if err != nil {
		w.Fatal(err)
	}
	if user != "" {
		config, err := plane.UserConfig(user)
		if err != nil {
			w.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+config.BearerToken)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	defer transport.CloseIdleConnections()
	response, err := transport.RoundTrip(request)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, string(body), err
}

// TestMetricsTellWhatThereIs scrapes a manager over samples and damage, and
// compares the numbers with the objects and with the audit log.
func TestMetricsTellWhatThereIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: w.namespace},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "toolcontract-metrics-reader"},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: scraperUser}},
	}
	if err := admin.Create(t.Context(), binding); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = admin.Delete(context.Background(), binding) })
	address := w.startScraped()

	if out, err := kubectl(t.Context(), "", "apply", "-n", w.namespace, "-f", repository("config/samples"), "-f", repository("config/samples/sets")); err != nil {
		t.Fatalf("kubectl apply: %v\n%s", err, out)
	}
	for _, manifest := range manifests(t, "config/samples/*.yaml") {
		w.settled(manifest.Name)
	}
	w.publish(tool("find-order", "1.0.0", inputFirst))
	w.refuse(tool("find-order", "1.0.1", inputBroken), v1alpha1.ReasonMajorBumpRequired)
	w.publish(tool("find-order", "2.0.0", inputBroken))
	w.refuse(tool("typo", "1.0.0", `{"type":"objekt"}`), v1alpha1.ReasonInvalidSchema)
	w.eventually(w.setsSettled)
	w.eventually(w.complete)

	for user, want := range map[string]int{"": http.StatusUnauthorized, authorUser: http.StatusForbidden, scraperUser: http.StatusOK} {
		if status, _, err := w.scrape(address, user); status != want || err != nil {
			t.Errorf("%q gets %d, %v, want %d", user, status, err, want)
		}
	}
	w.eventually(func() error { // the cache is behind for a moment
		if diff := cmp.Diff(w.counted(), w.samples(address, countedNames...)); diff != "" {
			return fmt.Errorf("the metrics differ from the objects (-want +got):\n%s", diff)
		}
		return nil
	})

	// Three of the things that people do to published objects.
	before := w.objects()
	restored := func() {
		t.Helper()
		w.eventually(func() error {
			if diff := cmp.Diff(before, w.objects()); diff != "" {
				return fmt.Errorf("not restored (-want +got):\n%s", diff)
			}
			return nil
		})
	}
	deleteConfigMap(w, "find-order-v2")
	restored()
	w.mustEdit(&corev1.ConfigMap{}, "find-order-v1", func(cm client.Object) { cm.(*corev1.ConfigMap).Data = nil })
	restored()
	relabel(v1alpha1.LabelVersion, "1.9.9")(w, "find-order-v1")
	restored()
	const drift = "toolcontract_drift_repaired_total"
	want := map[string]float64{
		drift + `{drift="Data",kind="ConfigMap"}`: 1, drift + `{drift="Metadata",kind="ConfigMap"}`: 1,
		drift + `{drift="Missing",kind="ConfigMap"}`: 1, drift + `{drift="Missing",kind="ToolRevision"}`: 0,
	}
	w.eventually(func() error { // the API server shows a repair before it is counted
		if diff := cmp.Diff(want, w.samples(address, drift)); diff != "" {
			return fmt.Errorf("repairs (-want +got):\n%s", diff)
		}
		return nil
	})

	got := w.samples(address, "toolcontract_refusals_total", "toolcontract_publish_duration_seconds_count", "toolcontract_prover_duration_seconds_count")
	contracts, sets := w.published()
	for name, n := range map[string]float64{
		`toolcontract_refusals_total{reason="MajorBumpRequired"}`:          1,
		`toolcontract_refusals_total{reason="InvalidSchema"}`:              1,
		`toolcontract_publish_duration_seconds_count{kind="ToolContract"}`: float64(contracts),
		`toolcontract_publish_duration_seconds_count{kind="ToolSet"}`:      float64(sets),
	} {
		if got[name] != n {
			t.Errorf("%s is %v, want %v", name, got[name], n)
		}
	}
	if refuted := `toolcontract_prover_duration_seconds_count{outcome="Refuted"}`; got[refuted] == 0 {
		t.Errorf("%s is 0, and a change was refused with a counter-example", refuted)
	}
	w.eventually(func() error {
		if diff := cmp.Diff(w.audited(), w.samples(address, "toolcontract_writes_total")); diff != "" {
			return fmt.Errorf("the writes differ from the audit log (-want +got):\n%s", diff)
		}
		return nil
	})
	w.checkExposition(address)
}

// setsSettled says which set the operator has not said its last word about.
func (w *world) setsSettled() error {
	var sets v1alpha1.ToolSetList
	if err := admin.List(w.Context(), &sets, client.InNamespace(w.namespace)); err != nil {
		return err
	}
	if len(sets.Items) == 0 {
		return fmt.Errorf("there are no sets")
	}
	for i := range sets.Items {
		if err := finalSet(&sets.Items[i]); err != nil {
			return err
		}
	}
	return nil
}

// published counts the generations that were published: each sample's only one,
// and two of find-order.
func (w *world) published() (contracts, sets int) {
	w.Helper()
	contracts = len(manifests(w.T, "config/samples/*.yaml")) + 2
	var list v1alpha1.ToolSetList
	if err := admin.List(w.Context(), &list, client.InNamespace(w.namespace)); err != nil {
		w.Fatal(err)
	}
	for i := range list.Items {
		if meta.IsStatusConditionTrue(list.Items[i].Status.Conditions, v1alpha1.ConditionReady) {
			sets++
		}
	}
	return contracts, sets
}

// countedNames are the metrics that [world.counted] counts.
var countedNames = []string{
	"toolcontract_contracts", "toolcontract_sets", "toolcontract_revisions", "toolcontract_configmaps", "toolcontract_contract_targets",
}

// counted counts the objects of the namespace, as the API server has them.
func (w *world) counted() map[string]float64 {
	w.Helper()
	out := map[string]float64{}
	var contracts v1alpha1.ToolContractList
	var sets v1alpha1.ToolSetList
	var revisions v1alpha1.ToolRevisionList
	var configMaps corev1.ConfigMapList
	for _, list := range []client.ObjectList{&contracts, &sets, &revisions, &configMaps} {
		if err := admin.List(w.Context(), list, client.InNamespace(w.namespace)); err != nil {
			w.Fatal(err)
		}
	}
	ready := func(metric string, conditions []metav1.Condition) {
		c := meta.FindStatusCondition(conditions, v1alpha1.ConditionReady)
		out[fmt.Sprintf("%s{namespace=%q,ready=%q,reason=%q}", metric, w.namespace, c.Status, c.Reason)]++
	}
	for i := range contracts.Items {
		ready("toolcontract_contracts", contracts.Items[i].Status.Conditions)
		compatible := map[string]v1alpha1.TargetStatus{}
		for _, t := range contracts.Items[i].Status.Targets {
			compatible[t.Profile] = t
		}
		for _, t := range contracts.Items[i].Spec.Targets {
			is, verdict, strict := compatible[t.Profile], "Unknown", "None"
			if is.Profile != "" {
				verdict, strict = string(is.Compatible), string(is.Strict)
			}
			out[fmt.Sprintf("toolcontract_contract_targets{compatible=%q,profile=%q,strict=%q}", verdict, t.Profile, strict)]++
		}
	}
	for i := range sets.Items {
		ready("toolcontract_sets", sets.Items[i].Status.Conditions)
	}
	for i := range revisions.Items {
		ready("toolcontract_revisions", revisions.Items[i].Status.Conditions)
	}
	for i := range configMaps.Items {
		if role := configMaps.Items[i].Labels[v1alpha1.LabelRole]; role != "" {
			out[fmt.Sprintf("toolcontract_configmaps{namespace=%q,role=%q}", w.namespace, role)]++
		}
	}
	return out
}

// audited counts the operator's writes that succeeded or failed, as the audit log
// has them.
func (w *world) audited() map[string]float64 {
	w.Helper()
	kinds := map[string]string{"configmaps": "ConfigMap", "toolrevisions": "ToolRevision", "toolcontracts": "ToolContract", "toolsets": "ToolSet"}
	out := map[string]float64{}
	for _, write := range w.writes() {
		verb, result := strings.TrimSuffix(write.Verb+"-"+write.Subresource, "-"), "Done"
		switch write.Code {
		case http.StatusOK, http.StatusCreated:
		case http.StatusConflict, http.StatusNotFound, http.StatusUnprocessableEntity:
			result = "Conflict"
		default:
			result = "Refused"
		}
		out[fmt.Sprintf("toolcontract_writes_total{kind=%q,result=%q,verb=%q}", kinds[write.Resource], result, verb)]++
	}
	return out
}

// samples are the samples of some metrics.
func (w *world) samples(address string, names ...string) map[string]float64 {
	w.Helper()
	_, text, err := w.scrape(address, scraperUser)
	if err != nil {
		w.Fatal(err)
	}
	out := map[string]float64{}
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		for _, name := range names {
			if !strings.HasPrefix(lines.Text(), name+"{") && !strings.HasPrefix(lines.Text(), name+" ") {
				continue
			}
			at := strings.LastIndexByte(lines.Text(), ' ')
			value, err := strconv.ParseFloat(lines.Text()[at+1:], 64)
			if err != nil {
				w.Fatal(err)
			}
			out[lines.Text()[:at]] = value
		}
	}
	return out
}

// checkExposition holds what the endpoint shows against the definitions and
// against the linter of Prometheus.
func (w *world) checkExposition(address string) {
	w.Helper()
	_, text, err := w.scrape(address, scraperUser)
	if err != nil {
		w.Fatal(err)
	}
	defined := map[string]string{}
	for _, m := range metrics.All() {
		defined[m.Name] = fmt.Sprintf("# TYPE %s %s", m.Name, m.Type)
	}
	shown := 0
	for line := range strings.SplitSeq(text, "\n") {
		name, ok := strings.CutPrefix(line, "# TYPE toolcontract_")
		if !ok {
			continue
		}
		shown++
		name, _, _ = strings.Cut("toolcontract_"+name, " ")
		if defined[name] != line {
			w.Errorf("the endpoint shows %q, defined is %q", line, defined[name])
		}
	}
	// Those that need mount tracking, a budget, lint findings, profiles of the
	// cluster or the webhook may be missing.
	if atLeast := len(defined) - 7; shown < atLeast {
		w.Errorf("%d metrics are shown, want at least %d", shown, atLeast)
	}
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil {
		w.Fatal(err)
	}
	for _, p := range problems {
		if strings.HasPrefix(p.Metric, "toolcontract_") {
			w.Errorf("%s: %s", p.Metric, p.Text)
		}
	}
}
