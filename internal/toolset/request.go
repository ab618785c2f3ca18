// SPDX-License-Identifier: Apache-2.0

package toolset

import (
	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/schema"
)

// Request is what a set asks of one profile.
type Request struct {
	// Set is the name of the set.
	Set     string
	Profile *provider.Profile
	// Models take the place of those of the targets; empty leaves them.
	Models []string
	// Tools are in the order of the set.
	Tools  []Tool
	Groups []v1alpha1.ToolGroup
	// TokenBudget is the most tokens of all requests together; 0 for none.
	TokenBudget    int
	OnIncompatible v1alpha1.IncompatiblePolicy
}

// Tool is one tool that the set holds.
type Tool struct {
	Namespace, Contract string
	// Content is a frozen content, and Digest its digest; nil for a kept tool.
	Content *contract.Content
	Digest  string
	// Selected says that labels lead to the tool, and nobody named it.
	Selected bool
	// Target is what the contract says of the profile; nil if it is no target.
	Target       *v1alpha1.Target
	DeferLoading bool
	Group        string
	// Served says that the set's last publication for this profile holds the tool.
	Served bool
	// Unchanged says that it holds the tool with this very content. Who changed gives
	// way to who did not.
	Unchanged bool
	// Kept is what that publication says of it, for a tool that is copied.
	Kept *Kept
}

// Kept is a tool as it was published, to be copied unchanged.
type Kept struct {
	// Element is its part of tools.json, Manifest its entry of manifest.json.
	Element, Manifest *schema.Value
}

// Result is what a set is for one profile.
type Result struct {
	// Bundle are the files; nil if nothing can be published. With no tool left it
	// holds an empty list.
	Bundle *publish.Bundle
	// Tools are the results in the order of the request.
	Tools []ToolResult
	// Findings are about the set as a whole.
	Findings []finding.Finding
	// Reason and Message are those of the condition ToolsPublished.
	Reason, Message string
	// TooLarge says that the files do not fit into a ConfigMap.
	TooLarge *TooLargeError
	// Split proposes sets that fit, by the contracts of each; nil where this one
	// does, or where no split would help.
	Split [][]string
	// Tokens estimates what the tools take in every request, Bytes is the size of
	// the files, Included and Strict count the tools.
	Tokens, Bytes, Included, Strict int
}

// ToolResult is what becomes of one tool.
type ToolResult struct {
	Namespace, Contract string
	// Included says that the tool is in the files, Strict that it is strict there.
	Included, Strict bool
	// Demoted says that the tool could be strict and is not, for the reason given.
	Demoted bool
	// Reason, Pointer and Message say why the tool is left out or demoted. The
	// pointer leads into the contract.
	Reason, Pointer, Message string
	// Findings are those of the target.
	Findings []finding.Finding
	// Bytes is the size of its part of the files; Tokens what it takes in every
	// request.
	Bytes, Tokens int
}

// Name is the contract as the set's status names it.
func (t ToolResult) Name() string { return t.Namespace + "/" + t.Contract }
