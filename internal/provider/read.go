// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Bounds on a profile file. Those that are part of the program are far below;
// others come from whoever may write a ProviderProfile.
const (
	// MaxFile is the largest profile file, in bytes.
	MaxFile = 256 << 10
	// maxValues is the number of values in a file, each cell being some ten.
	maxValues = 20_000
	// maxFileDepth is the nesting of a file, in JSON levels.
	maxFileDepth = 32
	// maxProblems bounds the report on one file.
	maxProblems = 1000
)

// Rules of the findings on profile files.
const (
	// RuleProfileSyntax says: the file is no YAML or JSON, or means different
	// things to different readers.
	RuleProfileSyntax = "profile-syntax"
	// RuleProfileField says: the file has a field that is none, or of another type.
	RuleProfileField = "profile-field"
	// RuleProfileValue says: a fact is not well-formed.
	RuleProfileValue = "profile-value"
	// RuleProfileIncomplete says: a fact is missing.
	RuleProfileIncomplete = "profile-incomplete"
	// RuleProfileExtends says: what the profile extends cannot be used.
	RuleProfileExtends = "profile-extends"
)

// problems collects what is wrong with one file. Pointers lead into the file.
type problems []finding.Finding

func (p *problems) report(rule, pointer, message, fix string) {
	if len(*p) < maxProblems {
		*p = append(*p, finding.Finding{
			Rule: rule, Severity: finding.Error, Pointer: finding.Clip(pointer, maxFilePointer), Message: message, Fix: fix,
		})
	}
}

// maxFilePointer bounds a pointer, which hostile names could make as long as
// the file.
const maxFilePointer = 512

// covers reports whether something is said already of a place, of what is
// around it or of what is in it.
func (p problems) covers(pointer string) bool {
	return slices.ContainsFunc(p, func(f finding.Finding) bool {
		return f.Pointer == pointer || strings.HasPrefix(f.Pointer, pointer+"/") || strings.HasPrefix(pointer, f.Pointer+"/")
	})
}

// readTree reads a file as JSON or as YAML of the kind that has no other
// meaning to another reader: no key twice, no aliases, no words that are text
// to some and true to others. The value is nil if nothing could be read.
func readTree(raw []byte) (*schema.Value, problems) {
	var r reader
	switch {
	case len(raw) > MaxFile:
		r.syntax("", fmt.Sprintf("the file has %d bytes, more than the limit of %d", len(raw), MaxFile), "shorten the notes, or extend another profile")
		return nil, r.problems
	case bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) && json.Valid(raw):
		return r.readJSON(raw), r.problems
	default:
		return r.readYAML(raw), r.problems
	}
}

type reader struct {
	problems problems
	values   int
	full     bool // the bounds are reached, and said
}

func (r *reader) syntax(pointer, message, fix string) {
	r.problems.report(RuleProfileSyntax, pointer, message, fix)
}

// admits counts one more value and reports whether it is within the bounds.
func (r *reader) admits(pointer string, depth int) bool {
	r.values++
	switch {
	case r.full:
	case depth > maxFileDepth:
		r.full = true
		r.syntax(pointer, fmt.Sprintf("the file nests deeper than %d levels", maxFileDepth), "write it flatter")
	case r.values > maxValues:
		r.full = true
		r.syntax("", fmt.Sprintf("the file holds more than %d values", maxValues), "group keywords with equal verdicts in one entry")
	}
	return !r.full
}

// object builds an object; of a repeated name the first value counts.
type object struct {
	members []schema.Member
	seen    map[string]bool
}

func (o *object) add(r *reader, pointer, name string, v *schema.Value) {
	if o.seen[name] {
		r.syntax(pointer, "the field is there twice", "keep one of them")
		return
	}
	if o.seen == nil {
		o.seen = map[string]bool{}
	}
	o.seen[name] = true
	o.members = append(o.members, schema.Member{Name: name, Value: v})
}

func (r *reader) number(pointer, literal string) *schema.Value {
	if json.Valid([]byte(literal)) {
		if v, err := schema.NewNumber(literal); err == nil {
			return v
		}
	}
	r.syntax(pointer, finding.Quote(literal)+" is not a number that JSON can write", "write it in decimal digits, or quote it")
	return schema.NewNull()
}

// readJSON reads a text that is known to be JSON.
func (r *reader) readJSON(raw []byte) *schema.Value {
	decoder := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	v, err := r.json(decoder, "", 0)
	if err != nil {
		r.syntax("", "the file is not JSON: "+finding.Clip(err.Error(), 200), "correct the text")
		return nil
	}
	return v
}

