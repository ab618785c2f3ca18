// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/toolcontract/operator/internal/mounts"
	"github.com/toolcontract/operator/internal/operator"
)

// The operator with mount tracking is installed beside the other one, from an
// overlay that users write themselves: config/default with the component
// config/mounts, and names of its own.
const (
	trackingOverlay = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: tracking-toolcontract-system
namePrefix: tracking-
resources: [%[1]s/default]
components: [%[1]s/mounts]
`
	trackingUser = "system:serviceaccount:tracking-toolcontract-system:tracking-toolcontract-manager"
	// mountsRole is the role of the component in that overlay.
	mountsRole = "tracking-toolcontract-mounts-role"
)

// mountsRights is what mount tracking needs more.
const mountsRights = `apps/daemonsets: list,watch
apps/deployments: list,watch
apps/replicasets: list,watch
apps/statefulsets: list,watch
batch/cronjobs: list,watch
batch/jobs: list,watch
pods: list,watch
`

// overlay writes a kustomization that uses the project's config.
func overlay(t *testing.T, text string) (dir string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	config, err := filepath.Abs(repository("config"))
	if err != nil {
		t.Fatal(err)
	}
	if config, err = filepath.EvalSymlinks(config); err != nil {
		t.Fatal(err)
	}
	if config, err = filepath.Rel(dir, config); err != nil { // kustomize takes no absolute paths
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kustomization.yaml"), fmt.Appendf(nil, text, config), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// installed is the overlay in the cluster; tests that run at once share it.
var installed sync.Once

// trackingConfig is a client configuration with the rights of an operator that
// tracks mounts.
func trackingConfig(t *testing.T) *rest.Config {
	t.Helper()
	installed.Do(func() {
		if out, err := kubectl(t.Context(), "", "apply", "--server-side", "-k", overlay(t, trackingOverlay)); err != nil {
			t.Errorf("installing the overlay: %v: %s", err, out)
		}
	})
	return userConfig(t, trackingUser)
}

func withMounts(o *operator.Options) { o.TrackMounts = true }

// TestTheMountsComponent: it adds a role with its binding and a flag, nothing
// else, and the operator's own role stays without any of it.
func TestTheMountsComponent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	trackingConfig(t)
	everybody := rules(t, w.namespace, "somebody")
	own := slices.DeleteFunc(rules(t, w.namespace, trackingUser), func(rule string) bool { return slices.Contains(everybody, rule) })
	want := strings.SplitAfter(operatorRights+mountsRights, "\n")
	slices.Sort(want)
	if diff := cmp.Diff(strings.Join(want, ""), strings.Join(own, "\n")+"\n"); diff != "" {
		t.Errorf("rights of an operator that tracks mounts (-want +got):\n%s", diff)
	}

	build := func(dir string) []string {
		out, err := kubectl(t.Context(), "", "kustomize", dir)
		if err != nil {
			t.Fatalf("building %s: %v: %s", dir, err, out)
		}
		return strings.Split(out, "---\n")
	}
	plain := build(repository("config/default"))
	var more []string
	for _, document := range build(overlay(t, guideOverlay(t))) {
		if slices.Contains(plain, document) {
			continue
		}
		kind, name := field(document, "kind: "), field(document, "  name: ")
		if kind == "Deployment" {
			flag := "        - --track-mounts\n"
			if strings.Count(document, flag) != 1 || !slices.Contains(plain, strings.Replace(document, flag, "", 1)) {
				t.Errorf("the Deployment is changed otherwise than by the flag:\n%s", document)
			}
		}
		more = append(more, kind+" "+name)
	}
	wantMore := []string{
		"ClusterRole toolcontract-mounts-role", "ClusterRoleBinding toolcontract-mounts-rolebinding", "Deployment toolcontract-manager",
	}
	if diff := cmp.Diff(wantMore, more); diff != "" {
		t.Errorf("new and changed objects (-want +got):\n%s", diff)
	}
}

// guideOverlay is the overlay that the guide shows, for [overlay].
func guideOverlay(t *testing.T) string {
	t.Helper()
	guide, err := os.ReadFile(repository("docs/guides/mount-tracking.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(guide), "```yaml\n")
	text, _, found := strings.Cut(rest, "```\n")
	if !found || strings.Count(text, "../") != 2 {
		t.Fatalf("the guide shows no overlay: %s", text)
	}
	return strings.ReplaceAll(text, "../", "%[1]s/")
}

// field is the rest of the first line that starts so.
func field(document, start string) string {
	_, rest, _ := strings.Cut("\n"+document, "\n"+start)
	value, _, _ := strings.Cut(rest, "\n")
	return value
}

