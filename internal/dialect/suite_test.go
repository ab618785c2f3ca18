// SPDX-License-Identifier: Apache-2.0

package dialect_test

import (
	"os"
	"slices"
	"testing"

	"github.com/toolcontract/operator/internal/dialect"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// The official suites of the older dialects, with their optional parts. A group
// is either refused, by the conversion and for the reason that the table below
// is about, or every test of it has the verdict of the suite after conversion,
// from the sealed validator. What is in neither is a failure, and so is an
// exception that no longer occurs.

// folders are the suites with the dialect of each. A checkout of the suite may
// have some of them only; that of draft-07 must be there.
var folders = map[string]string{"draft4": "draft-04", "draft6": "draft-06", "draft7": "draft-07", "draft2019-09": "2019-09"}

// refused are the groups of draft-07 that need another document, by file.
var refused = map[string][]string{
	"definitions.json":          {"validate definition against metaschema"},
	"optional/cross-draft.json": {"refs to future drafts are processed as future drafts"},
	"ref.json":                  {"remote ref, containing refs itself"},
	"refRemote.json": {
		"remote ref", "fragment within remote ref", "ref within remote ref", "base URI change", "base URI change - change folder",
		"base URI change - change folder in subschema", "root ref in remote ref", "remote ref with ref to definitions",
		"Location-independent identifier in remote ref", "retrieved nested refs resolve relative to their URI not $id",
		"$ref to $ref finds location-independent $id",
	},
}

// divergences are the files in which single tests disagree, for reasons that
// are not the conversion's: how many invalid instances pass, and how many valid
// ones are refused.
var divergences = map[string][2]int{
	"optional/content.json": {4, 0}, // content* are annotations, as in 2020-12
	// The library's checks of formats are approximations, the same for all dialects.
	"optional/format/email.json":         {1, 0},
	"optional/format/hostname.json":      {24, 0},
	"optional/format/idn-email.json":     {2, 0},
	"optional/format/idn-hostname.json":  {54, 0},
	"optional/format/ipv4.json":          {1, 0},
	"optional/format/iri.json":           {0, 1},
	"optional/format/uri-reference.json": {4, 0},
	"optional/format/uri-template.json":  {7, 4},
	"optional/format/uri.json":           {10, 0},
}

func TestOfficialSuites(t *testing.T) {
	t.Parallel()
	for folder, name := range folders {
		if _, err := os.Stat(corpus.Path(t, "schemas/json-schema-test-suite/tests", folder)); err != nil && folder != "draft7" {
			t.Logf("the suite has no %s", folder)
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := suite{T: t, dialect: name}
			for file, groups := range corpus.Suite(t, folder) {
				s.file(file, groups)
			}
			t.Logf("%d groups, of which %d are refused; %d tests, of which %d differ", s.groups, s.refused, s.tests, s.different)
			if folder == "draft7" && s.tests < 1_400 {
				t.Errorf("the suite has only %d tests; is it all there?", s.tests)
			}
		})
	}
}

// suite counts what one suite says.
type suite struct {
	*testing.T
	dialect                           string
	groups, refused, tests, different int
}

func (s *suite) file(file string, groups []corpus.SuiteGroup) {
	s.Helper()
	var got []string
	var wrong [2]int
	for _, group := range groups {
		s.groups++
		validator := s.convert(file, group)
		if validator == nil {
			got = append(got, group.Description)
			s.refused++
			continue
		}
		for _, test := range group.Tests {
			s.tests++
			valid, err := validator.Accepts(parsed(s, test.Data))
			if err != nil || valid != test.Valid {
				s.different++
				wrong[index(test.Valid)]++
				if divergences[file] == [2]int{} {
					s.Errorf("%s, %q, %q: valid is %t (%v)", file, group.Description, test.Description, valid, err)
				}
			}
		}
	}
	if !slices.Equal(got, refused[file]) {
		s.Errorf("%s: the refused groups are %q, want %q", file, got, refused[file])
	}
	if wrong != divergences[file] {
		s.Errorf("%s: %d tests are too lenient and %d too strict, want %v", file, wrong[0], wrong[1], divergences[file])
	}
}

func index(strict bool) int {
	if strict {
		return 1
	}
	return 0
}

// convert returns nil for a group that the conversion refuses, for the only
// reason that the suite gives to refuse one. What it converts must compile.
func (s *suite) convert(file string, group corpus.SuiteGroup) *schema.Validator {
	s.Helper()
	converted, findings := dialect.Convert(parsed(s, group.Schema), s.dialect)
	if converted == nil {
		if f := findings[0]; f.Rule != dialect.RuleInexact || f.Keyword != "$ref" {
			s.Errorf("%s, %q is refused: %v", file, group.Description, findings)
		}
		return nil
	}
	admitted, findings := schema.Admit(converted)
	if admitted == nil {
		s.Fatalf("%s, %q: %s is not admitted: %v", file, group.Description, converted.JSON(), finding.Errors(findings))
	}
	validator, findings := admitted.Compile()
	if validator == nil {
		s.Fatalf("%s, %q: %s does not compile: %v", file, group.Description, converted.JSON(), findings)
	}
	return validator
}

func parsed(t testing.TB, text []byte) *schema.Value {
	t.Helper()
	v, failed := schema.Parse(text)
	if failed != nil {
		t.Fatalf("%s: %v", text, failed)
	}
	return v
}
