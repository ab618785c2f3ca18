// SPDX-License-Identifier: Apache-2.0

package yamledit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Patch returns a value after a patch, as RFC 6902 says. An operation that finds
// no place for itself is an error.
func Patch(document *schema.Value, patch []finding.Operation) (*schema.Value, error) {
	for _, o := range patch {
		next, err := patchOne(document, o)
		if err != nil {
			return nil, fmt.Errorf("applying %s %s: %w", o.Op, o.Path, err)
		}
		document = next
	}
	return document, nil
}

func patchOne(document *schema.Value, o finding.Operation) (*schema.Value, error) {
	path := finding.Tokens(o.Path)
	switch o.Op {
	case "move":
		from := finding.Tokens(o.From)
		moved := document.At(from)
		rest, err := patchAt(document, from, "remove", nil)
		if err != nil {
			return nil, err
		}
		return patchAt(rest, path, "add", moved)
	case "remove":
		return patchAt(document, path, o.Op, nil)
	case "add", "replace":
		v, err := valueOf(o)
		if err != nil {
			return nil, err
		}
		return patchAt(document, path, o.Op, v)
	default:
		return nil, errors.New("there is no such operation")
	}
}

func valueOf(o finding.Operation) (*schema.Value, error) {
	v, failed := schema.ParseWithin(o.Value, maxText, maxDepth)
	if failed != nil {
		return nil, fmt.Errorf("reading the value: %s", failed.Message)
	}
	return v, nil
}

func patchAt(v *schema.Value, path []string, op string, value *schema.Value) (*schema.Value, error) {
	if len(path) == 0 {
		if op == "remove" {
			return nil, errors.New("the whole document cannot be removed")
		}
		return value, nil
	}
	switch v.Kind() {
	case schema.Object:
		return patchObject(v, path, op, value)
	case schema.Array:
		return patchArray(v, path, op, value)
	default:
		return nil, fmt.Errorf("nothing can be below %s", v.JSON())
	}
}

func patchObject(v *schema.Value, path []string, op string, value *schema.Value) (*schema.Value, error) {
	name, isLast := path[0], len(path) == 1
	if !v.Has(name) && (!isLast || op != "add") {
		return nil, fmt.Errorf("there is no member %q", name)
	}
	if isLast && op == "remove" {
		return v.Without(name), nil
	}
	if !isLast {
		below, err := patchAt(v.Get(name), path[1:], op, value)
		if err != nil {
			return nil, err
		}
		value = below
	}
	return v.With(name, value), nil
}

func patchArray(v *schema.Value, path []string, op string, value *schema.Value) (*schema.Value, error) {
	items, isLast := slices.Clone(v.Items()), len(path) == 1
	if isLast && op == "add" && (path[0] == "-" || path[0] == strconv.Itoa(len(items))) {
		return schema.NewArray(append(items, value)...), nil
	}
	i, err := strconv.Atoi(path[0])
	if err != nil || i < 0 || i >= len(items) {
		return nil, fmt.Errorf("there is no element %q", path[0])
	}
	switch {
	case isLast && op == "remove":
		return schema.NewArray(slices.Delete(items, i, i+1)...), nil
	case isLast && op == "add":
		return schema.NewArray(slices.Insert(items, i, value)...), nil
	case isLast:
		items[i] = value
	default:
		if items[i], err = patchAt(items[i], path[1:], op, value); err != nil {
			return nil, err
		}
	}
	return schema.NewArray(items...), nil
}
