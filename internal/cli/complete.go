// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
)

// completeCommand is what the scripts of shells, and kubectl for a plugin, ask for
// the words that can follow. It is in no list: people do not type it.
const completeCommand = "__complete"

// What a shell does beside the words that it is given. The numbers are those of the
// protocol of the library Cobra, which kubectl and the scripts speak.
const (
	shellFiles = 0
	shellNone  = 4
	shellDirs  = 16
)

// word is something that can follow, and what it means.
type word struct{ text, meaning string }

// complete writes the words that can stand in place of the last argument, each with
// its meaning behind a tab, and then what else the shell may offer.
func (p *Program) complete(arguments []string) int {
	if len(arguments) == 0 {
		arguments = []string{""}
	}
	arguments, kept := rejoined(arguments)
	current := arguments[len(arguments)-1]
	words, shell := p.words(arguments[:len(arguments)-1], current)
	for _, w := range words {
		rest, ok := strings.CutPrefix(w.text, kept)
		if !ok || !strings.HasPrefix(w.text, current) {
			continue
		}
		rest = finding.Printable(rest)
		if w.meaning != "" {
			rest += "\t" + finding.Printable(w.meaning)
		}
		fmt.Fprintln(p.out, rest)
	}
	fmt.Fprintf(p.out, ":%d\n", shell)
	return exitOK
}

// rejoined puts words together that Bash parts at = and at a colon. Kept is the
// start of the last word that Bash keeps, so that it is not written again.
func rejoined(arguments []string) (words []string, kept string) {
	isBreak := func(s string) bool { return s == "=" || s == ":" }
	for i, a := range arguments {
		last := len(words) - 1
		switch {
		case last < 0 || !isBreak(a) && !isBreak(arguments[i-1]) || isBreak(a) && words[last] == "":
			words, kept = append(words, a), ""
		case isBreak(a):
			words[last] += a
			kept = words[last]
		default:
			kept = words[last]
			words[last] += a
		}
	}
	return words, kept
}

// words are those that can follow, whatever is typed of the next one.
func (p *Program) words(before []string, current string) (words []word, shell int) {
	if len(before) == 0 || len(before) == 1 && before[0] == helpCommand {
		return commandWords(), shellNone
	}
	at := slices.IndexFunc(commands(), func(c command) bool { return c.name == before[0] })
	if at < 0 {
		return nil, shellNone
	}
	c := commands()[at]
	flags := p.flagsOf(c)
	if name, _, ok := strings.Cut(current, "="); ok && strings.HasPrefix(name, "--") {
		words, shell = p.values(c, strings.TrimPrefix(name, "--"), strings.TrimPrefix(current, name+"="))
		for i := range words {
			words[i].text = name + "=" + words[i].text
		}
		return words, shell
	}
	if f := flagOf(flags, before[len(before)-1]); len(before) > 1 && f != nil && f.NoOptDefVal == "" {
		return p.values(c, f.Name, current)
	}
	if strings.HasPrefix(current, "-") {
		flags.VisitAll(func(f *pflag.Flag) { words = append(words, word{"--" + f.Name, ""}) })
		return append(words, word{"--help", ""}), shellNone
	}
	switch c.name {
	case "profiles":
		return p.profileWords(), shellNone
	case "completion":
		for _, s := range shells {
			words = append(words, word{s.name, s.meaning})
		}
		return words, shellNone
	case "version", "status", "freeze":
		return nil, shellNone
	}
	return nil, shellFiles
}

func commandWords() []word {
	var out []word
	for _, c := range commands() {
		out = append(out, word{c.name, c.summary})
	}
	return append(out, word{helpCommand, "explain a command"})
}

// flagsOf are the flags of a command, which is run as far as it has declared them.
func (p *Program) flagsOf(c command) *pflag.FlagSet {
	asked := *p
	var out *pflag.FlagSet
	asked.declared = func(f *pflag.FlagSet) { out = f }
	c.run(&asked, nil)
	return out
}

// flagOf is the flag that a word names and does not give a value.
func flagOf(flags *pflag.FlagSet, typed string) *pflag.Flag {
	if name, ok := strings.CutPrefix(typed, "--"); ok {
		return flags.Lookup(name)
	}
	if name, ok := strings.CutPrefix(typed, "-"); ok && len(name) == 1 {
		return flags.ShorthandLookup(name)
	}
	return nil
}

// values are the values of a flag, as its help names them.
func (p *Program) values(c command, flag, current string) (words []word, shell int) {
	if flag == colourFlag {
		return []word{{colourAuto, ""}, {colourAlways, ""}, {colourNever, ""}}, shellNone
	}
	m := regexp.MustCompile(`(?m)^ +(?:-\w, )?--` + regexp.QuoteMeta(flag) + ` (\S+)`).FindStringSubmatch(c.usage)
	switch {
	case m == nil:
		return nil, shellNone
	case strings.HasPrefix(m[1], "NAME[:STRICT"):
		return p.targetWords(current), shellNone
	case strings.Contains(m[1], "DIR"):
		return nil, shellDirs
	case strings.Contains(m[1], "FILE"):
		return nil, shellFiles
	case strings.Contains(m[1], "|"):
		for text := range strings.SplitSeq(m[1], "|") {
			if text == strings.ToLower(text) {
				words = append(words, word{text, ""})
			}
		}
	}
	return words, shellNone
}

func (p *Program) profileWords() []word {
	var out []word
	for _, name := range p.profiles.Names() {
		profile, _ := p.profiles.Lookup(name)
		out = append(out, word{name, profile.Title})
	}
	return out
}

// targetWords are profiles, and after a colon the words that may follow.
func (p *Program) targetWords(current string) []word {
	parts := strings.Split(current, ":")
	var out []word
	base := strings.Join(parts[:len(parts)-1], ":") + ":"
	switch len(parts) {
	case 1:
		return p.profileWords()
	case 2:
		for _, s := range []v1alpha1.StrictPolicy{v1alpha1.StrictRequired, v1alpha1.StrictPreferred, v1alpha1.StrictDisabled} {
			out = append(out, word{base + string(s), ""})
		}
	case 3:
		for _, e := range []v1alpha1.Effect{v1alpha1.EffectKeep, v1alpha1.EffectNarrow, v1alpha1.EffectReshape, v1alpha1.EffectWiden} {
			out = append(out, word{base + string(e), ""})
		}
	}
	return out
}
