// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lint"
)

const (
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	sarifVersion = "2.1.0"
	homePage     = "https://github.com/toolcontract/operator"
	helpPages    = homePage + "/blob/main/docs/"
	// sarifFingerprint names the way in which fingerprints are made.
	sarifFingerprint = "toolcontractFinding/v1"
	// sarifRoot stands for the root of the repository, as GitHub spells it.
	sarifRoot = "%SRCROOT%"
)

// The parts of SARIF 2.1.0 that are written, see the schema for their meaning.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string       `json:"id"`
		ShortDescription sarifText    `json:"shortDescription"`
		FullDescription  *sarifText   `json:"fullDescription,omitempty"`
		Help             *sarifText   `json:"help,omitempty"`
		HelpURI          string       `json:"helpUri"`
		Default          sarifDefault `json:"defaultConfiguration"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Fingerprints map[string]string  `json:"partialFingerprints"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
		Fixes        []sarifFix         `json:"fixes,omitempty"`
		Properties   sarifProperties    `json:"properties"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
	sarifSuppression struct {
		Kind string `json:"kind"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
	// sarifProperties are what SARIF has no words for.
	sarifProperties struct {
		Object   string           `json:"object"`
		Side     finding.Side     `json:"side"`
		Pointer  string           `json:"pointer"`
		Keyword  string           `json:"keyword,omitempty"`
		Profile  string           `json:"profile,omitempty"`
		Severity finding.Severity `json:"severity"`
	}
)

// sarifReporter writes a log of the static analysis results interchange format,
// which code hosts and editors show.
type sarifReporter struct {
	w        io.Writer
	version  string
	findings []located
}

func (r *sarifReporter) contract(j *judged) {
	r.findings = append(r.findings, j.withEdits(j.located())...)
}

func (r *sarifReporter) set(js *judgedSet) {
	r.findings = append(r.findings, js.withEdits(js.located())...)
}

func (r *sarifReporter) end(c closing) {
	r.findings = append(r.findings, c.located()...)
	rules := sarifRules(r.findings)
	fmt.Fprintf(r.w, "{\n  \"$schema\": %q,\n  \"version\": %q,\n  \"runs\": [\n    {\n      \"tool\": %s,\n      \"columnKind\": \"unicodeCodePoints\",\n      \"results\": [",
		sarifSchema, sarifVersion, indented(sarifTool{sarifDriver{Name: "toolcontract", Version: r.version, InformationURI: homePage, Rules: rules}}, "      "))
	results := jsonList{w: r.w, indent: "        "}
	seen := map[string]int{}
	for _, l := range r.findings {
		result := sarifResultOf(l)
		result.RuleIndex, _ = slices.BinarySearchFunc(rules, l.Rule, func(rule sarifRule, id string) int { return cmp.Compare(rule.ID, id) })
		sum := sha256.Sum256([]byte(l.fingerprint()))
		digest := hex.EncodeToString(sum[:16])
		// Two findings of one rule at one place are told apart by their order.
		seen[digest]++
		result.Fingerprints = map[string]string{sarifFingerprint: digest + ":" + strconv.Itoa(seen[digest])}
		results.add(result)
	}
	results.end()
	fmt.Fprint(r.w, "\n    }\n  ]\n}\n")
}

func sarifResultOf(l located) sarifResult {
	side := cmp.Or(l.Side, finding.Contract)
	out := sarifResult{
		RuleID: l.Rule, Level: sarifLevel(l.Severity), Message: sarifText{l.text()},
		Locations: []sarifLocation{{
			Physical: sarifPhysical{sarifFile(l.file), sarifRegion{StartLine: l.at.Line, StartColumn: l.at.Column, EndColumn: l.at.Column + l.at.Width}},
			Logical:  []sarifLogical{{l.object + " " + l.Place(), "member"}},
		}},
		Properties: sarifProperties{l.object, side, l.Pointer, l.Keyword, l.profile, l.Severity},
	}
	if l.accepted {
		out.Suppressions = []sarifSuppression{{"inSource"}}
	}
	if len(l.replaced) > 0 {
		change := sarifChange{Artifact: sarifFile(l.file)}
		for _, e := range l.replaced {
			change.Replacements = append(change.Replacements, sarifReplacement{
				sarifRegion{StartLine: e.start.Line, StartColumn: e.start.Column, EndLine: e.end.Line, EndColumn: e.end.Column}, sarifText{e.text},
			})
		}
		out.Fixes = []sarifFix{{sarifText{l.Fix}, []sarifChange{change}}}
	}
	return out
}

func sarifLevel(severity finding.Severity) string {
	switch severity {
	case finding.Error:
		return "error"
	case finding.Warning:
		return "warning"
	default:
		return "note"
	}
}

// sarifFile is a path as a URI: below the root of the repository if it is
// relative.
func sarifFile(path string) sarifArtifact {
	slashed := filepath.ToSlash(filepath.Clean(path))
	if filepath.IsAbs(path) {
		if slashed[0] != '/' { // a drive
			slashed = "/" + slashed
		}
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: slashed}).String()}
	}
	return sarifArtifact{URI: (&url.URL{Path: slashed}).String(), Base: sarifRoot}
}

// sarifRules are the rules that speak, in the order of their names.
func sarifRules(findings []located) []sarifRule {
	levels := map[string]finding.Severity{}
	for _, l := range findings {
		if old, known := levels[l.Rule]; !known || finding.Compare(finding.Finding{Severity: l.Severity}, finding.Finding{Severity: old}) < 0 {
			levels[l.Rule] = l.Severity
		}
	}
	out := make([]sarifRule, 0, len(levels))
	for id, severity := range levels {
		rule := sarifRule{ID: id, ShortDescription: sarifText{id}, HelpURI: helpPages + "guides/troubleshooting.md", Default: sarifDefault{sarifLevel(severity)}}
		if known, ok := lint.Lookup(id); ok {
			rule.ShortDescription.Text = known.Summary
			rule.FullDescription, rule.Help = &sarifText{known.Why}, &sarifText{known.Fix}
			rule.HelpURI = helpPages + "lint/README.md#" + id
			rule.Default.Level = sarifLevel(known.Severity)
		}
		out = append(out, rule)
	}
	slices.SortFunc(out, func(a, b sarifRule) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
