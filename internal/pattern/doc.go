// SPDX-License-Identifier: Apache-2.0

// Package pattern decides whether a text matches a JSON Schema pattern, with bounded work.
//
// A JSON Schema pattern is an ECMA-262 regular expression with the u flag that may match anywhere in the text. No Go
// library has just these semantics: Go's regexp differs silently (\s has no U+00A0, U+FEFF and \v, the dot takes \r and
// U+2028) and refuses look-around, and regexp2 accepts much that ECMA-262 refuses, such as (?i), \A, \- and a lone brace.
// So this package has its own parser, exact to the ECMA-262 grammar, and two engines behind it:
//
//   - A pattern without look-around and back-references is regular. It is translated to Go's regexp with every class and
//     anchor spelled out and runs in time linear in the text. Counts that Go's regexp refuses, such as {1,2000}, are
//     written as several repetitions.
//   - All others run on regexp2 with its ECMAScript and Unicode options, on texts of at most MaxBacktrackInput bytes.
//
// # What is refused
//
// A pattern that ECMA-262 allows is refused with a SyntaxError for two things only, both new in ES2025 and missing in
// most engines: inline flags such as (?i:a), and one group name in several alternatives.
//
// A CostError refuses a pattern that is too long, too deeply nested, or needs too large an automaton (see the Max
// constants), and a pattern for the backtracking engine that could take more than some 67 million steps on its longest
// text. The second is decided from the pattern alone, by these rules, all of which err on the side of refusal:
//
//   - A part that can read no text in two ways is cheap, whatever its repetitions: nothing is tried twice. This is decided
//     exactly, on an automaton. ^(?=.{1,253}$)(?:[a-z0-9-]{1,63}\.)+[a-z]+$ is such a pattern, since each dot ends an
//     iteration.
//   - Elsewhere the ways of the parts multiply. An open-ended repetition whose iterations can divide a text in two ways
//     is therefore refused, as in (a+)+(?=b), (a|a)*\1, (?:a|ab|b)+(?!c) and (?:\w+\s?)*(?!x), and so are too many
//     open-ended repetitions of one character in a row, as in ^(?=.*a*.*a*b).
//   - An iteration counts as ambiguous if the automaton gets large or the analysis long, and a group that can be empty
//     under a repetition is judged by the second rule.
//   - Without ^ at its start, a pattern is tried from every character, which multiplies its steps.
//
// A wall-clock limit is only a safety net against mistakes in these rules. When it ends a match, the MatchError says so.
//
// # Languages
//
// [Texts.Find] looks for a shortest text that matches some patterns and not others, by walking through all of them as
// deterministic automata within a bound on steps; [Within] asks it whether every text of one pattern is matched by another.
// Look-ahead right after ^ and look-behind at the $ of the end are conditions of their own there, since their place in the
// text is fixed. Other look-around and back-references stay undecided. [Pattern.Sample] writes texts of a pattern.
//
// [Pattern.Spelled], [Pattern.WholeText] and [Pattern.WithLength] write a pattern anew for engines that know less than
// ECMA-262 or compare it with the whole text, and [Pattern.Lengths] says how long the texts are that match.
//
// # Texts
//
// Texts are well-formed Unicode and are read by code points, so a lone surrogate in a pattern matches nothing. Unicode
// properties have the Unicode version of the Go toolchain (categories, scripts, most binary properties) and of regexp2
// (emoji, script extensions).
package pattern
