// SPDX-License-Identifier: Apache-2.0

//go:build linux

package scale

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/controller"
	"github.com/toolcontract/operator/internal/localplane"
	"github.com/toolcontract/operator/internal/operator"
)

const (
	managerUser = "system:serviceaccount:toolcontract-system:toolcontract-manager"
	// workers is how many contracts are written at once, by us and by the manager.
	workers = 16
	// single is how many contracts are applied one after the other.
	single = 100
)

// contracts is how many are applied at once; TOOLCONTRACT_SCALE changes it.
func contracts(b *testing.B) int {
	b.Helper()
	text := os.Getenv("TOOLCONTRACT_SCALE")
	if text == "" {
		return 5000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		b.Fatalf("TOOLCONTRACT_SCALE is %q, want a number of contracts", text)
	}
	return n
}

// BenchmarkOperator takes the operator through the life of a large cluster and
// reports each figure by its name. What can be counted is also asserted: a
// restart writes nothing, and an edit touches nothing but its own contract.
func BenchmarkOperator(b *testing.B) {
	s := start(b)
	n := contracts(b)
	for b.Loop() {
		s.bulk(n)
		s.restart(n)
		s.edit(n)
		s.latency()
	}
}

// setting is a control plane with the operator's rights and CRDs, and the
// manager as a program.
type setting struct {
	*testing.B
	plane   *localplane.Plane
	admin   client.WithWatch
	manager string
	sample  v1alpha1.ToolContract
	// settled is the namespace that bulk left behind, with everything published.
	settled string
}

func start(b *testing.B) *setting {
	b.Helper()
	ctrl.SetLogger(zap.New(zap.WriteTo(io.Discard)))
	binDir, err := localplane.BinDirFromEnv()
	if err != nil {
		b.Fatal(err)
	}
	s := &setting{B: b, manager: filepath.Join(b.TempDir(), "manager")}
	s.plane, err = localplane.Start(b.Context(), localplane.Options{BinDir: binDir, Audit: true, Users: []localplane.User{{Name: managerUser}}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.plane.Stop(); err != nil {
			b.Error(err)
		}
	})
	if s.admin, err = client.NewWithWatch(s.plane.RESTConfig(), client.Options{Scheme: operator.Scheme()}); err != nil {
		b.Fatal(err)
	}
	s.run(filepath.Join(binDir, "kubectl"), "apply", "--server-side", "-k", root("config/default"))
	s.run(filepath.Join(binDir, "kubectl"), "wait", "--for=condition=Established", "--timeout=60s", "crd", "--all")
	s.run("go", "build", "-o", s.manager, root("cmd/manager"))
	text, err := os.ReadFile(root("config/samples/get-order-status.yaml"))
	if err != nil {
		b.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(text, &s.sample); err != nil {
		b.Fatal(err)
	}
	return s
}

func root(path string) string { return filepath.Join("..", "..", path) }

func (s *setting) run(program string, args ...string) {
	s.Helper()
	cmd := exec.CommandContext(s.Context(), program, args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+s.plane.KubeconfigPath)
	if out, err := cmd.CombinedOutput(); err != nil {
		s.Fatalf("%s: %v\n%s", program, err, out)
	}
}

// namespace makes a namespace.
func (s *setting) namespace() string {
	s.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "scale-"}}
	if err := s.admin.Create(s.Context(), ns); err != nil {
		s.Fatal(err)
	}
	return ns.Name
}

// contract is the sample under another name, with another summary.
func (s *setting) contract(namespace string, i int) *v1alpha1.ToolContract {
	c := s.sample.DeepCopy()
	c.Namespace, c.Name = namespace, fmt.Sprintf("tool-%05d", i)
	c.Spec.Description.Summary = fmt.Sprintf("%s This is number %d.", c.Spec.Description.Summary, i)
	return c
}

