// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	kubejson "sigs.k8s.io/json"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
)

// Document is one object of an input.
type Document struct {
	// File is the name of the source; Line is where the document starts in it.
	File string
	Line int
	// Contract is what an API server would store, without status. It is nil if
	// the document is not a contract, or too broken to be decoded.
	Contract *v1alpha1.ToolContract
	// Findings are what the API server would refuse, with pointers into the
	// object; sorted. With an error among them Contract is only good for
	// further findings.
	Findings []finding.Finding
	// Skipped says what the document is if it is none of ours: "a Deployment".
	// Then there is nothing else to say about it.
	Skipped string

	// Namespace, Name and ToolName identify the object as far as they could be
	// read, also when it cannot be decoded.
	Namespace, Name, ToolName string

	tree *yaml.Node
	at   string // pointer of the object inside of a list
}

// Documents yields what the source holds, in order.
func (s Source) Documents() iter.Seq[*Document] {
	return func(yield func(*Document) bool) {
		if at := invalidUTF8(s.Data); at >= 0 {
			yield(&Document{File: s.Name, Line: 1, Findings: []finding.Finding{*failure(RuleEncoding, "",
				fmt.Sprintf("the file is not UTF-8 text: byte %d", at), "save it as UTF-8")}})
			return
		}
		for _, c := range split(s.Data) {
			if !s.document(c, yield) {
				return
			}
		}
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
func (s Source) document(c chunk, yield func(*Document) bool) bool {
	base := Document{File: s.Name, Line: c.line}
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
		converted, tree, findings := yamlToJSON(c.text)
		if converted == nil && c.notJSON != nil {
			findings = c.notJSON
		}
		text, base.tree, base.Findings = converted, tree, findings
		if converted == nil {
			return yield(&base)
		}
	}
	return base.expand(text, yield)
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
	entry := &Document{File: d.File, Line: d.Line, tree: d.tree, at: d.at + at}
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

// read judges one object that is no list.
func (d *Document) read(text []byte, apiVersion, kind string) {
	group, _, _ := strings.Cut(apiVersion, "/")
	switch {
	case kind == contractKind && apiVersion != contractAPIVersion:
		d.Findings = append(d.Findings, *failure(RuleFieldValue, "/apiVersion",
			fmt.Sprintf("%s does not serve the kind %s", finding.Quote(apiVersion), contractKind), "write apiVersion: "+contractAPIVersion))
	case kind == contractKind:
	case group == contractGroup && kind != revisionKind:
		d.Findings = append(d.Findings, *failure(RuleFieldValue, "/kind",
			fmt.Sprintf("%s is no kind of %s", finding.Quote(kind), contractGroup), "write kind: "+contractKind))
	default:
		d.skip(kind)
		return
	}
	if len(text) > MaxDocument {
		d.Findings = append(d.Findings, *tooLarge(len(text)))
		return
	}
	if d.tree == nil {
		d.Findings = append(d.Findings, checkJSON(text)...)
	}
	d.decode(text)
	finding.Sort(d.Findings)
}

func (d *Document) skip(kind string) {
	d.Findings = nil
	d.Skipped = "a " + finding.Clip(kind, 80)
	if kind == "" {
		d.Skipped = "no Kubernetes object: it has no kind"
	}
}

// decode turns the JSON of an object into a contract through the forms in
// which an API server handles it.
func (d *Document) decode(text []byte) {
	var object map[string]any
	if err := kubejson.UnmarshalCaseSensitivePreserveInts(text, &object); err != nil {
		if !finding.HasErrors(d.Findings) {
			d.Findings = append(d.Findings, *failure(RuleFieldType, "", finding.Clip(err.Error(), 200), "correct the document"))
		}
		return
	}
	// The server ignores status in a request that creates the object.
	delete(object, "status")
	d.Namespace, _ = member(object["metadata"], "namespace").(string)
	d.Name, _ = member(object["metadata"], "name").(string)
	d.ToolName, _ = member(object["spec"], "toolName").(string)
	d.Findings = append(d.Findings, checkObject(object)...)
	stored, err := json.Marshal(object)
	if err != nil {
		d.Findings = append(d.Findings, *failure(RuleFieldType, "", finding.Clip(err.Error(), 200), "correct the document"))
		return
	}
	contract := &v1alpha1.ToolContract{}
	if err := kubejson.UnmarshalCaseSensitivePreserveInts(stored, contract); err == nil {
		d.Contract = contract
	} else if !finding.HasErrors(d.Findings) {
		d.Findings = append(d.Findings, *failure(RuleFieldType, "", finding.Clip(err.Error(), 200), "correct the document"))
	}
}

// checkObject judges an object as the API server would on creation.
func checkObject(object map[string]any) []finding.Finding {
	root, err := contractSchema()
	if err != nil {
		return []finding.Finding{*failure(RuleFieldType, "", err.Error(), "report this as a defect of the program")}
	}
	c := checker{}
	c.metadata(object["metadata"])
	c.value(root, object, "")
	return c.findings
}

// Check judges a contract that was made by a program, as if it had been read.
func Check(contract *v1alpha1.ToolContract) []finding.Finding {
	d := Document{}
	text, err := json.Marshal(contract)
	if err != nil {
		return []finding.Finding{*failure(RuleFieldType, "", finding.Clip(err.Error(), 200), "correct the embedded JSON")}
	}
	d.read(text, contract.APIVersion, contract.Kind)
	return d.Findings
}
