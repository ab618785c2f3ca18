// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// readFacts reads one file. The facts are nil if it cannot be read at all;
// otherwise they lack what is not of the right form.
func readFacts(name string, raw []byte) (facts *Facts, found problems) {
	tree, found := readTree(raw)
	if tree == nil {
		return nil, found
	}
	conform(&found, tree, reflect.TypeFor[Facts](), "")
	facts = &Facts{}
	// What is of the wrong type was reported, with its place, and is left out.
	if err := json.Unmarshal(tree.AppendJSON(nil), facts); err != nil && len(found) == 0 {
		found.report(RuleProfileField, "", "the file could not be read: "+finding.Clip(err.Error(), 200), "compare it with the embedded profiles")
	}
	if facts.Name != name && !found.covers("/name") {
		found.report(RuleProfileValue, "/name", fmt.Sprintf("the name is %s and must be that of the file, %s", finding.Quote(facts.Name), finding.Quote(name)), "make them equal")
	}
	return facts, found
}

// conform compares a value with the Go type that it is to be read into, and
// reports every field that is none or of another type, with its place. The
// decoders of the standard library name the first and no element of a list.
func conform(found *problems, v *schema.Value, t reflect.Type, pointer string) {
	switch t {
	case reflect.TypeFor[JSON](): // any value
		return
	case reflect.TypeFor[Expression]():
		conformExpression(found, v, pointer)
		return
	}
	wrong := func(wanted string) {
		found.report(RuleProfileField, pointer, fmt.Sprintf("%s is wanted here, not %s", wanted, clippedJSON(v)), "write "+wanted)
	}
	switch t.Kind() {
	case reflect.Pointer:
		if v.Kind() == schema.Null { // it would be read as nothing at all
			found.report(RuleProfileField, pointer, "null says nothing here", `leave it out; null as a value is valueKinds: ["null"]`)
			return
		}
		conform(found, v, t.Elem(), pointer)
	case reflect.Struct:
		if v.Kind() != schema.Object {
			wrong("an object")
			return
		}
		conformObject(found, v, t, pointer)
	case reflect.Slice:
		if v.Kind() != schema.Array {
			wrong("a list")
			return
		}
		for i, item := range v.Items() {
			conform(found, item, t.Elem(), finding.Pointer(pointer, strconv.Itoa(i)))
		}
	case reflect.Int:
		if n, ok := v.Int(); !ok || n < 0 || n > math.MaxInt32 {
			wrong("a whole number from 0 to 2147483647")
		}
	case reflect.Bool:
		if v.Kind() != schema.Bool {
			wrong("true or false")
		}
	default: // strings, and there is nothing else
		if v.Kind() != schema.String {
			wrong("text")
		}
	}
}

func conformExpression(found *problems, v *schema.Value, pointer string) {
	if v.Kind() != schema.String {
		found.report(RuleProfileField, pointer, "an expression is wanted here, not "+clippedJSON(v), "write an RE2 expression as text")
		return
	}
	if why := unfitExpression(v.Text()); why != "" {
		found.report(RuleProfileValue, pointer, why, "correct it, or write a smaller one")
	}
}

func conformObject(found *problems, v *schema.Value, t reflect.Type, pointer string) {
	fields := fieldsOf(t)
	for _, m := range v.Members() {
		at := finding.Pointer(pointer, m.Name)
		if field, known := fields[m.Name]; known {
			conform(found, m.Value, field, at)
			continue
		}
		found.report(RuleProfileField, at, fmt.Sprintf("there is no field %s here", finding.Quote(m.Name)),
			"remove it, or write one of: "+strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
	}
}

// fieldsOf are the JSON fields of a struct, those of embedded ones included.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	if known, ok := knownFields.Load(t); ok {
		return known.(map[string]reflect.Type)
	}
	fields := map[string]reflect.Type{}
	defer knownFields.Store(t, fields)
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" {
			maps.Copy(fields, fieldsOf(field.Type))
			continue
		}
		fields[name] = field.Type
	}
	return fields
}

// knownFields remembers fieldsOf; there are some twenty types.
var knownFields sync.Map

func clippedJSON(v *schema.Value) string { return finding.Clip(v.JSON(), maxValue) }
