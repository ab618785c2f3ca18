// SPDX-License-Identifier: Apache-2.0

// Command passrates prints how many real tools each profile takes: as they
// are, and adapted up to each effect, in standard and in strict mode. It reads
// tools as JSON Lines, one MCP tool a line, and prints one table for each group
// of files or folders:
//
//	go run ./hack/passrates [-reasons 3] [NAME=]PATH[,PATH...] ...
//
// The rates are about schemas; names that an API does not take are a column of
// their own.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

func main() {
	reasons := flag.Int("reasons", 3, "`number` of reasons per profile why a tool is not strict at Reshape")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "passrates: name the files or folders with tools")
		os.Exit(2)
	}
	for _, group := range flag.Args() {
		name, paths, named := strings.Cut(group, "=")
		if !named {
			name, paths = group, group
		}
		tools, err := read(strings.Split(paths, ","))
		if err != nil {
			fmt.Fprintln(os.Stderr, "passrates:", err)
			os.Exit(1)
		}
		fmt.Printf("%s: ", name)
		table(tools, *reasons)
	}
}

// tool is one tool; a schema that is not admitted passes nowhere.
type tool struct {
	name, description string
	input             *schema.Schema
}

func read(paths []string) ([]tool, error) {
	var out []tool
	for _, path := range paths {
		err := filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(file) != ".jsonl" {
				return err
			}
			tools, err := readFile(file)
			out = append(out, tools...)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", path, err)
		}
	}
	return out, nil
}

func readFile(path string) ([]tool, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var out []tool
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		var line struct {
			Name, Description string
			InputSchema       json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, n, err)
		}
		t := tool{name: line.Name, description: line.Description}
		if value, failed := schema.Parse(line.InputSchema); failed == nil {
			// The mark of the dialect is the importer's business.
			t.input, _ = schema.Admit(value.Without("$schema"))
		}
		out = append(out, t)
	}
	return out, lines.Err()
}

var effects = []adapt.Effect{adapt.Keep, adapt.Narrow, adapt.Reshape, adapt.Widen}

// row is what one profile makes of all tools.
type row struct {
	profile               *provider.Profile
	named, asIs, asStrict int
	standard              [4]int
	strict                [4]int
	refused               map[string]int // strict at Reshape, by rule and keyword
}

func table(tools []tool, reasons int) {
	admitted := 0
	for _, t := range tools {
		if t.input != nil {
			admitted++
		}
	}
	fmt.Printf("%d tools, of which %d have a schema that is admitted\n\n", len(tools), admitted)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "profile\tname\tas is\tKeep\tNarrow\tReshape\tWiden\tstrict as is\tKeep\tNarrow\tReshape\tWiden\t")
	rows := judge(tools)
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t", r.profile.Name, share(r.named, len(tools)), share(r.asIs, len(tools)))
		for _, n := range r.standard {
			fmt.Fprintf(w, "%s\t", share(n, len(tools)))
		}
		if r.profile.Strict.Place == provider.NoStrict {
			fmt.Fprint(w, "-\t-\t-\t-\t-\t")
		} else {
			fmt.Fprintf(w, "%s\t", share(r.asStrict, len(tools)))
			for _, n := range r.strict {
				fmt.Fprintf(w, "%s\t", share(n, len(tools)))
			}
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	defer fmt.Println()
	fmt.Println("\nWhy tools are not strict at Reshape (a tool may have several reasons):")
	for _, r := range rows {
		if r.profile.Strict.Place != provider.NoStrict {
			fmt.Printf("  %-32s %s\n", r.profile.Name, r.top(reasons))
		}
	}
}

func share(n, of int) string { return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(of)) }

func (r *row) top(n int) string {
	names := slices.Collect(maps.Keys(r.refused))
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(r.refused[b], r.refused[a]), cmp.Compare(a, b))
	})
	var out []string
	for _, name := range names[:min(n, len(names))] {
		out = append(out, fmt.Sprintf("%s %d", name, r.refused[name]))
	}
	return strings.Join(out, ", ")
}

// judge fills one row per profile, some at a time.
func judge(tools []tool) []*row {
	names := provider.Builtin().Names()
	rows := make([]*row, len(names))
	var group sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, name := range names {
		p, _ := provider.Builtin().Lookup(name)
		rows[i] = &row{profile: p, refused: map[string]int{}}
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			for _, t := range tools {
				rows[i].add(t)
			}
		})
	}
	group.Wait()
	return rows
}

func (r *row) add(t tool) {
	p := r.profile
	count := func(n *int, taken bool) {
		if taken {
			*n++
		}
	}
	count(&r.named, !finding.HasErrors(p.CheckTool(t.name, t.description)))
	if t.input == nil {
		return
	}
	count(&r.asIs, !finding.HasErrors(p.CheckSchema(t.input, provider.Standard)))
	for i, most := range effects {
		result := adapt.Schema(t.input, p, provider.Standard, most)
		count(&r.standard[i], result.Schema != nil && !finding.HasErrors(result.Findings))
	}
	if p.Strict.Place == provider.NoStrict {
		return
	}
	count(&r.asStrict, !finding.HasErrors(p.CheckSchema(t.input, provider.Strict)))
	for i, most := range effects {
		result := adapt.Schema(t.input, p, provider.Strict, most)
		count(&r.strict[i], result.Schema != nil && !finding.HasErrors(result.Findings))
		if most == adapt.Reshape {
			seen := map[string]bool{}
			for _, f := range finding.Errors(result.Findings) {
				reason := strings.TrimSpace(f.Rule + " " + f.Keyword)
				if !seen[reason] {
					seen[reason] = true
					r.refused[reason]++
				}
			}
		}
	}
}
