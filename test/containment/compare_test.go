// SPDX-License-Identifier: Apache-2.0

package containment

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// comparison is a pair that every tool is asked about: whether what the old
// schema admits is still admitted.
type comparison struct {
	ID       string          `json:"id"`
	Old      json.RawMessage `json:"old"`
	New      json.RawMessage `json:"new"`
	old, new *schema.Value
	// truth is the answer of the prover, where a witness was confirmed by the
	// second validator or the proof withstood the attack; Unknown otherwise.
	truth contain.Answer
	// open says that only members which the old schema does not declare stand
	// against it: some tools assume that nobody sends them.
	open bool
}

// answer is what one tool says of one pair.
type answer struct {
	Tool, ID, Error string
	Compatible      *bool
	Nanoseconds     int64
}

// BenchmarkComparers asks this project and the tools that people compare
// schemas with today about the same pairs, and prints who is wrong where. There
// are no figures of a tool that is not installed, and it says so.
func BenchmarkComparers(b *testing.B) {
	pairs := comparisons(b)
	answers := map[string][]answer{"toolcontract": ours(pairs)}
	var input bytes.Buffer
	for _, p := range pairs {
		line, err := json.Marshal(p)
		if err != nil {
			b.Fatal(err)
		}
		input.Write(append(line, '\n'))
	}
	for _, a := range theirs(b, input.Bytes()) {
		answers[a.Tool] = append(answers[a.Tool], a)
	}
	byID := map[string]comparison{}
	for _, p := range pairs {
		byID[p.ID] = p
	}
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "tool\tpairs\tread\tµs median\tµs p99\twrong: unsafe\tof these open\twrong: strict\tno answer\t")
	for _, tool := range []string{"toolcontract", "json-schema-diff", "json-schema-diff-validator", "oasdiff"} {
		if len(answers[tool]) > 0 {
			count(answers[tool], byID).report(b, w, tool, len(pairs))
		}
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	b.Log("\n" + table.String())
	for range b.N { // measured already, per pair
	}
}

// score is what came of all answers of a tool.
type score struct {
	read, unsafe, open, strict, unanswered int
	times                                  []int64
	examples                               []string
}

func count(answers []answer, pairs map[string]comparison) *score {
	var s score
	for _, a := range answers {
		if a.Compatible == nil {
			if a.Error == "" {
				s.read++
				s.times = append(s.times, a.Nanoseconds)
				s.unanswered++
			}
			continue
		}
		s.read++
		s.times = append(s.times, a.Nanoseconds)
		switch {
		case *a.Compatible && pairs[a.ID].truth == contain.Refuted:
			s.unsafe++
			if pairs[a.ID].open {
				s.open++
			} else {
				s.examples = append(s.examples, a.ID)
			}
		case !*a.Compatible && pairs[a.ID].truth == contain.Proven:
			s.strict++
		}
	}
	slices.Sort(s.times)
	return &s
}

func (s *score) report(b *testing.B, w *tabwriter.Writer, tool string, pairs int) {
	b.Helper()
	var median, p99 float64
	if n := len(s.times); n > 0 {
		median, p99 = float64(s.times[n/2])/1000, float64(s.times[n*99/100])/1000
	}
	fmt.Fprintf(w, "%s\t%d\t%d\t%.0f\t%.0f\t%d\t%d\t%d\t%d\t\n", tool, pairs, s.read, median, p99, s.unsafe, s.open, s.strict, s.unanswered)
	if len(s.examples) > 0 {
		b.Logf("%s says compatible of %d pairs with a witness of declared members against it, such as %s", tool, s.unsafe-s.open, strings.Join(s.examples[:min(6, len(s.examples))], "; "))
	}
}

