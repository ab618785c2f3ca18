// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"regexp"
	"sync"

	kubeyaml "sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/config/crd"
)

// The generated definitions that manifests are judged by.
var crdFiles = map[string]string{
	contractKind: "bases/toolcontract.dev_toolcontracts.yaml",
	setKind:      "bases/toolcontract.dev_toolsets.yaml",
}

// structural is a node of a CustomResourceDefinition's structural schema: the
// keywords that our definitions use. Decoding is strict, so a keyword that
// nobody judges cannot slip in.
type structural struct {
	Description     string                 `json:"description"`
	Type            string                 `json:"type"`
	Format          string                 `json:"format"`
	Properties      map[string]*structural `json:"properties"`
	Additional      *structural            `json:"additionalProperties"`
	Required        []string               `json:"required"`
	Items           *structural            `json:"items"`
	Enum            []string               `json:"enum"`
	Pattern         string                 `json:"pattern"`
	MinLength       *int                   `json:"minLength"`
	MaxLength       *int                   `json:"maxLength"`
	MinItems        *int                   `json:"minItems"`
	MaxItems        *int                   `json:"maxItems"`
	Minimum         *int64                 `json:"minimum"`
	Maximum         *int64                 `json:"maximum"`
	Default         any                    `json:"default"`
	PreserveUnknown bool                   `json:"x-kubernetes-preserve-unknown-fields"`
	ListType        string                 `json:"x-kubernetes-list-type"`
	ListMapKeys     []string               `json:"x-kubernetes-list-map-keys"`
	MapType         string                 `json:"x-kubernetes-map-type"`
	Validations     []celRule              `json:"x-kubernetes-validations"`

	pattern *regexp.Regexp
}

// celRule is one CEL rule of the definition.
type celRule struct {
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

// definition is the part of a CustomResourceDefinition that is read here.
type definition struct {
	Spec struct {
		Group string `json:"group"`
		Names struct {
			Kind     string `json:"kind"`
			ListKind string `json:"listKind"`
		} `json:"names"`
		Versions []struct {
			Name   string `json:"name"`
			Schema struct {
				Root map[string]any `json:"openAPIV3Schema"`
			} `json:"schema"`
		} `json:"versions"`
	} `json:"spec"`
}

// schemaOf returns the embedded definition of a kind. It fails only if the
// program was built with a definition that this package cannot judge, which a
// test rules out.
func schemaOf(kind string) (*structural, error) {
	if kind == setKind {
		return setSchema()
	}
	return contractSchema()
}

var (
	contractSchema = sync.OnceValues(func() (*structural, error) { return readSchema(crdFiles[contractKind]) })
	setSchema      = sync.OnceValues(func() (*structural, error) { return readSchema(crdFiles[setKind]) })
)

func readSchema(file string) (*structural, error) {
	text, err := crd.Bases.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the embedded definition: %w", err)
	}
	var d definition
	if err := kubeyaml.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("reading the embedded definition: %w", err)
	}
	if len(d.Spec.Versions) != 1 {
		return nil, fmt.Errorf("reading the embedded definition: it has %d versions, not one", len(d.Spec.Versions))
	}
	root, err := kubeyaml.Marshal(d.Spec.Versions[0].Schema.Root)
	if err != nil {
		return nil, fmt.Errorf("reading the embedded definition: %w", err)
	}
	var s structural
	if err := kubeyaml.UnmarshalStrict(root, &s); err != nil {
		return nil, fmt.Errorf("reading the embedded definition: %w", err)
	}
	if meta := s.Properties["metadata"]; meta != nil {
		meta.PreserveUnknown = true // the server judges it by code, and so do we
	}
	return &s, s.prepare("")
}

// prepare compiles patterns and checks that every rule is known.
func (s *structural) prepare(at string) (err error) {
	if s.Pattern != "" {
		if s.pattern, err = regexp.Compile(s.Pattern); err != nil {
			return fmt.Errorf("reading the embedded definition: pattern of %s: %w", at, err)
		}
	}
	for _, v := range s.Validations {
		if _, known := rules[v.Rule]; !known {
			return fmt.Errorf("reading the embedded definition: nobody judges the rule %q of %s", v.Rule, at)
		}
	}
	for name, child := range s.Properties {
		if err := child.prepare(at + "/" + name); err != nil {
			return err
		}
	}
	if s.Additional != nil {
		if err := s.Additional.prepare(at + "/*"); err != nil {
			return err
		}
	}
	if s.Items != nil {
		return s.Items.prepare(at + "/*")
	}
	return nil
}
