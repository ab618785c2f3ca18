// SPDX-License-Identifier: Apache-2.0

package controller

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// ownership says whose an existing object is.
type ownership int

const (
	// foreign objects belong to somebody else and are never touched.
	foreign ownership = iota
	// ours carry our label and a controller reference to this contract.
	ours
	// orphaned carry our label and a controller reference to a contract of this
	// name that is gone: what a restore from a backup leaves.
	orphaned
	// unowned carry our label and have no controller: a revision that a person
	// applied, or an object that somebody took over.
	unowned
)

// ownerOf judges a child of a contract by its metadata.
func ownerOf(object metav1.Object, contract *v1alpha1.ToolContract) ownership {
	return belongs(object, v1alpha1.LabelContract, contractKind, contract)
}

// setOwnerOf judges a ConfigMap of a set by its metadata.
func setOwnerOf(object metav1.Object, set *v1alpha1.ToolSet) ownership {
	return belongs(object, v1alpha1.LabelSet, setKind, set)
}

// belongs judges an object that an owner of a kind would have made, and would have
// given a label with its own name.
func belongs(object metav1.Object, label, kind string, to metav1.Object) ownership {
	if object.GetLabels()[v1alpha1.LabelManagedBy] != v1alpha1.ManagedBy || object.GetLabels()[label] != to.GetName() {
		return foreign
	}
	owner := metav1.GetControllerOf(object)
	switch {
	case owner == nil:
		return unowned
	case owner.Kind != kind || owner.APIVersion != v1alpha1.GroupVersion.String() || owner.Name != to.GetName():
		return foreign
	case owner.UID == to.GetUID():
		return ours
	default:
		return orphaned
	}
}

const contractKind, setKind = "ToolContract", "ToolSet"

// The kinds of their children.
const revisionKind, configMapKind = "ToolRevision", "ConfigMap"

// ownerReference makes a contract the controller of a child. It does not block
// the contract's deletion: nothing here may ever hang a namespace.
func ownerReference(contract *v1alpha1.ToolContract) metav1.OwnerReference {
	return reference(contractKind, contract)
}

func reference(kind string, owner metav1.Object) metav1.OwnerReference {
	return metav1.OwnerReference{
		APIVersion: v1alpha1.GroupVersion.String(), Kind: kind,
		Name: owner.GetName(), UID: owner.GetUID(), Controller: new(true),
	}
}
