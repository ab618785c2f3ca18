// SPDX-License-Identifier: Apache-2.0

package host

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/decode"
	"github.com/toolcontract/operator/internal/envelope"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// ErrUnknownProfile says that the tool is not published for a profile.
var ErrUnknownProfile = errors.New("the tool is not published for this profile")

// hostView is the form of contract.json that this package reads.
const hostView = "toolcontract.dev/contract/v1"

// Tool is one published version of a tool contract.
type Tool struct {
	digest        string
	view          []byte
	contract      string
	namespace     string // only in a set
	contentDigest string
	// content is what contract.json says, as far as this package needs it.
	content     contract.Content
	failures    []envelope.Failure
	renderings  map[string][]byte
	targets     map[string]target
	input       *schema.Validator // nil for a tool of the provider
	output      *schema.Validator // nil if the contract has no output schema
	data        *schema.Validator // the same with undeclared members refused
	sessionKeys []sessionParameter
	frames      *frames
}

// target is what contract.json says of one profile.
type target struct {
	strict bool
	asked  string
	decode *decode.Rule
	err    error // of the decode rule
}

// Read reads contract.json alone, without the renderings and without a digest to
// hold it to. [Load] reads a whole folder.
func Read(view []byte) (*Tool, error) {
	root, failed := schema.ParseWithin(view, maxFile, maxFileDepth)
	if failed != nil {
		return nil, fmt.Errorf("loading tool: %s: %s", contractFile, failed.Message)
	}
	return newTool(view, root)
}

// newTool takes from contract.json what the methods need.
func newTool(text []byte, root *schema.Value) (*Tool, error) {
	if version := textOf(root, "schemaVersion"); version != hostView {
		return nil, fmt.Errorf("loading tool: %s has the form %s, and this host reads %s; update the host", contractFile, finding.Quote(version), hostView)
	}
	t := &Tool{
		view: text, contract: textOf(root, "contract"), namespace: textOf(root, "namespace"), contentDigest: textOf(root, "contentDigest"),
		renderings: map[string][]byte{}, frames: &frames{},
	}
	t.content.Type, t.content.ToolName = textOf(root, "type"), textOf(root, "toolName")
	for _, read := range []func(*schema.Value) error{t.readVersion, t.readInput, t.readOutput, t.readExecution} {
		if err := read(root); err != nil {
			return nil, err
		}
	}
	t.failures = envelope.Failures(&t.content)
	t.readTargets(root.Get("targets"))
	return t, nil
}

func (t *Tool) readVersion(root *schema.Value) (err error) {
	if t.content.Version, err = contract.ParseVersion(textOf(root, "version")); err != nil {
		return fmt.Errorf("loading tool: %s: %w", contractFile, err)
	}
	return nil
}

func (t *Tool) readInput(root *schema.Value) error {
	if t.content.Type == contract.TypeBuiltIn { // the provider knows its arguments
		return nil
	}
	v := root.Get("input")
	input, err := admit("input schema", v.Get("schema"))
	if err != nil {
		return err
	}
	if input == nil {
		return fmt.Errorf("loading tool: %s has no input schema", contractFile)
	}
	t.content.Input.Schema = input
	switch writer := textOf(v, "writer"); writer {
	case "", asDeclared:
	case contract.WriterDeclared:
		t.content.Input.Writer, input = writer, input.Closed()
	default:
		return unknownWord("input.writer", writer)
	}
	if t.input, err = compile("input schema", input); err != nil {
		return err
	}
	if t.content.Type == contract.TypeFreeForm {
		t.content.FreeForm = &contract.FreeForm{Parameter: textOf(root.Get("freeForm"), "parameter")}
		if t.content.FreeForm.Parameter == "" {
			return fmt.Errorf("loading tool: %s names no freeForm.parameter; the folder was not published by the operator", contractFile)
		}
	}
	return t.readSession(v.Get("sessionParameters"))
}