// TestAnOperatorThatTracksMountsOnlyLooks records every request about Pods and
// workloads: each kind is listed and watched, in the namespace, and nothing else
// is asked of any.
func TestAnOperatorThatTracksMountsOnlyLooks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var rec recorder
	w.startOperatorWith(through(trackingConfig(t), rec.between), withMounts)
	w.publish(tool("find-order", "1.0.0", inputFirst))
	tracked := map[string]bool{}
	w.eventually(func() error {
		for _, request := range rec.all() {
			method, uri, _ := strings.Cut(request, " ")
			path, query, _ := strings.Cut(uri, "?")
			kind := kindOf(path, w.namespace)
			switch kind {
			case "toolcontracts", "toolrevisions", "toolsets", "configmaps", "events", "discovery":
				continue
			}
			if method != http.MethodGet || !strings.HasSuffix(path, "/namespaces/"+w.namespace+"/"+kind) {
				w.Fatalf("the operator asked for %s", request)
			}
			tracked[kind] = tracked[kind] || strings.Contains(query, "watch=")
		}
		want := map[string]bool{
			"pods": true, "deployments": true, "statefulsets": true, "daemonsets": true, "replicasets": true, "jobs": true, "cronjobs": true,
		}
		return diffError(cmp.Diff(want, tracked))
	})
}

// startTracker runs a tracker for this namespace until the test ends.
func (w *world) startTracker(config *rest.Config) *mounts.Tracker {
	w.Helper()
	api, err := client.NewWithWatch(config, client.Options{Scheme: admin.Scheme()})
	if err != nil {
		w.Fatal(err)
	}
	tracker := mounts.New(mounts.Options{
		Client: api, Namespace: w.namespace,
		Contracts: func(context.Context) ([]types.NamespacedName, error) { return nil, nil },
	})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = tracker.Start(ctx) })
	w.Cleanup(func() {
		cancel()
		running.Wait()
	})
	return tracker
}

// ready waits until a tracker has seen everything.
func (w *world) ready(tracker *mounts.Tracker) {
	w.Helper()
	w.eventually(func() error {
		if !tracker.Ready() {
			return errors.New("the tracker is not ready")
		}
		return nil
	})
}

// mounted waits until exactly these mount a ConfigMap.
func (w *world) mounted(tracker *mounts.Tracker, configMap string, want ...string) {
	w.Helper()
	w.eventually(func() error {
		if diff := cmp.Diff(want, tracker.Consumers(w.namespace, configMap)); diff != "" {
			return fmt.Errorf("consumers of %s (-want +got):\n%s", configMap, diff)
		}
		return nil
	})
}

// podSpec is that of an agent that mounts these ConfigMaps. It runs nowhere.
func podSpec(configMaps ...string) corev1.PodSpec {
	spec := corev1.PodSpec{
		AutomountServiceAccountToken: new(false),
		Containers: []corev1.Container{{
			Name: "agent", Image: "example.com/agent:1", Env: []corev1.EnvVar{{Name: "API_KEY", Value: "hunter2"}},
		}},
	}
	for i, name := range configMaps {
		volume := fmt.Sprintf("tools-%d", i)
		spec.Volumes = append(spec.Volumes, corev1.Volume{Name: volume, VolumeSource: corev1.VolumeSource{
			ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: name}, Optional: new(true)},
		}})
		spec.Containers[0].VolumeMounts = append(spec.Containers[0].VolumeMounts, corev1.VolumeMount{Name: volume, MountPath: "/" + volume})
	}
	return spec
}

func podTemplate(configMaps ...string) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: agentLabels}, Spec: podSpec(configMaps...)}
}

var agentLabels = map[string]string{"app": "agent"}

// withServiceAccount makes what the API server wants before it takes a Pod.
func (w *world) withServiceAccount() {
	w.Helper()
	err := admin.Create(w.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "default"}})
	if client.IgnoreAlreadyExists(err) != nil {
		w.Fatal(err)
	}
}

// ownedBy makes an object one that a controller made. Without one it is its own.
func (w *world) ownedBy(object, controller client.Object) {
	w.Helper()
	if controller == nil {
		return
	}
	if err := controllerutil.SetControllerReference(controller, object, admin.Scheme()); err != nil {
		w.Fatal(err)
	}
}

func (w *world) createPod(name string, controller client.Object, configMaps ...string) *corev1.Pod {
	w.Helper()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name}, Spec: podSpec(configMaps...)}
	w.ownedBy(pod, controller)
	w.create(pod)
	return pod
}