// comparisons are the changed input schemas of real tools, and the pairs of
// both sets that others find hard, in both directions.
func comparisons(b *testing.B) []comparison {
	b.Helper()
	var out []comparison
	seen := map[string]bool{}
	add := func(id string, old, next json.RawMessage) {
		x, y := dialectless(old), dialectless(next)
		if x == nil || y == nil || x.Equal(y) || seen[x.JSON()+y.JSON()] {
			return
		}
		s, okX := admit(x)
		t, okY := admit(y)
		if !okX || !okY {
			return
		}
		seen[x.JSON()+y.JSON()] = true
		c := comparison{ID: id, Old: json.RawMessage(x.JSON()), New: json.RawMessage(y.JSON()), old: x, new: y}
		r := contain.Contains(s, t)
		switch {
		case r.Answer == contain.Proven:
			c.truth = contain.Proven
		case r.Answer == contain.Refuted && r.Witness != nil:
			if wrong, doubt := confirm(s, t, r.Witness); wrong == "" && doubt == "" {
				c.truth = contain.Refuted
				c.open = contain.Contains(s.Closed(), t).Answer == contain.Proven
			}
		}
		out = append(out, c)
	}
	n := 0
	for change := range corpus.Changes(b) {
		if n++; change.Old != nil && change.New != nil {
			add(fmt.Sprintf("%s %s (%d)", change.Source, change.Tool, n), change.Old.InputSchema, change.New.InputSchema)
		}
	}
	for _, p := range traps(b) {
		add(p.Name, p.Old, p.New)
		add(p.Name+", back", p.New, p.Old)
	}
	for _, p := range fixtures(b) {
		add(p.Name, p.Old, p.New)
		add(p.Name+", back", p.New, p.Old)
	}
	return out
}

// dialectless drops $schema: what real tools use of draft-07 means the same in
// 2020-12.
func dialectless(text []byte) *schema.Value {
	v, failed := schema.Parse(text)
	if failed != nil {
		return nil
	}
	if v.Kind() == schema.Object {
		v = v.Without("$schema")
	}
	return v
}

// ours takes the time from parsed documents to the answer: admission, both
// validators, the decision and the attack on a proof.
func ours(pairs []comparison) []answer {
	const rounds = 3
	out := make([]answer, len(pairs))
	for i, p := range pairs {
		best := time.Hour
		var r contain.Result
		for range rounds {
			begin := time.Now()
			a, _ := schema.Admit(p.old)
			b, _ := schema.Admit(p.new)
			r = contain.Contains(a, b)
			best = min(best, time.Since(begin))
		}
		out[i] = answer{Tool: "toolcontract", ID: p.ID, Nanoseconds: best.Nanoseconds()}
		if r.Answer != contain.Unknown {
			compatible := r.Answer == contain.Proven
			out[i].Compatible = &compatible
		}
	}
	return out
}

// theirs runs the other tools once over all pairs.
func theirs(b *testing.B, input []byte) []answer {
	b.Helper()
	var out []answer
	run := func(folder string, command ...string) {
		c := exec.CommandContext(b.Context(), command[0], command[1:]...)
		c.Dir, c.Stdin = folder, bytes.NewReader(input)
		var stdout, stderr bytes.Buffer
		c.Stdout, c.Stderr = &stdout, &stderr
		if err := c.Run(); err != nil {
			b.Logf("%s in %s: %v: %s", command[0], folder, err, stderr.String())
			return
		}
		lines := bufio.NewScanner(&stdout)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			var a answer
			if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
				b.Fatalf("%s: %v", lines.Bytes(), err)
			}
			out = append(out, a)
		}
	}
	run("oasdiff", "go", "run", ".")
	if _, err := exec.LookPath("node"); err != nil {
		b.Log("there is no Node.js here: nothing is known of the tools from npm")
	} else if _, err := os.Stat("npm/node_modules"); err != nil {
		b.Log("the tools from npm are not installed: run npm ci in test/containment/npm (make bench does)")
	} else {
		run("npm", "node", "compare.mjs")
	}
	return out
}
