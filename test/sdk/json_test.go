// SPDX-License-Identifier: Apache-2.0

package sdk

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unknownMembers lists by pointer the members of a JSON text for which a type
// has no field. It stops where a type takes anything.
func unknownMembers(at string, t reflect.Type, raw json.RawMessage) []string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var out []string
	switch t.Kind() { //nolint:exhaustive // all other kinds hold no members
	case reflect.Slice:
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) == nil {
			for i, item := range items {
				out = append(out, unknownMembers(at+"/"+strconv.Itoa(i), t.Elem(), item)...)
			}
		}
	case reflect.Map:
		var members map[string]json.RawMessage
		if t.Elem().Kind() != reflect.Interface && json.Unmarshal(raw, &members) == nil {
			for name, member := range members {
				out = append(out, unknownMembers(at+"/"+name, t.Elem(), member)...)
			}
		}
	case reflect.Struct:
		fields, open := fieldsOf(t)
		var members map[string]json.RawMessage
		if len(fields) == 0 || json.Unmarshal(raw, &members) != nil {
			return nil
		}
		for name, member := range members {
			if field, known := fields[name]; known {
				out = append(out, unknownMembers(at+"/"+name, field, member)...)
			} else if !open {
				out = append(out, at+"/"+name)
			}
		}
	}
	slices.Sort(out)
	return out
}

// fieldsOf returns the fields of a struct by their JSON names; open says that
// it keeps members that have none.
func fieldsOf(t reflect.Type) (fields map[string]reflect.Type, open bool) {
	fields = map[string]reflect.Type{}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		open = open || f.Tag.Get("api") == "extrafields"
		of := f.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		isVariant := strings.HasSuffix(f.Tag.Get("json"), ",inline") // of a union: one of its forms
		switch {
		case (f.Anonymous || isVariant) && name == "" && of.Kind() == reflect.Struct:
			inner, innerOpen := fieldsOf(of)
			maps.Copy(fields, inner)
			open = open || innerOpen
		case f.IsExported() && name != "" && name != "-":
			fields[name] = f.Type
		}
	}
	return fields, open
}

// value reads JSON with exact numbers.
func value(t *testing.T, raw []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("reading %s: %v", raw, err)
	}
	return normal(v)
}

// normal writes numbers in one form, so that 1.0 and 1 are the same value.
func normal(v any) any {
	switch v := v.(type) {
	case json.Number:
		if f, err := v.Float64(); err == nil {
			return f
		}
		return v.String()
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = normal(v[name])
		}
	}
	return v
}

// sameAfter compares a published text with what an SDK makes of it, apart from
// members of the top level that the SDK adds by itself.
func sameAfter(t *testing.T, published, encoded []byte, added ...string) {
	t.Helper()
	want, got := value(t, published), value(t, encoded)
	if members, ok := got.(map[string]any); ok {
		for _, name := range added {
			if _, published := want.(map[string]any)[name]; !published {
				delete(members, name)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the SDK changes %s (-published +encoded):\n%s", published, diff)
	}
}
