// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

// Tool is one of several tools that a model sees beside each other.
type Tool struct {
	Namespace, Contract string
	Content             *contract.Content
	// Acknowledged are the contract's own entries.
	Acknowledged []Acknowledgement
}

// RuleSimilarTools is the rule of [Similar].
const RuleSimilarTools = "similar-tools"

var similarRules = []Rule{{
	ID: RuleSimilarTools, Family: familyTools, Severity: finding.Warning,
	Summary: "Two tools of one set or namespace are about the same thing, and neither description says when the other one is right.",
	Why:     "A model that sees a draft and a submission of the same refund beside each other, or one order and a list of them, takes either. Only a sentence that names the other one parts them.",
	Fix:     "name the other tool in doNotUseWhen of one of them, and say when it is right",
	Examples: []Example{
		{
			Language: English,
			Bad:      "toolName: list_shipments\n---\ntoolName: find_shipments",
			Good:     "toolName: list_shipments\n---\ntoolName: find_shipments\ndescription: {doNotUseWhen: 'Do not use it if the order is known, use list_shipments.'}",
		},
		{
			Language: Chinese,
			Bad:      "toolName: list_shipments\n---\ntoolName: find_shipments",
			Good:     "toolName: list_shipments\n---\ntoolName: find_shipments\ndescription: {doNotUseWhen: 已知订单号时不要使用，请改用 list_shipments。}",
		},
	},
}}

// similarPath is where the sentence is missing, and the path of an
// acknowledgement.
const similarPath = "/spec/description/doNotUseWhen"

// maxCompared bounds how many tools are compared with one that is about the same
// thing, and maxNamed how many of them a message names.
const (
	maxCompared = 24
	maxNamed    = 3
)

// Similar judges the tools of one set, or of one namespace: it finds those that
// are about the same thing by their names, or have the same summary, and of which
// neither names the other. Tools of one name are one tool. There is one finding for a tool, at most, whose message
// begins with the name of its contract; the entry of either contract accepts it.
func Similar(tools []Tool) []finding.Finding {
	sorted := slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool { return t.Content == nil })
	slices.SortStableFunc(sorted, func(a, b Tool) int {
		return cmp.Or(cmp.Compare(a.Content.ToolName, b.Content.ToolName), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Contract, b.Contract))
	})
	service := serviceOf(sorted)
	texts := make([]string, len(sorted))
	groups := map[string][]int{}
	for i, t := range sorted {
		texts[i] = strings.ToLower(t.Content.Description.Text())
		for _, key := range t.keys(service) {
			groups[key] = append(groups[key], i)
		}
	}
	var out []finding.Finding
	for i, t := range sorted {
		others := unparted(sorted, texts, groups, service, i)
		if len(others) == 0 {
			continue
		}
		var names []string
		for _, o := range others {
			names = append(names, finding.Clip(sorted[o].Content.ToolName, 64))
		}
		slices.Sort(names)
		names = slices.Compact(names)
		list := strings.Join(names[:min(maxNamed, len(names))], ", ")
		if more := len(names) - maxNamed; more > 0 {
			list += fmt.Sprintf(" and %d more", more)
		}
		out = append(out, finding.Finding{
			Rule: RuleSimilarTools, Severity: finding.Warning, Side: finding.Contract, Pointer: similarPath,
			Message: fmt.Sprintf("%s: %s is about the same thing as %s, and no description says which is right when", t.identity(), finding.Clip(t.Content.ToolName, 64), list),
			Fix:     similarRules[0].Fix,
		})
	}
	return finding.Sort(out)
}

// keys are what tools about the same thing have in common, one of them at least.
func (t Tool) keys(service string) []string {
	return []string{objectKey + object(t.Content.ToolName, service), "summary " + strings.TrimSpace(strings.ToLower(t.Content.Description.Summary))}
}

const objectKey = "object "

func (t Tool) identity() string {
	if t.Namespace == "" {
		return t.Contract
	}
	return t.Namespace + "/" + t.Contract
}

