// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	kubejson "sigs.k8s.io/json"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
)

// Document is one object of an input.
type Document struct {
	// File is the name of the source; Line is where the object starts in it.
	File string
	Line int
	// Found says that the file was found in a directory, and not named.
	Found bool
	// Contract is what an API server would store, without status. It is nil if
	// the document is not a contract, or too broken to be decoded.
	Contract *v1alpha1.ToolContract
	// IsSet says that the document is a ToolSet; Set is then like Contract.
	IsSet bool
	Set   *v1alpha1.ToolSet
	// Revision is the object if it is a ToolRevision that can be decoded. Most
	// readers pass over it: Skipped is set as well.
	Revision *v1alpha1.ToolRevision
	// Findings are what the API server would refuse, with pointers into the
	// object; sorted. With an error among them Contract is only good for
	// further findings.
	Findings []finding.Finding
	// Skipped says what the document is if it is none of ours: "a Deployment".
	// Then there is nothing else to say about it.
	Skipped string
	// OtherKind and Other are then its kind and its JSON.
	OtherKind string
	Other     json.RawMessage

	// Namespace, Name, ToolName and Targets are what could be read of them, also
	// when the object as a whole cannot be decoded.
	Namespace, Name, ToolName string
	Targets                   []v1alpha1.Target

	layout *layout // where things are in the file; nil if there is no text
	tree   *yaml.Node
	at     string // pointer of the object inside of a list
}

// Documents yields what the source holds, in order.
func (s Source) Documents() iter.Seq[*Document] {
	return func(yield func(*Document) bool) {
		if at := invalidUTF8(s.Data); at >= 0 {
			yield(&Document{File: s.Name, Line: 1, Found: s.Found, Findings: []finding.Finding{*failure(RuleEncoding, "",
				fmt.Sprintf("the file is not UTF-8 text: byte %d", at), "save it as UTF-8")}})
			return
		}
		if s.Found {
			yield = s.found(yield)
		}
		source := &ruler{data: bytes.TrimPrefix(s.Data, []byte("\ufeff"))}
		for _, c := range split(source.data) {
			if !s.document(source, c, yield) {
				return
			}
		}
	}
}

// ourWords are in every file that is meant for us, also in one that is broken.
var ourWords = [][]byte{[]byte("toolcontract.dev"), []byte(contractKind), []byte(setKind)}

// found marks documents as found in a directory. There a file that cannot be read
// is somebody else's, such as a template, if it has none of our words.
func (s Source) found(yield func(*Document) bool) func(*Document) bool {
	ours := slices.ContainsFunc(ourWords, func(word []byte) bool { return bytes.Contains(s.Data, word) })
	return func(d *Document) bool {
		d.Found = true
		if !ours && d.Skipped == "" {
			d.Findings, d.Skipped = nil, "not readable as Kubernetes objects, and not about ours"
		}
		return yield(d)
	}
}

func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
	return -1
}

// document yields the objects of one chunk: one, or those of a list.
func (s Source) document(source *ruler, c chunk, yield func(*Document) bool) bool {
	base := Document{File: s.Name, Line: c.line, layout: newLayout(source, c)}
	if c.failed != nil {
		base.Findings = c.failed
		return yield(&base)
	}
	text := c.text
	if !c.json {
		if len(c.text) > MaxDocument {
			base.Findings = []finding.Finding{*tooLarge(len(c.text))}
			return yield(&base)
		}
		converted, tree, findings, stopped := yamlToJSON(c.text)
		if converted == nil && c.notJSON != nil {
			findings, base.layout.json = c.notJSON, wholeText(c.text)
		}
		text, base.tree, base.Findings, base.layout.stopped = converted, tree, findings, stopped
		if converted == nil {
			base.identify()
			return yield(&base)
		}
	}
	return base.expand(text, yield)
}

// identify reads the names of an object that exists only as a tree.
func (d *Document) identify() {
	if d.tree != nil {
		d.Namespace = scalarAt(d.tree, "metadata", "namespace")
		d.Name = scalarAt(d.tree, "metadata", "name")
		d.ToolName = scalarAt(d.tree, "spec", "toolName")
	}
}

func tooLarge(size int) *finding.Finding {
	return failure(RuleDocumentTooLarge, "",
		fmt.Sprintf("the document has %d bytes, more than the limit of %d", size, MaxDocument),
		"separate the objects by lines with ---, or write a list as JSON")
}

// header is what decides what an object is. Members are raw so that nothing
// else of the object matters yet.
type header struct {
	APIVersion json.RawMessage `json:"apiVersion"`
	Kind       json.RawMessage `json:"kind"`
	Items      json.RawMessage `json:"items"`
}

// expand yields the object, or what it lists. Lists may hold lists.
func (d *Document) expand(text []byte, yield func(*Document) bool) bool {
	if string(text) == "null" {
		return true
	}
	var h header
	if err := kubejson.UnmarshalCaseSensitivePreserveInts(text, &h); err != nil {
		d.Findings = append(d.Findings, *failure(RuleFieldType, "", "the document is not an object", "write one object per document"))
		return yield(d)
	}
	kind := word(h.Kind)
	var items []json.RawMessage
	if !strings.HasSuffix(kind, listSuffix) || json.Unmarshal(h.Items, &items) != nil {
		d.read(text, word(h.APIVersion), kind)
		return yield(d)
	}
	for i, item := range items {
		if !d.item(i).expand(item, yield) {
			return false
		}
	}
	if finding.HasErrors(d.Findings) { // about the list itself
		return yield(d)
	}
	return true
}

// item is the document of one entry of a list; it takes over the findings that
// are about the entry.
func (d *Document) item(i int) *Document {
	at := fmt.Sprintf("/items/%d", i)
	entry := &Document{File: d.File, layout: d.layout, tree: d.tree, at: d.at + at}
	entry.Line = entry.PositionOf("").Line
	var others []finding.Finding
	for _, f := range d.Findings {
		if pointer, below := strings.CutPrefix(f.Pointer, at+"/"); below {
			f.Pointer = "/" + pointer
			entry.Findings = append(entry.Findings, f)
			continue
		}
		others = append(others, f)
	}
	d.Findings = others
	return entry
}

// word reads a header member as text; anything else is empty.
func word(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}