func (w *world) createReplicaSet(name string, deployment client.Object, configMaps ...string) *appsv1.ReplicaSet {
	w.Helper()
	set := &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name},
		Spec:       appsv1.ReplicaSetSpec{Selector: &metav1.LabelSelector{MatchLabels: agentLabels}, Template: podTemplate(configMaps...)},
	}
	w.ownedBy(set, deployment)
	w.create(set)
	return set
}

func (w *world) createDeployment(name string, configMaps ...string) *appsv1.Deployment {
	w.Helper()
	deployment := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name},
		Spec:       appsv1.DeploymentSpec{Selector: &metav1.LabelSelector{MatchLabels: agentLabels}, Template: podTemplate(configMaps...)},
	}
	w.create(deployment)
	return deployment
}

// remove deletes an object at once, like a kubelet that has ended a pod.
func (w *world) remove(object client.Object) {
	w.Helper()
	if err := admin.Delete(w.Context(), object, client.GracePeriodSeconds(0)); err != nil {
		w.Fatal(err)
	}
}

func (w *world) inPhase(pod *corev1.Pod, phase corev1.PodPhase) {
	w.Helper()
	pod.Status.Phase = phase
	if err := admin.Status().Update(w.Context(), pod); err != nil {
		w.Fatal(err)
	}
}

func TestMountAndRelease(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withServiceAccount()
	w.createPod("first", nil, "find-order-v1", "settings")
	tracker := w.startTracker(trackingConfig(t))
	w.ready(tracker)
	w.mounted(tracker, "find-order-v1", "Pod/first") // nothing runs it: it is pending
	second := w.createPod("second", nil, "find-order-v1", "find-order-v1.0.0-1a2b3c4d")
	w.mounted(tracker, "find-order-v1", "Pod/first", "Pod/second")
	w.mounted(tracker, "find-order-v1.0.0-1a2b3c4d", "Pod/second")
	w.inPhase(second, corev1.PodRunning)
	w.inPhase(second, corev1.PodSucceeded)
	w.mounted(tracker, "find-order-v1", "Pod/first")
	w.mounted(tracker, "find-order-v1.0.0-1a2b3c4d")
	w.inPhase(w.createPod("third", nil, "find-order-v1"), corev1.PodFailed)
	w.remove(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "first"}})
	w.mounted(tracker, "find-order-v1")
}

// TestEveryWorkloadCounts also when it runs nothing now.
func TestEveryWorkloadCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tracker := w.startTracker(trackingConfig(t))
	w.ready(tracker)
	meta := func(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Namespace: w.namespace, Name: name} }
	selector := &metav1.LabelSelector{MatchLabels: agentLabels}
	once := podTemplate("find-order-v1")
	once.Spec.RestartPolicy = corev1.RestartPolicyNever

	deployment := w.createDeployment("agent", "find-order-v1")
	w.create(&appsv1.StatefulSet{ObjectMeta: meta("agent"), Spec: appsv1.StatefulSetSpec{Selector: selector, Replicas: new(int32(0)), Template: podTemplate("find-order-v1")}})
	w.create(&appsv1.DaemonSet{ObjectMeta: meta("agent"), Spec: appsv1.DaemonSetSpec{Selector: selector, Template: podTemplate("find-order-v1")}})
	cronJob := &batchv1.CronJob{ObjectMeta: meta("nightly"), Spec: batchv1.CronJobSpec{
		Schedule: "0 3 * * *", Suspend: new(true), JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: once}},
	}}
	w.create(cronJob)
	single := &batchv1.Job{ObjectMeta: meta("single"), Spec: batchv1.JobSpec{Template: once}}
	w.create(single)
	run := &batchv1.Job{ObjectMeta: meta("nightly-1"), Spec: batchv1.JobSpec{Template: once}}
	w.ownedBy(run, cronJob)
	w.create(run)
	w.mounted(tracker, "find-order-v1", "CronJob/nightly", "DaemonSet/agent", "Deployment/agent", "Job/single", "StatefulSet/agent")

	// A Deployment that is scaled to zero can be scaled up again.
	w.mustEdit(deployment, "agent", func(o client.Object) { o.(*appsv1.Deployment).Spec.Replicas = new(int32(0)) })
	started := metav1.Now()
	single.Status = batchv1.JobStatus{StartTime: &started, Conditions: []batchv1.JobCondition{
		{Type: batchv1.JobFailureTarget, Status: corev1.ConditionTrue}, {Type: batchv1.JobFailed, Status: corev1.ConditionTrue},
	}}
	if err := admin.Status().Update(t.Context(), single); err != nil {
		t.Fatal(err)
	}
	w.mounted(tracker, "find-order-v1", "CronJob/nightly", "DaemonSet/agent", "Deployment/agent", "StatefulSet/agent")
	w.mustEdit(deployment, "agent", func(o client.Object) { o.(*appsv1.Deployment).Spec.Template = podTemplate("find-order-v2") })
	w.mounted(tracker, "find-order-v2", "Deployment/agent")
	w.mounted(tracker, "find-order-v1", "CronJob/nightly", "DaemonSet/agent", "StatefulSet/agent")
}

