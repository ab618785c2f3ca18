// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"testing"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// The official suite, draft 2020-12 with its optional part. A group is either
// refused by admission with the rule that the table below says, or every test
// of it agrees. What is in neither is a failure, and so is an exception that no
// longer occurs.

// refusedGroups are the groups whose schema admission refuses, by file, with
// the rule. They need what a contract must not have: a second document, by
// $id or by fetching it, or a meaning that depends on the caller.
var refusedGroups = map[string]map[string]string{
	"anchor.json": {
		"Location-independent identifier with absolute URI":                 RuleKeywordRefused,
		"Location-independent identifier with base URI change in subschema": RuleKeywordRefused,
		"same $anchor with different base uri":                              RuleKeywordRefused,
	},
	"defs.json": {"validate definition against metaschema": RuleRefNotLocal},
	"dynamicRef.json": {
		"A $dynamicRef to a $dynamicAnchor in the same schema resource behaves like a normal $ref to an $anchor":                                     RuleKeywordRefused,
		"A $dynamicRef to an $anchor in the same schema resource behaves like a normal $ref to an $anchor":                                           RuleKeywordRefused,
		"A $ref to a $dynamicAnchor in the same schema resource behaves like a normal $ref to an $anchor":                                            RuleKeywordRefused,
		"A $dynamicRef resolves to the first $dynamicAnchor still in scope that is encountered when the schema is evaluated":                         RuleKeywordRefused,
		"A $dynamicRef without anchor in fragment behaves identical to $ref":                                                                         RuleKeywordRefused,
		"A $dynamicRef with intermediate scopes that don't include a matching $dynamicAnchor does not affect dynamic scope resolution":               RuleKeywordRefused,
		"An $anchor with the same name as a $dynamicAnchor is not used for dynamic scope resolution":                                                 RuleKeywordRefused,
		"A $dynamicRef without a matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor":                          RuleKeywordRefused,
		"A $dynamicRef with a non-matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor":                         RuleKeywordRefused,
		"A $dynamicRef that initially resolves to a schema with a matching $dynamicAnchor resolves to the first $dynamicAnchor in the dynamic scope": RuleKeywordRefused,
		"A $dynamicRef that initially resolves to a schema without a matching $dynamicAnchor behaves like a normal $ref to $anchor":                  RuleKeywordRefused,
		"multiple dynamic paths to the $dynamicRef keyword":                                                                                          RuleKeywordRefused,
		"after leaving a dynamic scope, it is not used by a $dynamicRef":                                                                             RuleKeywordRefused,
		"strict-tree schema, guards against misspelled properties":                                                                                   RuleKeywordRefused,
		"tests for implementation dynamic anchor and reference link":                                                                                 RuleKeywordRefused,
		"$ref and $dynamicAnchor are independent of order - $defs first":                                                                             RuleKeywordRefused,
		"$ref and $dynamicAnchor are independent of order - $ref first":                                                                              RuleKeywordRefused,
		"$ref to $dynamicRef finds detached $dynamicAnchor":                                                                                          RuleRefNotLocal,
		"$dynamicRef points to a boolean schema":                                                                                                     RuleKeywordRefused,
		"$dynamicRef skips over intermediate resources - direct reference":                                                                           RuleKeywordRefused,
		"$dynamicRef avoids the root of each schema, but scopes are still registered":                                                                RuleKeywordRefused,
	},
	"ref.json": {
		"remote ref, containing refs itself":                                     RuleRefNotLocal,
		"Recursive references between schemas":                                   RuleKeywordRefused,
		"refs with relative uris and defs":                                       RuleKeywordRefused,
		"relative refs with absolute uris and defs":                              RuleKeywordRefused,
		"$id must be resolved against nearest parent, not just immediate parent": RuleKeywordRefused,
		"order of evaluation: $id and $ref":                                      RuleKeywordRefused,
		"order of evaluation: $id and $anchor and $ref":                          RuleKeywordRefused,
		"order of evaluation: $id and $ref on nested schema":                     RuleKeywordRefused,
		"simple URN base URI with $ref via the URN":                              RuleRefNotLocal,
		"URN base URI with URN and JSON pointer ref":                             RuleRefNotLocal,
		"URN base URI with URN and anchor ref":                                   RuleRefNotLocal,
		"URN ref with nested pointer ref":                                        RuleKeywordRefused,
		"ref to if":                                                              RuleKeywordRefused,
		"ref to then":                                                            RuleKeywordRefused,
		"ref to else":                                                            RuleKeywordRefused,
		"ref with absolute-path-reference":                                       RuleKeywordRefused,
	},
	"refRemote.json": {
		"remote ref":                                                  RuleRefNotLocal,
		"fragment within remote ref":                                  RuleRefNotLocal,
		"anchor within remote ref":                                    RuleRefNotLocal,
		"ref within remote ref":                                       RuleRefNotLocal,
		"base URI change":                                             RuleKeywordRefused,
		"base URI change - change folder":                             RuleKeywordRefused,
		"base URI change - change folder in subschema":                RuleKeywordRefused,
		"root ref in remote ref":                                      RuleRefNotLocal,
		"remote ref with ref to defs":                                 RuleRefNotLocal,
		"Location-independent identifier in remote ref":               RuleRefNotLocal,
		"retrieved nested refs resolve relative to their URI not $id": RuleRefNotLocal,
		"remote HTTP ref with different $id":                          RuleRefNotLocal,
		"remote HTTP ref with different URN $id":                      RuleRefNotLocal,
		"remote HTTP ref with nested absolute ref":                    RuleRefNotLocal,
		"$ref to $ref finds detached $anchor":                         RuleRefNotLocal,
	},
	"unevaluatedItems.json":      {"unevaluatedItems with $dynamicRef": RuleKeywordRefused},
	"unevaluatedProperties.json": {"unevaluatedProperties with $dynamicRef": RuleKeywordRefused},
	"vocabulary.json": {
		"schema that uses custom metaschema with with no validation vocabulary": RuleDialect, //nolint:dupword // the suite's own words
		"ignore unrecognized optional vocabulary":                               RuleDialect,
	},
	"optional/cross-draft.json": {"refs to historic drafts are processed as historic drafts": RuleRefNotLocal},
	"optional/dynamicRef.json": {
		"$dynamicRef skips over intermediate resources - pointer reference across resource boundary": RuleKeywordRefused,
	},
	"optional/format-assertion.json": {
		"schema that uses custom metaschema with format-assertion: false": RuleDialect,
		"schema that uses custom metaschema with format-assertion: true":  RuleDialect,
	},
	"optional/id.json": {"$id inside an enum is not a real identifier": RuleKeywordRefused},
	"optional/refOfUnknownKeyword.json": {
		"reference of a root arbitrary keyword ":                             RuleRefUnresolved,
		"reference of a root arbitrary keyword with encoded ref":             RuleRefUnresolved,
		"reference of an arbitrary keyword of a sub-schema":                  RuleRefUnresolved,
		"reference internals of known non-applicator":                        RuleRefUnresolved,
		"reference of an arbitrary keyword of a sub-schema with encoded ref": RuleRefUnresolved,
	},
	"optional/unknownKeyword.json": {"$id inside an unknown keyword is not a real identifier": RuleKeywordRefused},
}

