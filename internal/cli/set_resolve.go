// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubelabels "k8s.io/apimachinery/pkg/labels"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/manifest"
)

// Rules about what a set names among the given manifests.
const (
	// ruleRefElsewhere: only the cluster can tell what the set holds.
	ruleRefElsewhere = "reference-elsewhere"
	// ruleDuplicateReference: an earlier reference names the contract already.
	ruleDuplicateReference = "duplicate-reference"
	// ruleRefNamespace: only the cluster can tell whether it may.
	ruleRefNamespace    = "reference-namespace"
	ruleRefNotPermitted = "reference-not-permitted"
	ruleSelector        = "selector-invalid"
)

// namespaceFlag is the flag of the commands that read sets.
func namespaceFlag(f *pflag.FlagSet) *string { return f.StringP("namespace", "n", "default", "") }

var namespaceName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

// setNamespace notes in which namespace manifests are that name none. done is as
// of [Program.parse].
func (p *Program) setNamespace(f *pflag.FlagSet, namespace string) (code int, done bool) {
	if !namespaceName.MatchString(namespace) {
		return p.badUsage(f, "--namespace %s: a namespace has at most 63 lower-case letters, digits and hyphens", finding.Quote(namespace)), true
	}
	p.namespace = namespace
	return exitOK, false
}

// namespaceOf is the namespace in which kubectl would put the object.
func (p *Program) namespaceOf(d *manifest.Document) string {
	return cmp.Or(d.Namespace, p.namespace, metav1.NamespaceDefault)
}

// setMember is one tool of a set.
type setMember struct {
	candidate
	key contractKey
	// at is the pointer of the reference or the selector.
	at       string
	deferred bool
	group    string
	selected bool
}

// resolve finds the tools of the set, in its order.
func (js *judgedSet) resolve(in *inputs, namespace string) []setMember {
	var out []setMember
	add := func(m setMember) {
		if !slices.ContainsFunc(out, func(o setMember) bool { return o.key == m.key }) {
			out = append(out, m)
		}
	}
	named := map[contractKey]bool{}
	for i, ref := range js.Set.Spec.Tools {
		at := finding.Pointer("/spec/tools", strconv.Itoa(i))
		key := contractKey{cmp.Or(ref.Namespace, namespace), ref.Contract}
		if named[key] {
			js.say(ruleDuplicateReference, finding.Warning, at, fmt.Sprintf("the ToolContract %s is named by an earlier reference, which counts", key), "remove one of them")
			continue
		}
		named[key] = true
		if c, ok := js.referred(in, at, key, ref, key.namespace != namespace); ok {
			add(setMember{c, key, at, ref.DeferLoading, ref.Group, false})
		}
	}
	for i, s := range js.Set.Spec.Selectors {
		at := finding.Pointer("/spec/selectors", strconv.Itoa(i))
		selector, err := metav1.LabelSelectorAsSelector(&s.Labels)
		if err != nil {
			js.say(ruleSelector, finding.Error, finding.Pointer(at, "labels"), finding.Clip(err.Error(), 200), "correct the selector")
			continue
		}
		keys := slices.SortedFunc(maps.Keys(in.contracts), func(a, b contractKey) int { return cmp.Compare(a.String(), b.String()) })
		for _, key := range keys {
			c, ok := in.highest(key, serves(s.Channel))
			if ok && key.namespace == namespace && selector.Matches(kubelabels.Set(c.contract.Labels)) {
				add(setMember{c, key, at, s.DeferLoading, s.Group, true})
			}
		}
	}
	return out
}

func (js *judgedSet) say(rule string, severity finding.Severity, pointer, message, fix string) {
	js.findings = append(js.findings, finding.Finding{
		Rule: rule, Severity: severity, Side: finding.Contract, Pointer: pointer, Message: message, Fix: fix,
	})
}

// referred finds the contract of a reference among the inputs. What is not there
// may be in the cluster.
func (js *judgedSet) referred(in *inputs, at string, key contractKey, ref v1alpha1.ToolReference, foreign bool) (c candidate, ok bool) {
	wanted, fits := "the line "+ref.Channel, serves(ref.Channel)
	if ref.Version != "" {
		wanted, fits = "the version "+ref.Version, func(v contract.Version) bool { return v.String() == ref.Version }
	}
	c, ok = in.highest(key, fits)
	if !ok {
		js.say(ruleRefElsewhere, finding.Info, at, fmt.Sprintf("%s %s, so only the cluster can tell what the set holds of it", key, in.absence(key, wanted)), "")
		return c, false
	}
	return c, !foreign || js.permitted(at, key, c.contract.Spec.AllowedNamespaces)
}

// absence says why a contract cannot be had from the inputs.
func (in *inputs) absence(key contractKey, wanted string) string {
	if len(in.contracts[key]) == 0 {
		return "is not among the inputs"
	}
	var versions []string
	for _, c := range in.contracts[key] {
		if c.content != nil {
			versions = append(versions, c.content.Version.String())
		}
	}
	if len(versions) == 0 {
		return "is not valid"
	}
	return fmt.Sprintf("is among the inputs as %s, and the set holds %s", strings.Join(versions, ", "), wanted)
}

func (js *judgedSet) permitted(at string, key contractKey, allowed *v1alpha1.AllowedNamespaces) bool {
	switch {
	case allowed != nil && allowed.From == v1alpha1.NamespacesAll:
		return true
	case allowed != nil && allowed.From == v1alpha1.NamespacesSelector:
		js.say(ruleRefNamespace, finding.Info, at, fmt.Sprintf("%s is allowed in namespaces with certain labels, so only the cluster can tell", key), "")
		return true
	}
	js.say(ruleRefNotPermitted, finding.Error, at, fmt.Sprintf("%s may not be in sets of another namespace", key),
		"set allowedNamespaces in the contract, or move the set")
	return false
}