// TestARollingUpdateKeepsWhatOldPodsMount: the Deployment's template has moved
// on, and pods of the old ReplicaSet still need the older rendering.
func TestARollingUpdateKeepsWhatOldPodsMount(t *testing.T) {
	t.Parallel()
	const before, after = "find-order-v1.0.0-11111111", "find-order-v1.1.0-22222222"
	w := newWorld(t)
	w.withServiceAccount()
	deployment := w.createDeployment("agent", before)
	oldSet := w.createReplicaSet("agent-old", deployment, before)
	oldPods := []*corev1.Pod{w.createPod("agent-old-1", oldSet, before), w.createPod("agent-old-2", oldSet, before)}
	tracker := w.startTracker(trackingConfig(t))
	w.ready(tracker)
	w.mounted(tracker, before, "Deployment/agent")

	w.mustEdit(deployment, "agent", func(o client.Object) { o.(*appsv1.Deployment).Spec.Template = podTemplate(after) })
	newSet := w.createReplicaSet("agent-new", deployment, after)
	w.createPod("agent-new-1", newSet, after)
	w.remove(oldPods[0])
	w.mustEdit(oldSet, "agent-old", func(o client.Object) { o.(*appsv1.ReplicaSet).Spec.Replicas = new(int32(0)) })
	beacon := w.createPod("beacon", nil, "beacon-v1") // when this is seen, so are the pods before it
	w.mounted(tracker, "beacon-v1", "Pod/beacon")
	w.mounted(tracker, after, "Deployment/agent")
	w.mounted(tracker, before, "Deployment/agent")
	w.remove(oldPods[1])
	w.mounted(tracker, before)
	w.remove(beacon)
	w.mounted(tracker, "beacon-v1")
}

// TestTwoThousandPodsComeAndGo creates and deletes pods as fast as the API
// server takes it, while the tracker looks on. In the end the index is exact, and
// so is that of a tracker that starts then.
func TestTwoThousandPodsComeAndGo(t *testing.T) {
	t.Parallel()
	const count = 2000
	w := newWorld(t)
	w.withServiceAccount()
	tracker := w.startTracker(trackingConfig(t))
	w.ready(tracker)
	sets := []*appsv1.ReplicaSet{w.createReplicaSet("agent-0", nil), w.createReplicaSet("agent-1", nil), w.createReplicaSet("agent-2", nil)}
	numbers := make(chan int)
	var workers sync.WaitGroup
	failures := make(chan error, 1) // the first
	for range 8 {
		workers.Go(func() {
			for i := range numbers {
				if err := w.comeAndGo(i, sets[i%3]); err != nil {
					select {
					case failures <- err:
					default:
					}
				}
			}
		})
	}
	for i := range count {
		numbers <- i
	}
	close(numbers)
	workers.Wait()
	select {
	case err := <-failures:
		t.Fatal(err)
	default:
	}
	check := func(tracker *mounts.Tracker) {
		t.Helper()
		w.mounted(tracker, "a-v1", "ReplicaSet/agent-0", "ReplicaSet/agent-1", "ReplicaSet/agent-2") // of each, some are left
		w.mounted(tracker, "b-v1", "Pod/single-1999")
		w.mounted(tracker, "c-v1")
		w.mounted(tracker, "c-v2", "ReplicaSet/agent-0")
	}
	check(tracker)
	fresh := w.startTracker(trackingConfig(t))
	w.ready(fresh)
	check(fresh)
}

