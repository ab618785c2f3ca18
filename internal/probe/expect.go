// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// Word is what a profile says will become of a tool.
type Word string

// The words.
const (
	Takes   Word = "Takes"
	Refuses Word = "Refuses"
	// Unsure: nobody knows. It counts as refused in strict mode, and an answer of
	// the API settles it.
	Unsure Word = "Unsure"
)

// Expectation is what a profile says of what was sent.
type Expectation struct {
	Word Word
	// Cells are the facts that say so, as pointers into the profile (see
	// [provider.Origin]); none for Takes.
	Cells []string
	// Reason is the first finding behind it.
	Reason string
}

// Sent is what an API was asked about.
type Sent struct {
	// Schema is the input schema, nil for one that adaptation made: that one the
	// profile takes.
	Schema                *schema.Schema
	ToolName, Description string
	Strict                bool
	Model                 string
}

// Expect says what a profile expects an API to do.
func Expect(p *provider.Profile, sent Sent) Expectation {
	mode := provider.Standard
	if sent.Strict {
		mode = provider.Strict
	}
	refuses, unsure := Expectation{Word: Refuses}, Expectation{Word: Unsure}
	add := func(origin provider.Origin, reason string) {
		switch origin.Verdict {
		case provider.Rejected:
			refuses.add(origin.Cell, reason)
		case provider.Unknown:
			unsure.add(origin.Cell, reason)
		default: // the API takes it, whatever it does with it then
		}
	}
	if sent.Strict {
		if known, strict := modelOf(p, sent.Model); !known {
			add(provider.Origin{Cell: "/models", Verdict: provider.Unknown}, "the profile does not know the model")
		} else if !strict {
			add(provider.Origin{Cell: "/models", Verdict: provider.Rejected}, "the profile knows that the model has no strict mode")
		}
	}
	if sent.Schema != nil {
		found := slices.Concat(p.CheckSchema(sent.Schema, mode), p.CheckTool(sent.ToolName, sent.Description))
		for _, f := range finding.Errors(found) {
			add(p.OriginOf(f, sent.Schema, mode), f.Message)
		}
		for _, f := range found { // outside strict mode what is unknown only warns
			if f.Severity == finding.Warning {
				if origin := p.OriginOf(f, sent.Schema, mode); origin.Verdict == provider.Unknown {
					add(origin, f.Message)
				}
			}
		}
	}
	switch {
	case len(refuses.Cells) > 0:
		return refuses
	case len(unsure.Cells) > 0:
		return unsure
	default:
		return Expectation{Word: Takes}
	}
}

func (x *Expectation) add(cell, reason string) {
	if x.Reason == "" {
		x.Reason = reason
	}
	if cell != "" && !slices.Contains(x.Cells, cell) {
		x.Cells = append(x.Cells, cell)
	}
}

// modelOf says what a profile knows of one model.
func modelOf(p *provider.Profile, model string) (known, strict bool) {
	for _, m := range p.Models {
		prefix, open := strings.CutSuffix(m.Pattern, "*")
		if m.Pattern == model || open && strings.HasPrefix(model, prefix) {
			return true, m.Strict
		}
	}
	return false, false
}
