// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/provider"
)

// strictFlag is a statement about strictness, of a tool or of the request
// around it.
type strictFlag struct {
	at    string // the pointer to it
	said  string // its value as text
	value bool
	// place is where profiles must have strictness for the flag to be theirs.
	place provider.StrictPlace
}

// flag reads what the tool says itself, else what the request says.
func (t *tool) flag(request *strictFlag) *strictFlag {
	if !t.form.strict {
		return request
	}
	switch raw := t.members.either("strict"); raw.Kind() {
	case 't', 'f':
		return &strictFlag{at: t.pointer("strict"), said: string(raw), value: raw.Kind() == 't', place: provider.PerTool}
	default:
		if raw != nil {
			t.note("%s: it is not a boolean and is not carried over; write targets[].strict", t.pointer("strict"))
		}
		return request
	}
}

// targets are the targets of the contract: a strict flag becomes the policy of
// those that it is meant for, which are the profiles of the same wire form that
// have their strictness in the same place. A policy that was asked for stays.
func (t *tool) targets(request *strictFlag) []v1alpha1.Target {
	flag := t.flag(request)
	if flag == nil {
		return t.options.Targets
	}
	policy := v1alpha1.StrictDisabled
	if flag.value {
		policy = v1alpha1.StrictRequired
	}
	out := slices.Clone(t.options.Targets)
	var changed []string
	kept := false
	for i, target := range out {
		switch {
		case !t.isMeant(target.Profile, flag):
		case target.Strict != "":
			kept = true
		default:
			out[i].Strict = policy
			changed = append(changed, target.Profile)
		}
	}
	switch {
	case len(changed) > 0:
		t.note("%s: %s became strict: %s of the targets %s", flag.at, flag.said, policy, strings.Join(changed, ", "))
	case kept:
		t.note("%s: %s is not carried over: the targets have a policy already", flag.at, flag.said)
	default:
		t.note("%s: %s is not carried over: no target is meant by it; write strict: %s for a target that should have it", flag.at, flag.said, policy)
	}
	return out
}

// isMeant reports whether a flag of the tool's form is about a profile.
func (t *tool) isMeant(name string, flag *strictFlag) bool {
	if t.options.Profiles == nil {
		return false
	}
	p, ok := t.options.Profiles.Lookup(name)
	return ok && p.Strict.Place == flag.place && slices.Contains(t.form.wireFormats, p.WireFormat)
}
