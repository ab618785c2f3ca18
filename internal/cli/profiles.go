// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/render"
)

const profilesUsage = `List the provider profiles, or explain one: for which models it speaks, what names and
sizes the API takes, and what becomes of each keyword of JSON Schema in strict and in
standard mode, each fact with its confidence and its sources.

Usage:
  {command} profiles [NAME] [-o text|json] [--profile-dir DIR]

What the API does with a keyword is one of

  Enforced  what the model writes obeys it
  Accepted  it is taken and shown to the model, and not enforced
  Rejected  the whole request fails
  Dropped   it is ignored without a word
  Unknown   nobody could tell; it counts as Rejected in strict mode

Of several cases the first whose condition holds decides.

Flags:
  -o, --output text|json
                    text is for people (default); json has everything
      --profile-dir DIR
                    also know the profiles in DIR: profile files <name>.yaml, or
                    manifests of ProviderProfiles
  -h, --help        print this text

Exit code: 0; 2 bad usage, or a profile that cannot be read.

Examples:
  {command} profiles
  {command} profiles openai-responses
  {command} profiles gemini-json-schema -o json | jq '.keywords.pattern.strict'
`

func (p *Program) listProfiles(arguments []string) int {
	f := p.flags("profiles")
	output := f.StringP("output", "o", "text", "")
	dir := profileDirFlag(f)
	if code, done := p.parse(f, profilesUsage, arguments); done {
		return code
	}
	if code, done := p.loadProfiles(f, *dir); done {
		return code
	}
	isJSON := *output == "json"
	switch {
	case !isJSON && *output != "text":
		return p.badUsage(f, "there is no output format %q; write text or json", *output)
	case f.NArg() > 1:
		return p.badUsage(f, "name one profile, or none for the list")
	case f.NArg() == 0 && isJSON:
		p.writeJSON(profileList{p.summaries()})
	case f.NArg() == 0:
		p.writeSummaries()
	default:
		profile, ok := p.profiles.Lookup(f.Arg(0))
		if !ok {
			return p.badUsage(f, "there is no profile %s; there are %s", finding.Quote(f.Arg(0)), strings.Join(p.profiles.Names(), ", "))
		}
		if isJSON {
			p.writeJSON(p.explain(profile))
		} else {
			p.writeExplanation(profile)
		}
	}
	return exitOK
}

// profileList is the JSON output of the list. Members are only added to it.
type profileList struct {
	Profiles []profileSummary `json:"profiles"`
}

// profileSummary is a profile in a list.
type profileSummary struct {
	Name        string               `json:"name"`
	Title       string               `json:"title"`
	Provider    string               `json:"provider"`
	API         string               `json:"api"`
	WireFormat  string               `json:"wireFormat"`
	Renderer    int                  `json:"renderer"` // version of the wire format's renderer
	StrictPlace provider.StrictPlace `json:"strictPlace"`
	Revision    int                  `json:"revision"`
	Digest      string               `json:"digest"`
	Reviewed    string               `json:"reviewed"`
	AgeDays     int                  `json:"ageDays"`
}

func (p *Program) summary(profile *provider.Profile) profileSummary {
	days, _ := p.age(profile)
	return profileSummary{
		Name: profile.Name, Title: profile.Title, Provider: profile.Provider, API: profile.API,
		WireFormat: profile.WireFormat, Renderer: render.Version(profile.WireFormat), StrictPlace: profile.Strict.Place,
		Revision: profile.Revision, Digest: profile.Digest(), Reviewed: profile.Reviewed, AgeDays: days,
	}
}

func (p *Program) summaries() []profileSummary {
	out := []profileSummary{}
	for _, profile := range p.used(p.profiles.Names()) {
		out = append(out, p.summary(profile))
	}
	return out
}

func (p *Program) writeSummaries() {
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tTITLE\tWIRE FORMAT\tSTRICT\tREVIEWED\tAGE")
	for _, s := range p.summaries() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", s.Name, finding.Printable(s.Title), s.WireFormat, s.StrictPlace, s.Reviewed, plural(s.AgeDays, "day"))
	}
	_ = w.Flush() // the writer below is buffered and reports its error when flushed
}

func (p *Program) writeJSON(v any) {
	encoder := json.NewEncoder(p.out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(v) //nolint:errchkjson // it holds facts that were read from text; the writer is buffered and reports its error when flushed
}
