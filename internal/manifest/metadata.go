// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kubejson "sigs.k8s.io/json"

	"github.com/toolcontract/operator/internal/finding"
)

const (
	namePointer = "/metadata/name"
	nameFix     = "use at most 63 lower-case letters, digits and hyphens, with a letter or digit at both ends"
)

// metadata judges the metadata with the API server's own code. The name must
// be a DNS label, so that every derived name fits.
func (c *checker) metadata(v any) {
	object, ok := v.(map[string]any)
	if !ok {
		if v == nil {
			c.fail(RuleFieldMissing, namePointer, "the contract has no name", "set metadata.name: "+nameFix)
		}
		return // another type is reported with the rest of the object
	}
	var meta metav1.ObjectMeta
	text, err := json.Marshal(object)
	if err != nil {
		c.fail(RuleFieldType, "/metadata", finding.Clip(err.Error(), 200), "correct the metadata")
		return
	}
	unknown, err := kubejson.UnmarshalStrict(text, &meta, kubejson.DisallowUnknownFields)
	if err != nil {
		c.fail(RuleFieldType, "/metadata", finding.Clip(err.Error(), 200), "quote the value if it is a text")
		return
	}
	for _, err := range unknown {
		c.fail(RuleUnknownField, unknownPointer(err), "there is no such field; kubectl refuses the object", "remove the field")
	}
	c.name(&meta)
	meta.Name, meta.GenerateName = "checked", ""
	if meta.Namespace == "" {
		meta.Namespace = metav1.NamespaceDefault
	}
	for _, e := range apivalidation.ValidateObjectMeta(&meta, true, apivalidation.NameIsDNSLabel, field.NewPath("metadata")) {
		c.fail(RuleFieldValue, fieldPointer(e.Field), finding.Clip(e.ErrorBody(), 300), "correct the value as the message says")
	}
}

func (c *checker) name(meta *metav1.ObjectMeta) {
	switch {
	case meta.Name == "" && meta.GenerateName != "":
		c.fail(RuleFieldMissing, namePointer, "generateName makes another contract at every call", "set metadata.name instead")
	case meta.Name == "":
		c.fail(RuleFieldMissing, namePointer, "the contract has no name", "set metadata.name: "+nameFix)
	case len(validation.IsDNS1123Label(meta.Name)) > 0:
		c.fail(RuleFieldValue, namePointer, fmt.Sprintf("%s is not a DNS label", finding.Quote(meta.Name)), nameFix)
	}
}

// unknownPointer finds the place of a strict decoding error.
func unknownPointer(err error) string {
	var strict interface{ FieldPath() string }
	if errors.As(err, &strict) {
		return fieldPointer("metadata." + strict.FieldPath())
	}
	return "/metadata"
}

// fieldPointer turns the path of an API error (metadata.labels) into a pointer.
func fieldPointer(path string) string {
	return finding.Pointer("", strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' })...)
}
