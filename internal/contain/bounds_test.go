// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/toolcontract/operator/internal/schema"
)

// repeat writes n numbered texts, separated by commas.
func repeat(n int, form string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(form, i)
	}
	return strings.Join(parts, ",")
}

// hostile pairs are built to make a comparison explode. They are near the
// limits of admission and differ where nothing can be decided cheaply.
var hostile = []struct{ name, a, b string }{
	{
		"many alternatives on both sides",
		`{"anyOf":[` + repeat(150, `{"type":"object","properties":{"a":{"minLength":%d},"b":{"maximum":3}}}`) + `]}`,
		`{"anyOf":[` + repeat(150, `{"type":"object","properties":{"a":{"minLength":%d},"b":{"maximum":2}}}`) + `]}`,
	},
	{
		"alternatives that refer to all of themselves",
		`{"$ref":"#/$defs/t","$defs":{"t":{"anyOf":[` + repeat(600, `{"type":"object","properties":{"k%d":{"$ref":"#/$defs/t"}}}`) + `]}}}`,
		`{"$ref":"#/$defs/t","$defs":{"t":{"anyOf":[` + repeat(600, `{"type":"object","properties":{"k%d":{"$ref":"#/$defs/t"}},"maxProperties":3}`) + `]}}}`,
	},
	{
		"a wide closed object",
		`{"type":"object","properties":{` + repeat(2000, `"p%d":{"type":"integer"}`) + `},"required":[` + repeat(2000, `"p%d"`) + `]}`,
		`{"type":"object","properties":{` + repeat(2000, `"p%d":{"type":"number"}`) + `},"required":[` + repeat(2000, `"p%d"`) + `],"maxProperties":1999}`,
	},
	{
		"a long list of values",
		`{"enum":[` + repeat(9000, `"v%d"`) + `]}`,
		`{"type":"string","pattern":"^v[0-9]*[1-9]$"}`,
	},
	{
		"a deep chain",
		strings.Repeat(`{"properties":{"a":`, 60) + `{"type":"string"}` + strings.Repeat(`}}`, 60),
		strings.Repeat(`{"properties":{"a":`, 60) + `{"type":"integer"}` + strings.Repeat(`}}`, 60),
	},
	{
		"doubling references",
		`{"$ref":"#/$defs/d0","$defs":{` + repeat(11, `"d%[1]d":{"type":"object","properties":{"a":{"$ref":"#/$defs/e%[1]d"},"b":{"$ref":"#/$defs/e%[1]d"}}}`) + `,` +
			repeat(11, `"e%[1]d":{"$ref":"#/$defs/f%[1]d"}`) + `,` + chain(11) + `,"f10":{"type":"string"}}}`,
		`{"$ref":"#/$defs/d0","$defs":{` + repeat(11, `"d%[1]d":{"type":"object","properties":{"a":{"$ref":"#/$defs/e%[1]d"},"b":{"$ref":"#/$defs/e%[1]d"}}}`) + `,` +
			repeat(11, `"e%[1]d":{"$ref":"#/$defs/f%[1]d"}`) + `,` + chain(11) + `,"f10":{"type":"integer"}}}`,
	},
	{
		"long numbers",
		`{"type":"number","multipleOf":1` + strings.Repeat("3", 300) + `e-300,"allOf":[` + repeat(40, `{"multipleOf":1%d.7}`) + `]}`,
		`{"type":"number","multipleOf":1` + strings.Repeat("7", 300) + `e-300}`,
	},
	{"a length nobody writes", `{"type":"string","minLength":1000000}`, `{"type":"string","minLength":1000001}`},
}

// chain links each f of a doubling to the next d.
func chain(n int) string {
	parts := make([]string, n-1)
	for i := range parts {
		parts[i] = fmt.Sprintf(`"f%d":{"$ref":"#/$defs/d%d"}`, i, i+1)
	}
	return strings.Join(parts, ",")
}

// maxHeap is what one decision may hold: a manager decides several at once.
const maxHeap = 64 << 20

// TestHostilePairsEndWithoutAProof is not parallel, since it looks at the heap.
func TestHostilePairsEndWithoutAProof(t *testing.T) { //nolint:paralleltest // see above
	for _, p := range hostile {
		a, b := admitted(t, p.a), admitted(t, p.b)
		c := mustConvene(t, a, b)
		var q question
		var list []Result
		if held := peakHeap(func() {
			q = ask(a, b, c)
			list = q.decide()
		}); held > maxHeap {
			t.Errorf("%s: %d MiB", p.name, held>>20)
		} else {
			t.Logf("%s: %d KiB", p.name, held>>10)
		}
		if len(list) == 0 {
			t.Errorf("%s: Proven", p.name)
		}
		if len(list) > maxGaps+1 {
			t.Errorf("%s: %d results", p.name, len(list))
		}
		if used := maxSteps - q.steps; used > 2*maxSteps {
			t.Errorf("%s: %d steps", p.name, used)
		}
		if used := maxConfirmed - q.court.left; used > 2*maxConfirmed {
			t.Errorf("%s: %d validations", p.name, used)
		}
	}
}

// peakHeap is how much the heap grows at most while f runs, with little garbage
// in it.
func peakHeap(f func()) int64 {
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	runtime.GC()
	before := heapInUse()
	done, peak := make(chan struct{}), make(chan int64)
	go func() {
		highest := before
		for tick := time.NewTicker(time.Millisecond); ; {
			select {
			case <-done:
				tick.Stop()
				peak <- highest
				return
			case <-tick.C:
				highest = max(highest, heapInUse())
			}
		}
	}()
	f()
	last := heapInUse()
	close(done)
	return max(<-peak, last) - before
}

func heapInUse() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

func mustConvene(t testing.TB, a, b *schema.Schema) *court {
	t.Helper()
	c, failed := convene(a, b)
	if failed != nil {
		t.Fatal(failed.Reason)
	}
	return c
}