// comeAndGo creates a pod and deletes it, except for every tenth. All mount
// a-v1 and belong to a ReplicaSet, but the last mounts b-v1 and belongs to
// nobody. One that stays of set 0 mounts c-v2, those that go c-v1.
func (w *world) comeAndGo(i int, set *appsv1.ReplicaSet) error {
	names, stays := []string{"a-v1", "c-v1"}, i%10 == 0
	if stays {
		names = names[:1]
	}
	if i == 990 { // of set 0
		names = append(names, "c-v2")
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: fmt.Sprintf("agent-%d", i)}}
	if i == 1999 {
		pod.Name, names, stays = "single-1999", []string{"b-v1"}, true
	} else if err := controllerutil.SetControllerReference(set, pod, admin.Scheme()); err != nil {
		return err
	}
	pod.Spec = podSpec(names...)
	if err := admin.Create(w.Context(), pod); err != nil {
		return err
	}
	if stays {
		return nil
	}
	return admin.Delete(w.Context(), pod, client.GracePeriodSeconds(0))
}

// TestWithoutTheRoleNothingIsDeleted runs an operator with the flag and without
// the role. It publishes as ever, and keeps all that might be mounted. As soon as
// it is given the role, in its namespace only, it collects the rest.
func TestWithoutTheRoleNothingIsDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	trackingConfig(t) // installs the role, which is bound to somebody else
	w.withServiceAccount()
	w.startOperatorWith(managerConfig(t), withMounts)
	w.publish(limited(described("find-order", "1.0.0", "Says 1.0.0."), 0))
	rendering := w.renderingOf("find-order", "1.0.0")
	agent := w.createPod("agent", nil, rendering)
	var versions []string
	for i := range 6 {
		versions = append(versions, fmt.Sprintf("1.%d.0", i))
		w.publish(limited(described("find-order", versions[i], "Says "+versions[i]+"."), 0))
	}
	w.keeps(versions, versions)
	tracker := w.startTracker(managerConfig(t))
	if tracker.Ready() {
		t.Error("a tracker without rights is ready")
	}

	w.create(&rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "mounts"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: mountsRole},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: managerUser}},
	})
	w.ready(tracker)
	w.mounted(tracker, rendering, "Pod/agent")
	left := []string{"1.0.0", "1.4.0", "1.5.0"} // mounted, served before, served
	w.keeps(left, left)
	w.remove(agent)
	w.keeps(left[1:], left[1:])
}

// renderingOf waits for the immutable ConfigMap of a version.
func (w *world) renderingOf(contract, version string) (name string) {
	w.Helper()
	w.eventually(func() error {
		for _, child := range w.children() {
			if strings.HasPrefix(child.GetName(), contract+"-v"+version+"-") {
				name = child.GetName()
				return nil
			}
		}
		return fmt.Errorf("%s has no rendering of %s", contract, version)
	})
	return name
}

// TestARestartCollectsNothingBeforeItHasSeenAll starts a second operator whose
// list of Pods is held back. What the pod mounts is spare otherwise, and stays;
// so does all else until the pods are known.
func TestARestartCollectsNothingBeforeItHasSeenAll(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withServiceAccount()
	stop := w.startOperatorWith(trackingConfig(t), withMounts)
	w.publish(limited(described("find-order", "1.0.0", "Says 1.0.0."), 0))
	agent := w.createPod("agent", nil, w.renderingOf("find-order", "1.0.0"))
	stop()

	held := make(chan struct{})
	release := sync.OnceFunc(func() { close(held) })
	defer release()
	w.startOperatorWith(through(trackingConfig(t), func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/pods") {
			select {
			case <-held:
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		}
		return next.RoundTrip(r)
	}), withMounts)
	versions := []string{"1.0.0"}
	for i := 1; i <= 4; i++ {
		version := fmt.Sprintf("1.%d.0", i)
		versions = append(versions, version)
		w.publish(limited(described("find-order", version, "Says "+version+"."), 0))
	}
	w.publish(tool(beacon, "1.0.0", inputFirst)) // meanwhile the operator has had its turn with all of it
	w.keeps(versions, versions)
	release()
	left := []string{"1.0.0", "1.3.0", "1.4.0"} // mounted, served before, served
	w.keeps(left, left)
	w.remove(agent)
	w.keeps(left[1:], left[1:])
}

// TestARightThatIsMissingForOneKindIsEnough for not being ready.
func TestARightThatIsMissingForOneKindIsEnough(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.createDeployment("agent", "find-order-v1")
	config := through(trackingConfig(t), func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/cronjobs") {
			return nil, apierrors.NewForbidden(batchv1.Resource("cronjobs"), "", errors.New("not for you"))
		}
		return next.RoundTrip(r)
	})
	tracker := w.startTracker(config)
	w.mounted(tracker, "find-order-v1", "Deployment/agent")
	if tracker.Ready() {
		t.Error("ready although CronJobs are not seen")
	}
}
