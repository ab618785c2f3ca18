// SPDX-License-Identifier: Apache-2.0

// Package decode turns the arguments that a model wrote for an adapted schema
// into arguments for the author's schema.
//
// Some APIs take no optional properties and no maps. A schema is then rendered
// in another form: an optional property becomes required and may be null, a map
// becomes an array of key and value. A [Rule] says where that was done, so that
// a host can undo it. It is one tree of plain JSON that is published with the
// rendering, so that hosts in any language can apply it:
//
//	{
//	  "dropNull": ["reason"],
//	  "properties": {
//	    "filters": {"items": {"dropNull": ["until"]}},
//	    "labels": {"pairs": {}}
//	  }
//	}
//
// The members of a rule:
//
//   - dropNull names members of an object that are left out when they are null.
//   - properties holds the rules of members by name; values is the rule of all
//     other members.
//   - items is the rule of every element of an array.
//   - pairs says that an array of objects with key and value is a map. It holds
//     the rule of the values.
//   - ref names an entry of definitions, which only the outermost rule has. A
//     rule with ref has nothing else, beside definitions.
//
// A value of another type than a member of the rule speaks of stays as it is:
// dropNull, properties and values speak of objects, items and pairs of arrays.
// So one rule serves all alternatives at a place. A key that comes twice in
// pairs is an error: no value could keep both.
//
// Applying a rule visits every part of the value once, whatever the rule is.
package decode
