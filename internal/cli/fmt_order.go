// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"reflect"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/yamledit"
)

// kinds are the types of the kinds that are laid out. Their fields are in the
// order of the API reference.
var kinds = map[string]reflect.Type{
	"ToolContract":    reflect.TypeFor[v1alpha1.ToolContract](),
	"ToolSet":         reflect.TypeFor[v1alpha1.ToolSet](),
	"ProviderProfile": reflect.TypeFor[v1alpha1.ProviderProfile](),
}

// fieldOrder is the order of the fields of a kind. Embedded JSON has none.
func fieldOrder(kind string) yamledit.Order {
	return func(path []string) []string {
		t := kinds[kind]
		for _, name := range path {
			if t = below(t, name); t == nil {
				return nil
			}
		}
		var names []string
		if len(path) == 0 {
			names = []string{"apiVersion", "kind"}
		}
		for _, f := range fieldsOf(t) {
			names = append(names, f.name)
		}
		return names
	}
}

// below is the type of a field, or of the items of a list; nil where there is none.
func below(t reflect.Type, name string) reflect.Type {
	switch t = plain(t); {
	case t.Kind() == reflect.Slice:
		return t.Elem()
	case t.Kind() == reflect.Map:
		return t.Elem()
	}
	for _, f := range fieldsOf(t) {
		if f.name == name {
			return f.of
		}
	}
	return nil
}

func plain(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

type namedField struct {
	name string
	of   reflect.Type
}

// fieldsOf are the fields of an object as JSON names them.
func fieldsOf(t reflect.Type) []namedField {
	t = plain(t)
	if t.Kind() != reflect.Struct || t == reflect.TypeFor[apiextensionsv1.JSON]() {
		return nil
	}
	var out []namedField
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && (name == "" || strings.Contains(options, "inline")):
			out = append(out, fieldsOf(f.Type)...)
		case name != "" && name != "-":
			out = append(out, namedField{name, f.Type})
		}
	}
	return out
}
