// SPDX-License-Identifier: Apache-2.0

package mounts

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// kind is one kind of object that mounts ConfigMaps, or whose pods do.
type kind struct {
	// name is the kind's, resource its name in rules of RBAC.
	name, resource string
	object         client.Object
	list           client.ObjectList
}

// kinds are all that is watched. Other controllers make pods too, and those are
// seen as pods.
var kinds = []kind{
	{"Pod", "pods", &corev1.Pod{}, &corev1.PodList{}},
	{"Deployment", "deployments.apps", &appsv1.Deployment{}, &appsv1.DeploymentList{}},
	{"StatefulSet", "statefulsets.apps", &appsv1.StatefulSet{}, &appsv1.StatefulSetList{}},
	{"DaemonSet", "daemonsets.apps", &appsv1.DaemonSet{}, &appsv1.DaemonSetList{}},
	{"ReplicaSet", "replicasets.apps", &appsv1.ReplicaSet{}, &appsv1.ReplicaSetList{}},
	{"Job", "jobs.batch", &batchv1.Job{}, &batchv1.JobList{}},
	{"CronJob", "cronjobs.batch", &batchv1.CronJob{}, &batchv1.CronJobList{}},
}

// seen is all that is kept of an object on its way to the index.
type seen struct {
	// ObjectMeta has the namespace, the name and the resource version only.
	metav1.ObjectMeta
	// consumer is what the object counts as.
	consumer consumer
	// names are the published ConfigMaps that it reads.
	names []string
	// idle is true of an object that has ended or asks for no pods. It still
	// tells whose the pods are that name it as their controller.
	idle bool
}

// reduce leaves of an object what [seen] holds. It may meet its own result.
func reduce(object any) (any, error) {
	switch o := object.(type) {
	case *seen:
		return o, nil
	case *corev1.Pod:
		ended := o.Status.Phase == corev1.PodSucceeded || o.Status.Phase == corev1.PodFailed
		return look(o, controllerOf(o, "Pod"), &o.Spec, ended), nil
	case *appsv1.ReplicaSet:
		// A scaled-down ReplicaSet is history; one whose pods are still ending is not.
		idle := o.Spec.Replicas != nil && *o.Spec.Replicas == 0 && o.Status.Replicas == 0
		return look(o, controllerOf(o, "ReplicaSet"), &o.Spec.Template.Spec, idle), nil
	case *batchv1.Job:
		return look(o, controllerOf(o, "Job"), &o.Spec.Template.Spec, finished(o)), nil
	case *appsv1.Deployment:
		return look(o, self(o, "Deployment"), &o.Spec.Template.Spec, false), nil
	case *appsv1.StatefulSet:
		return look(o, self(o, "StatefulSet"), &o.Spec.Template.Spec, false), nil
	case *appsv1.DaemonSet:
		return look(o, self(o, "DaemonSet"), &o.Spec.Template.Spec, false), nil
	case *batchv1.CronJob:
		return look(o, self(o, "CronJob"), &o.Spec.JobTemplate.Spec.Template.Spec, false), nil
	default:
		return nil, fmt.Errorf("an object of type %T is not one that is tracked", object)
	}
}

func look(object metav1.Object, as consumer, spec *corev1.PodSpec, idle bool) *seen {
	return &seen{
		ObjectMeta: metav1.ObjectMeta{Namespace: object.GetNamespace(), Name: object.GetName(), ResourceVersion: object.GetResourceVersion()},
		consumer:   as, names: published(spec), idle: idle,
	}
}

func finished(job *batchv1.Job) bool {
	for i := range job.Status.Conditions {
		condition := &job.Status.Conditions[i]
		isEnd := condition.Type == batchv1.JobComplete || condition.Type == batchv1.JobFailed
		if isEnd && condition.Status == corev1.ConditionTrue {
			return true
		}
	}
	return false
}

func self(object metav1.Object, kind string) consumer { return consumer{kind, object.GetName()} }

// controllerOf is the controller of an object that controllers make, or the object
// itself if it has none. Anybody may write an owner reference, and the API server
// checks neither its kind nor its name: what is longer than names are is no
// controller.
func controllerOf(object metav1.Object, kind string) consumer {
	const maxKind, maxName = 63, 253
	if c := metav1.GetControllerOfNoCopy(object); c != nil && len(c.Kind) <= maxKind && len(c.Name) <= maxName {
		return consumer{c.Kind, c.Name}
	}
	return self(object, kind)
}
