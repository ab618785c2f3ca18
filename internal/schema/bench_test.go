// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"strings"
	"testing"
)

// benchmarkSchemas are a tool as most are, and one larger than any provider takes.
func benchmarkSchemas() map[string]struct{ schema, instance string } {
	typical := `{"type":"object","properties":{
		"order_ref":{"type":"string","description":"The order number, as the customer sees it.","minLength":1,"pattern":"^ord_[a-z0-9]+$"},
		"reason":{"type":"string","enum":["duplicate","damaged","other"]},
		"amount":{"type":["number","null"],"exclusiveMinimum":0}},
		"required":["order_ref","reason"],"additionalProperties":false}`
	var properties, members []string
	for i := range 400 {
		property := fmt.Sprintf(`{"type":"string","description":"Field %d of the record.","maxLength":64}`, i)
		switch i % 4 {
		case 1:
			property = `{"type":"integer","minimum":0,"maximum":1000}`
		case 2:
			property = `{"type":"array","items":{"$ref":"#/$defs/tag"},"maxItems":8}`
		}
		properties = append(properties, fmt.Sprintf(`"field_%d":%s`, i, property))
		members = append(members, fmt.Sprintf(`"field_%d":%s`, i, []string{`"x"`, `7`, `["a","b"]`, `"y"`}[i%4]))
	}
	large := `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"additionalProperties":false,` +
		`"$defs":{"tag":{"type":"string","enum":["a","b","c"]}}}`
	return map[string]struct{ schema, instance string }{
		"3 properties":   {typical, `{"order_ref":"ord_123","reason":"damaged","amount":12.5}`},
		"400 properties": {large, `{` + strings.Join(members, ",") + `}`},
	}
}

func BenchmarkParse(b *testing.B) {
	for name, c := range benchmarkSchemas() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(c.schema)))
			b.ReportAllocs()
			for b.Loop() {
				parsed(b, c.schema)
			}
		})
	}
}

func BenchmarkAdmit(b *testing.B) {
	for name, c := range benchmarkSchemas() {
		b.Run(name, func(b *testing.B) {
			root := parsed(b, c.schema)
			b.ReportAllocs()
			for b.Loop() {
				if s, findings := Admit(root); s == nil {
					b.Fatal(findings)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for name, c := range benchmarkSchemas() {
		b.Run(name, func(b *testing.B) {
			root := parsed(b, c.schema)
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				s, _ := Admit(root) // a schema compiles once
				b.StartTimer()
				if validator, findings := s.Compile(); validator == nil {
					b.Fatal(findings)
				}
			}
		})
	}
}

func BenchmarkValidate(b *testing.B) {
	for name, c := range benchmarkSchemas() {
		b.Run(name, func(b *testing.B) {
			validator, instance := compiled(b, c.schema), parsed(b, c.instance)
			b.ReportAllocs()
			for b.Loop() {
				if findings := validator.Validate(instance); findings != nil {
					b.Fatal(findings)
				}
			}
		})
	}
}

// BenchmarkCost is the part of a validation that bounds it.
func BenchmarkCost(b *testing.B) {
	for name, c := range benchmarkSchemas() {
		b.Run(name, func(b *testing.B) {
			s, instance := admitted(b, c.schema), parsed(b, c.instance)
			b.ReportAllocs()
			for b.Loop() {
				if f := s.checkCost(instance); f != nil {
					b.Fatal(f)
				}
			}
		})
	}
}
