// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/decode"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/contracts"
	"github.com/toolcontract/operator/internal/testkit/corpus"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// sample is how many real tools run without TOOLCONTRACT_SOAK.
const sample = 300

// tool is an author's schema with a name for messages.
type tool struct {
	name   string
	schema *schema.Schema
}

// ownTools are the project's own contracts.
func ownTools(t *testing.T) []tool {
	t.Helper()
	var out []tool
	for _, c := range contracts.All(t) {
		var value *schema.Value
		var failed *finding.Finding
		if c.Spec.Input.Schema != nil {
			value, failed = schema.FromObject(c.Spec.Input.Schema.Raw)
		} else {
			value, failed = schema.Parse([]byte(c.Spec.Input.SchemaText))
		}
		if failed != nil {
			continue
		}
		if s, _ := schema.Admit(value); s != nil {
			out = append(out, tool{c.Name, s})
		}
	}
	return out
}

// realTools are the tools of the corpus, each schema once: a sample at equal
// distances, or all of them.
func realTools(t *testing.T) []tool {
	t.Helper()
	var all []tool
	seen := map[string]bool{}
	for _, path := range corpus.ToolFiles(t) {
		n := 0
		for line := range corpus.Lines[corpus.Tool](t, path) {
			n++
			value, failed := schema.Parse(line.InputSchema)
			if failed != nil {
				continue
			}
			if s, _ := schema.Admit(value); s != nil && !seen[s.Digest()] {
				seen[s.Digest()] = true
				all = append(all, tool{fmt.Sprintf("%s:%d", filepath.Base(path), n), s})
			}
		}
	}
	if soaking() || len(all) <= sample {
		return all
	}
	out := make([]tool, sample)
	for i := range out {
		out[i] = all[i*len(all)/sample]
	}
	return out
}

func soaking() bool { return os.Getenv("TOOLCONTRACT_SOAK") != "" }

func TestOwnContractsAreNeverWidened(t *testing.T) {
	t.Parallel()
	prove(t, ownTools(t))
}

func TestRealToolsAreNeverWidened(t *testing.T) {
	t.Parallel()
	prove(t, realTools(t))
}

// tally counts how the promise was judged.
type tally struct {
	sync.Mutex
	renderings, same, proven, attacked, decoded, said, dropped, values int
}

func prove(t *testing.T, tools []tool) {
	t.Helper()
	var counts tally
	var group sync.WaitGroup
	work := make(chan tool)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for w := range work {
				counts.tool(t, w)
			}
		})
	}
	for _, w := range tools {
		work <- w
	}
	close(work)
	group.Wait()
	t.Logf("%d tools: %d distinct renderings, of which %d admit the same schema, %d are proven contained, %d were attacked with values, "+
		"%d with values that are decoded, %d say Widen, %d are of profiles that drop a constraint and say so; %d values in all",
		len(tools), counts.renderings, counts.same, counts.proven, counts.attacked, counts.decoded, counts.said, counts.dropped, counts.values)
	if counts.proven == 0 || counts.decoded == 0 || counts.values == 0 {
		t.Error("nothing was proven, or nothing attacked")
	}
}

// tool judges every rendering of one tool, each distinct pair of schemas once.
func (c *tally) tool(t *testing.T, author tool) {
	done := map[string]bool{}
	for _, name := range provider.Builtin().Names() {
		p, _ := provider.Builtin().Lookup(name)
		for _, policy := range []adapt.Strict{adapt.Preferred, adapt.Disabled} {
			for _, most := range []adapt.Effect{adapt.Keep, adapt.Narrow, adapt.Reshape, adapt.Widen} {
				target := adapt.ForTarget(author.schema, p, policy, nil, most)
				if !target.Compatible() {
					continue
				}
				mode := provider.Standard
				if target.Given {
					mode = provider.Strict
				}
				effective, losses := p.EffectiveSchema(target.Schema, mode)
				var rule string
				if target.Decode != nil {
					rule = target.Decode.Value().JSON()
				}
				key := effective.Digest() + rule
				if done[key] {
					continue
				}
				done[key] = true
				c.rendering(t, fmt.Sprintf("%s for %s, %s, up to %s", author.name, name, mode, most), author.schema, target, effective, losses)
			}
		}
	}
}

