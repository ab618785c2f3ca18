// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
)

// parseTargets reads the values NAME[:STRICT[:ADAPTATION]] of a flag. Parts
// that are left out are empty.
func parseTargets(flag string, values []string, profiles *provider.Catalog) ([]v1alpha1.Target, error) {
	var out []v1alpha1.Target
	for _, value := range values {
		t, err := parseTarget(value, profiles)
		if err != nil {
			return nil, fmt.Errorf("--%s %s: %w", flag, finding.Quote(value), err)
		}
		if slices.ContainsFunc(out, func(o v1alpha1.Target) bool { return o.Profile == t.Profile }) {
			return nil, fmt.Errorf("--%s %s: the profile is given twice", flag, finding.Quote(value))
		}
		out = append(out, t)
	}
	return out, nil
}

func parseTarget(value string, profiles *provider.Catalog) (v1alpha1.Target, error) {
	parts := strings.Split(value, ":")
	t := v1alpha1.Target{Profile: parts[0]}
	if _, ok := profiles.Lookup(t.Profile); !ok {
		return t, fmt.Errorf("there is no profile %s; there are %s", finding.Quote(t.Profile), strings.Join(profiles.Names(), ", "))
	}
	if len(parts) > 3 {
		return t, fmt.Errorf("write NAME[:STRICT[:ADAPTATION]]")
	}
	if len(parts) > 1 {
		t.Strict = v1alpha1.StrictPolicy(parts[1])
		if err := oneOf(t.Strict, "strict policy", v1alpha1.StrictRequired, v1alpha1.StrictPreferred, v1alpha1.StrictDisabled); err != nil {
			return t, err
		}
	}
	if len(parts) > 2 {
		t.Adaptation = v1alpha1.Effect(parts[2])
		if err := oneOf(t.Adaptation, "adaptation", v1alpha1.EffectKeep, v1alpha1.EffectNarrow, v1alpha1.EffectReshape, v1alpha1.EffectWiden); err != nil {
			return t, err
		}
	}
	return t, nil
}

func oneOf[T ~string](got T, what string, words ...T) error {
	if slices.Contains(words, got) {
		return nil
	}
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = string(w)
	}
	return fmt.Errorf("%s is no %s; write %s", finding.Quote(string(got)), what, strings.Join(names, ", "))
}

// wanted are the targets that a contract is judged for: its own, or those of
// the command line. What the command line leaves open, the contract's own
// target of that profile says, so that --profile NAME gives the bytes that the
// operator publishes for NAME.
func wanted(own, given []v1alpha1.Target) []v1alpha1.Target {
	if len(given) == 0 {
		return own
	}
	out := slices.Clone(given)
	for i := range out {
		at := slices.IndexFunc(own, func(t v1alpha1.Target) bool { return t.Profile == out[i].Profile })
		if at < 0 {
			continue
		}
		t := own[at]
		if out[i].Strict != "" {
			t.Strict = out[i].Strict
		}
		if out[i].Adaptation != "" {
			t.Adaptation = out[i].Adaptation
		}
		out[i] = t
	}
	return out
}
