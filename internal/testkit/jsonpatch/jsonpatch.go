// SPDX-License-Identifier: Apache-2.0

// Package jsonpatch applies the patches of findings, as RFC 6902 says, so that
// tests can look at what becomes of a document.
package jsonpatch

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Apply returns a document after a patch. An operation that finds no place for
// itself is an error.
func Apply(document *schema.Value, patch []finding.Operation) (*schema.Value, error) {
	for _, o := range patch {
		next, err := apply(document, o)
		if err != nil {
			return nil, fmt.Errorf("applying %s %s: %w", o.Op, o.Path, err)
		}
		document = next
	}
	return document, nil
}

func apply(document *schema.Value, o finding.Operation) (*schema.Value, error) {
	path := finding.Tokens(o.Path)
	switch o.Op {
	case "move":
		from := finding.Tokens(o.From)
		moved := document.At(from)
		rest, err := edit(document, from, "remove", nil)
		if err != nil {
			return nil, err
		}
		return edit(rest, path, "add", moved)
	case "remove":
		return edit(document, path, o.Op, nil)
	case "add", "replace":
		v, failed := schema.Parse(o.Value)
		if failed != nil {
			return nil, fmt.Errorf("reading the value: %s", failed.Message)
		}
		return edit(document, path, o.Op, v)
	default:
		return nil, fmt.Errorf("there is no such operation")
	}
}

func edit(v *schema.Value, path []string, op string, value *schema.Value) (*schema.Value, error) {
	if len(path) == 0 {
		if op == "remove" {
			return nil, fmt.Errorf("the whole document cannot be removed")
		}
		return value, nil
	}
	switch v.Kind() {
	case schema.Object:
		return editObject(v, path, op, value)
	case schema.Array:
		return editArray(v, path, op, value)
	default:
		return nil, fmt.Errorf("nothing can be below %s", v.JSON())
	}
}

func editObject(v *schema.Value, path []string, op string, value *schema.Value) (*schema.Value, error) {
	name, isLast := path[0], len(path) == 1
	if !v.Has(name) && (!isLast || op != "add") {
		return nil, fmt.Errorf("there is no member %q", name)
	}
	if isLast && op == "remove" {
		return v.Without(name), nil
	}
	if !isLast {
		below, err := edit(v.Get(name), path[1:], op, value)
		if err != nil {
			return nil, err
		}
		value = below
	}
	return v.With(name, value), nil
}

func editArray(v *schema.Value, path []string, op string, value *schema.Value) (*schema.Value, error) {
	items, isLast := slices.Clone(v.Items()), len(path) == 1
	if isLast && op == "add" && path[0] == "-" {
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
		if items[i], err = edit(items[i], path[1:], op, value); err != nil {
			return nil, err
		}
	}
	return schema.NewArray(items...), nil
}