// startManager runs the manager as a process for one namespace.
func (s *setting) startManager(namespace string) (pid int, stop func()) {
	s.Helper()
	kubeconfig := filepath.Join(s.TempDir(), "kubeconfig")
	if err := s.plane.WriteKubeconfig(kubeconfig, managerUser); err != nil {
		s.Fatal(err)
	}
	cmd := exec.CommandContext(s.Context(), s.manager, "--namespace="+namespace, "--provider-profiles=Ignore",
		"--metrics-bind-address=0", "--health-probe-bind-address=0", fmt.Sprintf("--concurrent=%d", workers))
	cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
	if err := cmd.Start(); err != nil {
		s.Fatal(err)
	}
	return cmd.Process.Pid, func() {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			s.Errorf("stopping the manager: %v", err)
		}
		if err := cmd.Wait(); err != nil {
			s.Errorf("the manager ended with %v", err)
		}
	}
}

// parallel calls f for 0 to n-1 from several workers and returns an error, if
// there was one.
func parallel(n int, f func(i int) error) error {
	next := make(chan int)
	failed := make(chan error, workers)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range next {
				if err := f(i); err != nil {
					failed <- err
					break
				}
			}
			for range next { // the others go on
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

// ready waits until n contracts of a namespace are ready.
func (s *setting) ready(namespace string, n int) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), 30*time.Minute)
	defer cancel()
	done := map[string]bool{}
	for len(done) < n {
		if err := s.watchReady(ctx, namespace, n, done); err != nil {
			s.Fatalf("%d of %d contracts are ready: %v", len(done), n, err)
		}
	}
}

// watchReady follows one watch until it ends or all are ready.
func (s *setting) watchReady(ctx context.Context, namespace string, n int, done map[string]bool) error {
	var list v1alpha1.ToolContractList
	w, err := s.admin.Watch(ctx, &list, client.InNamespace(namespace))
	if err != nil {
		return err
	}
	defer w.Stop()
	for event := range w.ResultChan() {
		c, ok := event.Object.(*v1alpha1.ToolContract)
		if !ok || event.Type == watch.Error {
			return nil // a new watch begins with everything that is there
		}
		if isReady(c) {
			done[c.Name] = true
		}
		if len(done) == n {
			return nil
		}
	}
	return ctx.Err()
}

// verified waits until the operator has looked at every revision.
func (s *setting) verified(namespace string) {
	s.Helper()
	for {
		var list v1alpha1.ToolRevisionList
		if err := s.admin.List(s.Context(), &list, client.InNamespace(namespace)); err != nil {
			s.Fatal(err)
		}
		if !slices.ContainsFunc(list.Items, func(r v1alpha1.ToolRevision) bool {
			return !meta.IsStatusConditionTrue(r.Status.Conditions, v1alpha1.ConditionReady)
		}) {
			return
		}
		time.Sleep(time.Second)
	}
}

func isReady(c *v1alpha1.ToolContract) bool {
	return c.Status.ObservedGeneration == c.Generation && meta.IsStatusConditionTrue(c.Status.Conditions, v1alpha1.ConditionReady)
}

// usage is the processor time of each program.
type usage map[string]time.Duration

func (s *setting) usage(manager int) usage {
	s.Helper()
	pids := s.plane.PIDs()
	if manager != 0 {
		pids["manager"] = manager
	}
	out := usage{}
	for name, pid := range pids {
		used, err := cpuTime(pid)
		if err != nil {
			s.Fatal(err)
		}
		out[name] = used
	}
	return out
}

// since reports what each program used per contract.
func (u usage) since(before usage, n int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(u)) {
		parts = append(parts, fmt.Sprintf("%s %.2f ms", name, float64((u[name]-before[name]).Microseconds())/1000/float64(n)))
	}
	return strings.Join(parts, ", ")
}