func (c *tally) count(n *int, by int) {
	c.Lock()
	defer c.Unlock()
	*n += by
}

func (c *tally) rendering(t *testing.T, name string, author *schema.Schema, target adapt.Target, root *schema.Value, losses []provider.Loss) {
	c.count(&c.renderings, 1)
	if root == author.Root() {
		c.count(&c.same, 1)
		return
	}
	effective, findings := schema.Admit(root)
	if effective == nil {
		t.Errorf("%s: the effective schema is not admitted: %v", name, findings)
		return
	}
	for which, s := range map[string]*schema.Schema{"rendered": target.Schema, "effective": effective} {
		if _, invalid := author.Compile(); len(invalid) > 0 {
			break // what is not valid before need not be after
		}
		if _, invalid := s.Compile(); len(invalid) > 0 {
			t.Errorf("%s: the %s schema is not valid: %v\n%s", name, which, invalid, finding.Clip(s.Root().JSON(), 2000))
			return
		}
	}
	widens := slices.ContainsFunc(target.Rewrites, func(r adapt.Rewrite) bool { return r.Effect == adapt.Widen })
	switch {
	case widens:
		c.count(&c.said, 1)
		return
	case len(losses) > 0:
		c.count(&c.dropped, 1)
		checkLosses(t, name, target, losses)
		return // what is gone is known; the rest is that of other profiles
	case target.Decode != nil:
		c.count(&c.decoded, 1)
	default:
		switch answer := contain.Contains(effective, author); answer.Answer {
		case contain.Proven:
			c.count(&c.proven, 1)
			return
		case contain.Refuted:
			t.Errorf("%s admits %s, which the author's schema refuses\nauthor    %s\neffective %s\nrewrites  %v", name,
				finding.Clip(answer.Witness.JSON(), 300), finding.Clip(author.Root().JSON(), 2000), finding.Clip(root.JSON(), 2000), target.Rewrites)
			return
		case contain.Unknown:
		}
		c.count(&c.attacked, 1)
	}
	c.attack(t, name, author, target, effective)
}

// checkLosses: each constraint that an API drops is a finding.
func checkLosses(t *testing.T, name string, target adapt.Target, losses []provider.Loss) {
	t.Helper()
	for _, l := range losses {
		told := slices.ContainsFunc(target.Findings, func(f finding.Finding) bool {
			return f.Keyword == l.Keyword
		})
		if !told {
			t.Errorf("%s loses %s at %s and no finding says so: %v", name, l.Keyword, l.Pointer, target.Findings)
		}
	}
}

// attack makes values for the effective schema; decoded, the author's schema
// must admit each of them.
func (c *tally) attack(t *testing.T, name string, author *schema.Schema, target adapt.Target, effective *schema.Schema) {
	judge, invalid := author.Compile()
	if len(invalid) > 0 {
		return
	}
	values := schematest.NewInstances(effective, 1).Valid(12, 60)
	c.count(&c.values, len(values))
	for _, written := range values {
		value, err := target.Decode.Apply(written)
		var failed *decode.Error
		if errors.As(err, &failed) && failed.Problem == decode.RepeatedKey {
			continue // the host refuses it
		}
		if err != nil {
			t.Errorf("%s admits %s, which cannot be decoded: %v", name, written.JSON(), err)
			continue
		}
		if ok, err := judge.Accepts(value); err == nil && !ok {
			t.Errorf("%s admits %s, decoded %s, which the author's schema refuses\nauthor    %s\neffective %s\nrewrites  %v", name,
				finding.Clip(written.JSON(), 300), finding.Clip(value.JSON(), 300), finding.Clip(author.Root().JSON(), 2000),
				finding.Clip(effective.Root().JSON(), 2000), strings.Fields(fmt.Sprint(target.Rewrites)))
		}
	}
}
