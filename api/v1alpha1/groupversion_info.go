// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the API group and version of this package.
var GroupVersion = schema.GroupVersion{Group: "toolcontract.dev", Version: "v1alpha1"}

// AddToScheme registers the kinds of this package.
var AddToScheme = schemeBuilder.AddToScheme

var schemeBuilder = runtime.NewSchemeBuilder(addKnownTypes)

func addKnownTypes(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion,
		&ToolContract{}, &ToolContractList{},
		&ToolRevision{}, &ToolRevisionList{},
		&ProviderProfile{}, &ProviderProfileList{},
		&ToolSet{}, &ToolSetList{},
	)
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