// bulk applies n contracts at once with the manager running, and then writes the
// same objects directly.
func (s *setting) bulk(n int) {
	s.Helper()
	published := s.namespace()
	pid, stop := s.startManager(published)
	warm := s.contract(published, n)
	if err := s.admin.Create(s.Context(), warm); err != nil {
		s.Fatal(err)
	}
	s.ready(published, 1)
	before, began := s.usage(pid), time.Now()
	applied := make(chan error, 1)
	go func() {
		applied <- parallel(n, func(i int) error { return s.admin.Create(s.Context(), s.contract(published, i)) })
	}()
	s.ready(published, n+1)
	if err := <-applied; err != nil {
		s.Fatal(err)
	}
	took, used := time.Since(began), s.usage(pid)
	s.verified(published)
	stop()
	s.Logf("published: %.0f contracts/s; processor time per contract: %s", rate(n, took), used.since(before, n))

	objects := s.objects(published)
	direct := s.namespace()
	before, began = s.usage(0), time.Now()
	s.write(objects, direct, n)
	tookRaw, used := time.Since(began), s.usage(0)
	s.Logf("written directly: %.0f contracts/s; processor time per contract: %s", rate(n, tookRaw), used.since(before, n))
	s.Logf("the manager wrote %.2f times per contract", float64(len(s.writesOf(published))-perContract(s.writesOf(published), warm.Name))/float64(n))
	s.ReportMetric(100*tookRaw.Seconds()/took.Seconds(), "%-of-raw-rate")
	s.ReportMetric(rate(n, took), "contracts/s")
	s.settled = published
}

func rate(n int, took time.Duration) float64 { return float64(n) / took.Seconds() }

// perContract counts the writes that are about one contract.
func perContract(writes []localplane.Write, name string) int {
	n := 0
	for _, w := range writes {
		if isAbout(w, name) {
			n++
		}
	}
	return n
}

// isAbout reports whether a write is about a contract or one of its children.
// Names of events begin with that of their object.
func isAbout(w localplane.Write, contract string) bool {
	rest, ok := strings.CutPrefix(w.Name, contract)
	return ok && (rest == "" || rest[0] == '-' || rest[0] == '.')
}

// writesOf are the manager's writes in a namespace.
func (s *setting) writesOf(namespace string) []localplane.Write {
	s.Helper()
	all, err := s.plane.Writes(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	return slices.DeleteFunc(all, func(w localplane.Write) bool {
		return w.User != managerUser || w.Namespace != namespace || w.Resource == "leases"
	})
}

// family is a contract with everything that was made of it, in the order in
// which the manager writes.
type family struct {
	contract *v1alpha1.ToolContract
	revision *v1alpha1.ToolRevision
	others   []client.Object
	events   []*eventsv1.Event
}

// objects reads every family of a namespace.
func (s *setting) objects(namespace string) map[string]*family {
	s.Helper()
	var contracts v1alpha1.ToolContractList
	var revisions v1alpha1.ToolRevisionList
	var configMaps corev1.ConfigMapList
	var events eventsv1.EventList
	ours := client.MatchingLabels{v1alpha1.LabelManagedBy: v1alpha1.ManagedBy}
	for _, err := range []error{
		s.admin.List(s.Context(), &contracts, client.InNamespace(namespace)),
		s.admin.List(s.Context(), &revisions, client.InNamespace(namespace), ours),
		s.admin.List(s.Context(), &configMaps, client.InNamespace(namespace), ours),
		s.admin.List(s.Context(), &events, client.InNamespace(namespace)),
	} {
		if err != nil {
			s.Fatal(err)
		}
	}
	out := map[string]*family{}
	for i := range contracts.Items {
		out[contracts.Items[i].Name] = &family{contract: &contracts.Items[i]}
	}
	for i := range revisions.Items {
		out[revisions.Items[i].Labels[v1alpha1.LabelContract]].revision = &revisions.Items[i]
	}
	for i := range configMaps.Items {
		f := out[configMaps.Items[i].Labels[v1alpha1.LabelContract]]
		f.others = append(f.others, &configMaps.Items[i])
	}
	for i := range events.Items {
		f := out[events.Items[i].Regarding.Name]
		f.events = append(f.events, &events.Items[i])
	}
	return out
}

// write writes n families into another namespace, as fast as it goes.
func (s *setting) write(families map[string]*family, namespace string, n int) {
	s.Helper()
	err := parallel(n, func(i int) error {
		return s.writeFamily(families[s.contract(namespace, i).Name], namespace)
	})
	if err != nil {
		s.Fatal(err)
	}
}

// writeFamily writes a contract and its children one after the other, without
// the operator: its objects, the status of two, and what was told of it.
func (s *setting) writeFamily(f *family, namespace string) error {
	ctx := s.Context()
	contract, revision := f.contract.DeepCopy(), f.revision.DeepCopy()
	children := []client.Object{revision}
	for _, other := range f.others {
		children = append(children, other.DeepCopyObject().(client.Object))
	}
	if err := s.create(ctx, contract, namespace, nil); err != nil {
		return err
	}
	for _, child := range children {
		if err := s.create(ctx, child, namespace, contract); err != nil {
			return err
		}
	}
	for _, event := range f.events {
		copied := event.DeepCopy()
		copied.Regarding.Namespace = namespace
		if err := s.create(ctx, copied, namespace, nil); err != nil {
			return err
		}
	}
	return errors.Join(
		s.patchStatus(ctx, revision, f.revision.Status), s.patchStatus(ctx, contract, f.contract.Status))
}

func (s *setting) create(ctx context.Context, object client.Object, namespace string, owner *v1alpha1.ToolContract) error {
	object.SetNamespace(namespace)
	object.SetResourceVersion("")
	object.SetUID("")
	object.SetManagedFields(nil)
	if owner != nil {
		references := object.GetOwnerReferences()
		references[0].UID = owner.UID
		object.SetOwnerReferences(references)
	}
	return s.admin.Create(ctx, object)
}

func (s *setting) patchStatus(ctx context.Context, object client.Object, status any) error {
	patch, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		return err
	}
	return s.admin.Status().Patch(ctx, object, client.RawPatch("application/merge-patch+json", patch))
}