func (t *Tool) readTargets(list *schema.Value) {
	t.targets = map[string]target{}
	if list == nil {
		return
	}
	for _, entry := range list.Items() {
		read := target{asked: textOf(entry.Get("strict"), "asked")}
		if given := entry.Get("strict").Get("given"); given != nil {
			read.strict = given.IsTrue()
		}
		if rule := entry.Get("decode"); rule != nil {
			read.decode, read.err = decode.Read(rule)
		}
		t.targets[textOf(entry, "profile")] = read
	}
}

// asDeclared is the word for what absence stands for.
const asDeclared = "AsDeclared"

// unknownWord refuses a promise that this host does not know how to keep.
func unknownWord(field, word string) error {
	return fmt.Errorf("loading tool: %s in %s is %s, which this host does not know; update the host", field, contractFile, finding.Quote(word))
}

func textOf(v *schema.Value, name string) string {
	if member := v.Get(name); member != nil && member.Kind() == schema.String {
		return member.Text()
	}
	return ""
}

// admit reads a schema of the contract; nil without one.
func admit(what string, v *schema.Value) (*schema.Schema, error) {
	if v == nil {
		return nil, nil //nolint:nilnil // a contract may have no output schema
	}
	admitted, findings := schema.Admit(v)
	if admitted == nil {
		return nil, fmt.Errorf("loading tool: the %s in %s: %s", what, contractFile, finding.Summary(finding.Errors(findings), 1))
	}
	return admitted, nil
}

func compile(what string, s *schema.Schema) (*schema.Validator, error) {
	validator, findings := s.Compile()
	if len(findings) > 0 {
		return nil, fmt.Errorf("loading tool: the %s in %s: %s", what, contractFile, finding.Summary(findings, 1))
	}
	return validator, nil
}

// Name is what the model calls the tool.
func (t *Tool) Name() string { return t.content.ToolName }

// Contract is the name of the contract, and Version the version of it that was
// published. Together with the digest they belong into every log of a call.
func (t *Tool) Contract() string { return t.contract }

// Version is the published version of the contract.
func (t *Tool) Version() string { return t.content.Version.String() }

// Namespace is that of the contract, for a tool of a set; else it is empty.
func (t *Tool) Namespace() string { return t.namespace }

// ContentDigest identifies what the contract says at this version.
func (t *Tool) ContentDigest() string { return t.contentDigest }

// Digest identifies the published files: it is the digest of index.json, which
// the operator also writes into the status and the annotations. It is empty for
// a tool that was read from contract.json alone.
func (t *Tool) Digest() string { return t.digest }

// View returns contract.json as published: all that the contract says. The
// caller must not change it.
func (t *Tool) View() []byte { return t.view }

// Approval reports whether a person must agree to each call before it is run; until
// then a host answers with [CodeApprovalRequired]. A word that this package does not
// know counts as such.
func (t *Tool) Approval() bool {
	approval := t.content.Execution.Approval
	return approval != "" && approval != "None"
}

// Profiles lists the profiles that the tool is published for, sorted.
func (t *Tool) Profiles() []string { return slices.Sorted(maps.Keys(t.targets)) }

// Bytes returns the tool as the API of a profile takes it: one element of its
// tools array. The caller must not change the bytes; a digest names them. A tool
// that was read from contract.json alone has none. In the tools of a set, tools of
// one MCP server share an element.
func (t *Tool) Bytes(profile string) ([]byte, error) {
	content, ok := t.renderings[profile]
	if !ok {
		return nil, t.unknown(profile)
	}
	return content, nil
}

// Strict reports whether the rendering for a profile asks for strict mode. Where
// strictness is a setting of the request, strict.requestSwitch in [Tool.View]
// names it.
func (t *Tool) Strict(profile string) bool { return t.targets[profile].strict }

// AskedStrict is the strictness that the contract asks for: Required, Preferred
// or Disabled. A tool that prefers to be strict and is not could not be, or gave
// way in a set whose request holds only so many strict tools.
func (t *Tool) AskedStrict(profile string) string { return t.targets[profile].asked }

func (t *Tool) unknown(profile string) error {
	return fmt.Errorf("%s %s: %w: %s; it is published for %s",
		t.contract, t.content.Version, ErrUnknownProfile, finding.Quote(profile), strings.Join(t.Profiles(), ", "))
}