func (r *reader) json(decoder *jsontext.Decoder, pointer string, depth int) (*schema.Value, error) {
	if !r.admits(pointer, depth) {
		return schema.NewNull(), decoder.SkipValue()
	}
	token, err := decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case 'n':
		return schema.NewNull(), nil
	case 't', 'f':
		return schema.NewBool(token.Bool()), nil
	case '"':
		return schema.NewString(token.String()), nil
	case '0':
		return r.number(pointer, token.String()), nil
	case '[':
		var items []*schema.Value
		for decoder.PeekKind() != ']' {
			item, err := r.json(decoder, finding.Pointer(pointer, strconv.Itoa(len(items))), depth+1)
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
		_, err := decoder.ReadToken()
		return schema.NewArray(items...), err
	default: // {
		var o object
		for decoder.PeekKind() != '}' {
			name, err := decoder.ReadToken()
			if err != nil {
				return nil, err
			}
			text := name.String()
			at := finding.Pointer(pointer, text)
			v, err := r.json(decoder, at, depth+1)
			if err != nil {
				return nil, err
			}
			o.add(r, at, text, v)
		}
		_, err := decoder.ReadToken()
		return schema.NewObject(o.members...), err
	}
}

// readYAML reads one YAML document.
func (r *reader) readYAML(raw []byte) (v *schema.Value) {
	// The library panics on some malformed documents.
	defer func() {
		if p := recover(); p != nil {
			r.syntax("", finding.Clip(fmt.Sprintf("the file could not be read as YAML: %v", p), 200), "correct the YAML")
			v = nil
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(raw))
	var document, more yaml.Node
	err := decoder.Decode(&document)
	switch {
	case errors.Is(err, io.EOF):
		r.syntax("", "the file is empty", "write the facts of a profile")
		return nil
	case err != nil:
		r.syntax("", "the file is not YAML: "+finding.Clip(strings.TrimPrefix(err.Error(), "yaml: "), 200), "correct the YAML")
		return nil
	}
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		r.syntax("", "there is a second document in the file", "write one file for each profile")
		return nil
	}
	return r.yaml(document.Content[0], "", 0)
}

func (r *reader) yaml(n *yaml.Node, pointer string, depth int) *schema.Value {
	if !r.admits(pointer, depth) {
		return schema.NewNull()
	}
	switch n.Kind {
	case yaml.MappingNode:
		return r.mapping(n, pointer, depth)
	case yaml.SequenceNode:
		items := make([]*schema.Value, len(n.Content))
		for i, item := range n.Content {
			items[i] = r.yaml(item, finding.Pointer(pointer, strconv.Itoa(i)), depth+1)
		}
		return schema.NewArray(items...)
	case yaml.ScalarNode:
		return r.scalar(n, pointer)
	default: // an alias; a document is never inside another
		r.syntax(pointer, fmt.Sprintf("line %d: aliases are not read here", n.Line), "write the value out")
		return schema.NewNull()
	}
}

func (r *reader) mapping(n *yaml.Node, pointer string, depth int) *schema.Value {
	var o object
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.ShortTag() != "!!str" {
			r.syntax(pointer, fmt.Sprintf("line %d: the key is not text", key.Line), "quote the key")
			continue
		}
		at := finding.Pointer(pointer, key.Value)
		o.add(r, at, key.Value, r.yaml(n.Content[i+1], at, depth+1))
	}
	return schema.NewObject(o.members...)
}

func (r *reader) scalar(n *yaml.Node, pointer string) *schema.Value {
	switch n.ShortTag() {
	case "!!null":
		return schema.NewNull()
	case "!!bool":
		return schema.NewBool(strings.EqualFold(n.Value, "true"))
	case "!!int", "!!float":
		return r.number(pointer, n.Value)
	case "!!str", "!!timestamp":
		if n.Style == 0 && slices.Contains([]string{"y", "yes", "n", "no", "on", "off"}, strings.ToLower(n.Value)) {
			r.syntax(pointer, fmt.Sprintf("line %d: %s is text to some readers of YAML and true or false to others", n.Line, n.Value), "quote it")
		}
		return schema.NewString(n.Value)
	default:
		r.syntax(pointer, fmt.Sprintf("line %d: the tag %s has no meaning here", n.Line, finding.Quote(n.Tag)), "remove the tag")
		return schema.NewNull()
	}
}