// divergence is a file in which single tests disagree, on purpose or because
// the library under this package is not exact.
type divergence struct {
	lenient int // tests whose invalid instance passes
	strict  int // tests whose valid instance is refused
}

var divergences = map[string]divergence{
	// On purpose: formats are asserted, the suite takes them for annotations.
	"format.json": {strict: 17},
	// On purpose: dependencies is no keyword of 2020-12; there is a warning.
	"optional/dependencies-compatibility.json": {lenient: 14},
	// The library's checks of formats are approximations. Almost all of them
	// let too much pass, which a host's own check still finds.
	"optional/format/duration.json":      {lenient: 2},
	"optional/format/email.json":         {lenient: 1},
	"optional/format/hostname.json":      {lenient: 24},
	"optional/format/idn-email.json":     {lenient: 2},
	"optional/format/idn-hostname.json":  {lenient: 54},
	"optional/format/ipv4.json":          {lenient: 1},
	"optional/format/iri.json":           {strict: 1},
	"optional/format/uri.json":           {lenient: 10},
	"optional/format/uri-reference.json": {lenient: 4},
	"optional/format/uri-template.json":  {lenient: 7, strict: 4},
}

func TestOfficialSuite(t *testing.T) {
	t.Parallel()
	groups, tests := 0, 0
	for file, content := range corpus.Suite(t, "draft2020-12") {
		run := suiteFile{T: t, file: file, refused: map[string]bool{}}
		for _, group := range content {
			run.check(group)
			groups, tests = groups+1, tests+len(group.Tests)
		}
		run.checkExceptions()
	}
	t.Logf("%d groups, %d tests", groups, tests)
	if tests < 2_000 {
		t.Errorf("the suite has only %d tests; is it all there?", tests)
	}
}

// suiteFile collects what one file of the suite says.
type suiteFile struct {
	*testing.T
	file    string
	refused map[string]bool
	got     divergence
}

func (s *suiteFile) check(group corpus.SuiteGroup) {
	s.Helper()
	admitted, findings := Admit(parsed(s, string(group.Schema)))
	if admitted == nil {
		s.refused[group.Description] = true
		if want := refusedGroups[s.file][group.Description]; !hasError(findings, want) {
			s.Errorf("%s, %q is refused: %v; want %q", s.file, group.Description, findings, want)
		}
		return
	}
	validator, findings := admitted.Compile()
	if validator == nil {
		s.Errorf("%s, %q does not compile: %v", s.file, group.Description, findings)
		return
	}
	_, mayDiverge := divergences[s.file]
	for _, test := range group.Tests {
		findings := validator.Validate(parsed(s, string(test.Data)))
		if valid := len(findings) == 0; valid == test.Valid {
			continue
		}
		if test.Valid {
			s.got.strict++
		} else {
			s.got.lenient++
		}
		if !mayDiverge {
			s.Errorf("%s, %q, %q: valid is %t: %v", s.file, group.Description, test.Description, test.Valid, findings)
		}
	}
}

func (s *suiteFile) checkExceptions() {
	s.Helper()
	for description := range refusedGroups[s.file] {
		if !s.refused[description] {
			s.Errorf("%s, %q is in the table of refused groups and is not refused", s.file, description)
		}
	}
	if want, ok := divergences[s.file]; ok && s.got != want {
		s.Errorf("%s: %d tests are too lenient and %d too strict, and were %d and %d", s.file, s.got.lenient, s.got.strict, want.lenient, want.strict)
	}
}

func hasError(findings []finding.Finding, rule string) bool {
	for _, f := range findings {
		if f.Rule == rule && f.Severity == finding.Error {
			return true
		}
	}
	return false
}