// restart runs the operator over everything that bulk published. It must not
// write, and its memory is compared with that of an operator with nothing to do.
func (s *setting) restart(n int) {
	s.Helper()
	stop := s.startHere(s.namespace(), 0)
	idle := heap()
	stop()
	before := len(s.writesOf(s.settled))
	began := time.Now()
	stop = s.startHere(s.settled, n)
	s.ReportMetric(time.Since(began).Seconds(), "s-restart")
	s.ReportMetric(float64(heap()-idle)/1000/float64(n), "kB-heap/contract")
	wrote := s.writesOf(s.settled)[before:]
	s.ReportMetric(float64(len(wrote)), "writes-at-restart")
	if len(wrote) > 0 {
		s.Errorf("a restart wrote %d times, first %+v", len(wrote), wrote[0])
	}
	stop()
}

// startHere runs the operator in this process until all of its controllers have
// looked at n contracts.
func (s *setting) startHere(namespace string, n int) (stop func()) {
	s.Helper()
	config, err := s.plane.UserConfig(managerUser)
	if err != nil {
		s.Fatal(err)
	}
	ctx, cancel := context.WithCancel(s.Context())
	done := make(chan error, 1)
	before := reconciled(s.B)
	go func() {
		done <- operator.Run(ctx, config, operator.Options{
			Namespace: namespace, Concurrency: workers, Repeated: true, ProviderProfiles: controller.IgnoreProfiles,
		})
	}()
	for !reconciled(s.B).passed(before, n) {
		select {
		case err := <-done:
			s.Fatalf("the operator ended: %v", err)
		case <-time.After(100 * time.Millisecond):
		}
	}
	if n == 0 {
		time.Sleep(3 * time.Second) // until the empty caches are there
	}
	return func() {
		cancel()
		if err := <-done; err != nil && ctx.Err() == nil {
			s.Errorf("the operator ended with %v", err)
		}
	}
}

// progress counts reconciles by controller; waiting is what still stands in
// their queues.
type progress struct {
	reconciles map[string]float64
	waiting    float64
}