// unparted are the later tools that are about the same thing as one and of which
// neither description names the other.
func unparted(tools []Tool, texts []string, groups map[string][]int, service string, i int) []int {
	t := tools[i]
	var out []int
	for _, key := range t.keys(service) {
		group := groups[key]
		at, _ := slices.BinarySearch(group, i)
		for _, j := range group[at+1 : min(len(group), at+1+maxCompared)] {
			o := tools[j]
			parted := t.identity() == o.identity() || t.Content.ToolName == o.Content.ToolName || has(texts[i], strings.ToLower(o.Content.ToolName)) || has(texts[j], strings.ToLower(t.Content.ToolName)) ||
				t.accepts() || o.accepts() || strings.HasPrefix(key, objectKey) && opposed(t.Content, o.Content)
			if !parted && !slices.Contains(out, j) {
				out = append(out, j)
			}
		}
	}
	return out
}

func (t Tool) accepts() bool {
	return slices.ContainsFunc(t.Acknowledged, func(a Acknowledgement) bool {
		return a.Version == "" && a.Rule == RuleSimilarTools && a.Path == similarPath
	})
}

// opposed reports whether the verbs of two names cannot be taken for each other:
// one creates and the other deletes.
func opposed(a, b *contract.Content) bool {
	first, second := verbGroup(a.ToolName), verbGroup(b.ToolName)
	return first == 0 || first != second
}

// verbGroup is the sort of verb that a name has; verbs of one sort are taken for
// each other. Zero is that of a name without such a verb.
func verbGroup(name string) int {
	w := words(name)
	at := verbAt(w)
	if at < 0 {
		return 0
	}
	return 1 + slices.IndexFunc(verbGroups, func(verbs wordSet) bool { return verbs[w[at]] })
}

// verbAt is the place of the verb of a name: the first word that can be one. Those
// behind it are objects: an order that is listed.
func verbAt(w []string) int {
	return slices.IndexFunc(w, func(word string) bool { return readVerbs[word] || writeVerbs[word] || vagueVerbs[word] })
}

// verbGroups are the sorts: to look, to make or hand in, to change, to take away.
var verbGroups = []wordSet{
	setOf("get list search find fetch show describe query view browse read retrieve lookup inspect chaxun huoqu sousuo chakan liechu duqu"),
	setOf("create add insert new draft prepare submit send post propose request issue publish book reserve order buy pay charge refund save store chuangjian xinjian xinzeng tianjia tijiao fasong fabu zhifu tuikuan yuding caogao"),
	setOf("update edit modify change set patch rename replace upsert write put xiugai gengxin"),
	setOf("delete remove cancel clear purge archive trash close revoke withdraw quxiao shanchu guanbi"),
}

// object is what a tool name speaks of: its words without the verb, the service
// that the tools belong to, and words that only say how; in one number and order.
func object(name, service string) string {
	w := words(name)
	verb := verbAt(w)
	var out []string
	for i, word := range w {
		if i != verb && !draftWords[word] && !howWords[word] && (i > 0 || word != service) {
			out = append(out, singular(word))
		}
	}
	slices.Sort(out)
	if out = slices.Compact(out); len(out) == 0 {
		return name
	}
	return strings.Join(out, " ")
}

// serviceOf is the word that most of several tools begin with.
func serviceOf(tools []Tool) string {
	counts := map[string]int{}
	for _, t := range tools {
		if w := words(t.Content.ToolName); len(w) > 1 && verbAt(w) != 0 {
			if counts[w[0]]++; counts[w[0]] >= minService && 2*counts[w[0]] > len(tools) {
				return w[0]
			}
		}
	}
	return ""
}

// minService is how many tools a service has at least.
const minService = 3

var howWords = setOf("all by id of the a an and for in to with from my new details detail info list one many status")

// singular is a word in one number; close enough for words that are compared.
func singular(w string) string {
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ss"):
		return w
	default:
		return strings.TrimSuffix(w, "s")
	}
}
