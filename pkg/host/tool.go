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
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// ErrUnknownProfile says that the tool is not published for a profile.
var ErrUnknownProfile = errors.New("the tool is not published for this profile")

// hostView is the form of contract.json that this package reads.
const hostView = "toolcontract.dev/contract/v1"

// Tool is one published version of a tool contract.
type Tool struct {
	digest     string
	view       []byte
	contract   string
	version    string
	toolName   string
	renderings map[string][]byte
	targets    map[string]target
	input      *schema.Validator
	// declaredOnly says that input is the closed form of the author's schema.
	declaredOnly bool
	output       *schema.Validator // nil if the contract has no output schema
	// projected is the output schema whose undeclared members are left out; nil
	// if the answer is handed on as it is.
	projected *schema.Schema
	session   []sessionParameter
}

// target is what contract.json says of one profile.
type target struct {
	strict bool
	decode *decode.Rule
	err    error // of the decode rule
}

// read takes from contract.json what the methods need.
func (t *Tool) read(text []byte) error {
	root, failed := schema.ParseWithin(text, maxFile, maxFileDepth)
	if failed != nil {
		return fmt.Errorf("loading tool: %s: %s", contractFile, failed.Message)
	}
	if version := textOf(root, "schemaVersion"); version != hostView {
		return fmt.Errorf("loading tool: %s has the form %s, and this host reads %s; update the host", contractFile, finding.Quote(version), hostView)
	}
	t.view, t.contract, t.version, t.toolName = text, textOf(root, "contract"), textOf(root, "version"), textOf(root, "toolName")
	if err := t.readInput(root.Get("input")); err != nil {
		return err
	}
	if err := t.readOutput(root.Get("output")); err != nil {
		return err
	}
	t.readTargets(root.Get("targets"))
	return nil
}

func (t *Tool) readInput(v *schema.Value) error {
	input, err := admit("input schema", v.Get("schema"))
	if err != nil {
		return err
	}
	if input == nil {
		return fmt.Errorf("loading tool: %s has no input schema", contractFile)
	}
	switch writer := textOf(v, "writer"); writer {
	case "", asDeclared:
	case contract.WriterDeclared:
		t.declaredOnly, input = true, input.Closed()
	default:
		return unknownWord("input.writer", writer)
	}
	if t.input, err = compile("input schema", input); err != nil {
		return err
	}
	return t.readSession(v.Get("sessionParameters"))
}

func (t *Tool) readOutput(v *schema.Value) error {
	output, err := admit("output schema", v.Get("schema"))
	if err != nil {
		return err
	}
	switch reader := textOf(v, "reader"); reader {
	case "", asDeclared:
	case contract.ReaderIgnoreUnknown:
		t.projected = output
	default:
		return unknownWord("output.reader", reader)
	}
	if output == nil {
		return nil
	}
	t.output, err = compile("output schema", output)
	return err
}

// asDeclared is the word for what absence stands for.
const asDeclared = "AsDeclared"

// unknownWord refuses a promise that this host does not know how to keep.
func unknownWord(field, word string) error {
	return fmt.Errorf("loading tool: %s in %s is %s, which this host does not know; update the host", field, contractFile, finding.Quote(word))
}

func (t *Tool) readTargets(list *schema.Value) {
	t.targets = map[string]target{}
	if list == nil {
		return
	}
	for _, entry := range list.Items() {
		var read target
		if given := entry.Get("strict").Get("given"); given != nil {
			read.strict = given.IsTrue()
		}
		if rule := entry.Get("decode"); rule != nil {
			read.decode, read.err = decode.Read(rule)
		}
		t.targets[textOf(entry, "profile")] = read
	}
}

func textOf(v *schema.Value, name string) string {
	if member := v.Get(name); member != nil {
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
func (t *Tool) Name() string { return t.toolName }

// Contract is the name of the contract, and Version the version of it that was
// published. Together with the digest they belong into every log of a call.
func (t *Tool) Contract() string { return t.contract }

// Version is the published version of the contract.
func (t *Tool) Version() string { return t.version }

// Digest identifies the published files: it is the digest of index.json, which
// the operator also writes into the status and the annotations.
func (t *Tool) Digest() string { return t.digest }

// View returns contract.json as published: all that the contract says. The
// caller must not change it.
func (t *Tool) View() []byte { return t.view }

// Profiles lists the profiles that the tool is published for, sorted.
func (t *Tool) Profiles() []string { return slices.Sorted(maps.Keys(t.renderings)) }

// Bytes returns the tool as the API of a profile takes it: one element of its
// tools array. The caller must not change the bytes; a digest names them.
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

func (t *Tool) unknown(profile string) error {
	return fmt.Errorf("%s %s: %w: %s; it is published for %s",
		t.contract, t.version, ErrUnknownProfile, finding.Quote(profile), strings.Join(t.Profiles(), ", "))
}