func reconciled(b *testing.B) progress {
	b.Helper()
	families, err := metrics.Registry.Gather()
	if err != nil {
		b.Fatal(err)
	}
	p := progress{reconciles: map[string]float64{}}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			switch f.GetName() {
			case "controller_runtime_reconcile_total":
				for _, l := range m.GetLabel() {
					if l.GetName() == "controller" {
						p.reconciles[l.GetValue()] += m.GetCounter().GetValue()
					}
				}
			case "workqueue_depth":
				p.waiting += m.GetGauge().GetValue()
			}
		}
	}
	return p
}

func (p progress) passed(before progress, n int) bool {
	for _, name := range []string{"toolcontract", "toolrevision", "toolrevision-retention"} {
		if p.reconciles[name]-before.reconciles[name] < float64(n) {
			return false
		}
	}
	return p.waiting == 0
}

// heap is what lives on it, in bytes.
func heap() int64 {
	runtime.GC()
	runtime.GC() // what finalizers held in the first round
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// edit publishes a new version of one contract among n and looks what else was
// written.
func (s *setting) edit(n int) {
	s.Helper()
	stop := s.startHere(s.settled, n)
	defer stop()
	before := len(s.writesOf(s.settled))
	edited := s.contract(s.settled, 0)
	patch := fmt.Sprintf(`{"spec":{"version":"9.0.0","description":{"summary":%q}}}`, edited.Spec.Description.Summary+" Edited.")
	began := time.Now()
	if err := s.admin.Patch(s.Context(), edited, client.RawPatch("application/merge-patch+json", []byte(patch))); err != nil {
		s.Fatal(err)
	}
	for !isReady(edited) {
		time.Sleep(2 * time.Millisecond)
		if err := s.admin.Get(s.Context(), client.ObjectKeyFromObject(edited), edited); err != nil {
			s.Fatal(err)
		}
	}
	s.ReportMetric(float64(time.Since(began).Milliseconds()), "ms-edit")
	time.Sleep(3 * time.Second) // for writes that should not come
	wrote := s.writesOf(s.settled)[before:]
	s.ReportMetric(float64(len(wrote)), "writes-of-edit")
	if others := len(wrote) - perContract(wrote, edited.Name); others > 0 {
		s.Errorf("an edit of %s wrote %d times elsewhere: %+v", edited.Name, others, wrote)
	}
}

// latency applies contracts one after the other and compares the slowest ones
// with the time that their own writes take.
func (s *setting) latency() {
	s.Helper()
	namespace := s.namespace()
	_, stop := s.startManager(namespace)
	var published []time.Duration
	for i := range single + 1 {
		began := time.Now()
		if err := s.admin.Create(s.Context(), s.contract(namespace, i)); err != nil {
			s.Fatal(err)
		}
		s.readyOne(namespace, s.contract(namespace, i).Name)
		published = append(published, time.Since(began))
	}
	stop()
	published = published[1:] // the first waited for the start
	families, direct := s.objects(namespace), s.namespace()
	var raw []time.Duration
	for i := range single {
		began := time.Now()
		if err := s.writeFamily(families[s.contract(namespace, i).Name], direct); err != nil {
			s.Fatal(err)
		}
		raw = append(raw, time.Since(began))
	}
	s.Logf("apply to published: median %v, p99 %v; the same writes directly: median %v, p99 %v",
		at(published, 50), at(published, 99), at(raw, 50), at(raw, 99))
	s.ReportMetric(at(published, 50).Seconds()/at(raw, 50).Seconds(), "x-writes-median")
	s.ReportMetric(at(published, 99).Seconds()/at(raw, 99).Seconds(), "x-writes-p99")
}

func (s *setting) readyOne(namespace, name string) {
	s.Helper()
	w, err := s.admin.Watch(s.Context(), &v1alpha1.ToolContractList{}, client.InNamespace(namespace), client.MatchingFields{"metadata.name": name})
	if err != nil {
		s.Fatal(err)
	}
	defer w.Stop()
	for event := range w.ResultChan() {
		if c, ok := event.Object.(*v1alpha1.ToolContract); ok && isReady(c) {
			return
		}
	}
	s.Fatalf("the watch of %s ended before it was ready", name)
}

func at(times []time.Duration, percent int) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[(len(sorted)-1)*percent/100]
}
