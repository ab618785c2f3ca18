// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEqualIsThatOfJSONSchema(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		a, b string
		want bool
	}{
		"the order of members does not count": {`{"a":1,"b":[2]}`, `{"b":[2],"a":1.0}`, true},
		"the order of items does":             {`[1,2]`, `[2,1]`, false},
		"an array of another length":          {`[1]`, `[1,1]`, false},
		"another member":                      {`{"a":1}`, `{"b":1}`, false},
		"one member more":                     {`{"a":1}`, `{"a":1,"b":null}`, false},
		"one member less":                     {`{"a":1,"b":null}`, `{"a":1}`, false},
		"a null is no absent member":          {`{"a":null}`, `{}`, false},
		"a boolean is no number":              {`true`, `1`, false},
		"zero is not false":                   {`0`, `false`, false},
		"empty containers differ":             {`[]`, `{}`, false},
		"text is compared as it is":           {`"a"`, `"A"`, false},
		"numbers are compared by value":       {`[1e1,-0]`, `[10.0,0]`, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b := parsed(t, test.a), parsed(t, test.b)
			if a.Equal(b) != test.want || b.Equal(a) != test.want {
				t.Errorf("%s and %s: %t and %t, want %t", test.a, test.b, a.Equal(b), b.Equal(a), test.want)
			}
			if same := a; !a.Equal(same) || a.Equal(nil) {
				t.Errorf("%s is not itself, or is nothing", test.a)
			}
		})
	}
}

// Wide objects are looked up through an index, others by a scan.
func TestGetFindsMembersOfNarrowAndWideObjects(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, wideObject, wideObject + 1, 300} {
		members := make([]Member, n)
		for i := range members {
			members[i] = Member{fmt.Sprint("m", i), NewInt(int64(i))}
		}
		v := NewObject(members...)
		for i := range n {
			if got := v.Get(fmt.Sprint("m", i)); !got.Equal(NewInt(int64(i))) {
				t.Errorf("member %d of %d is %v", i, n, got)
			}
		}
		if v.Has("m300") || v.Get("") != nil || v.Len() != n {
			t.Errorf("an object of %d members has others, or the length %d", n, v.Len())
		}
	}
}

func TestLookupsOnNothingGiveNothing(t *testing.T) {
	t.Parallel()
	var nothing *Value
	if nothing.Get("a").Get("b") != nil || nothing.Len() != 0 || nothing.Strings() != nil || nothing.Has("a") {
		t.Error("nothing has members")
	}
	if NewString("a").Get("a") != nil || NewArray(NewNull()).Get("0") != nil {
		t.Error("values that are no objects have members")
	}
}

func TestWithAndWithoutMakeNewObjects(t *testing.T) {
	t.Parallel()
	original := parsed(t, `{"a":1,"b":2,"c":3}`)
	tests := map[string]struct {
		got  *Value
		want string
	}{
		"a member is replaced in place": {original.With("b", NewNull()), `{"a":1,"b":null,"c":3}`},
		"a new member comes last":       {original.With("d", NewNull()), `{"a":1,"b":2,"c":3,"d":null}`},
		"members are left out":          {original.Without("a", "c", "x"), `{"b":2}`},
		"nothing is left out":           {original.Without(), `{"a":1,"b":2,"c":3}`},
	}
	for name, test := range tests {
		if got := test.got.JSON(); got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
	if got := original.JSON(); got != `{"a":1,"b":2,"c":3}` {
		t.Errorf("the original became %s", got)
	}
}

func TestAtFollowsPointerTokens(t *testing.T) {
	t.Parallel()
	root := parsed(t, `{"a":[10,{"":20}],"0":30,"b/c":40}`)
	tests := map[string]struct {
		tokens []string
		want   string
	}{
		"the root":               {nil, root.JSON()},
		"an item":                {[]string{"a", "0"}, "10"},
		"an empty name":          {[]string{"a", "1", ""}, "20"},
		"a name of digits":       {[]string{"0"}, "30"},
		"a name with a slash":    {[]string{"b/c"}, "40"},
		"an index past the end":  {[]string{"a", "2"}, ""},
		"the end of an array":    {[]string{"a", "-"}, ""},
		"a negative index":       {[]string{"a", "-1"}, ""},
		"a leading zero":         {[]string{"a", "00"}, ""},
		"an index with a sign":   {[]string{"a", "+0"}, ""},
		"an empty index":         {[]string{"a", ""}, ""},
		"an index of many bytes": {[]string{"a", "18446744073709551616"}, ""},
		"a name in an array":     {[]string{"a", "x"}, ""},
		"below a number":         {[]string{"0", "x"}, ""},
		"below nothing":          {[]string{"x", "y", "z"}, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if v := root.At(test.tokens); v != nil {
				got = v.JSON()
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestStringsAreTheStringItems(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"a", ""}, parsed(t, `["a",1,null,"",["b"]]`).Strings()); diff != "" {
		t.Error(diff)
	}
}

func TestKindsAreNamedAsInJSONSchema(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`null`: "null", `true`: "boolean", `1`: "number", `""`: "string", `[]`: "array", `{}`: "object",
	} {
		if got := parsed(t, text).Kind().String(); got != want {
			t.Errorf("%s is of kind %s, want %s", text, got, want)
		}
	}
	if (&Value{}).Kind() != Null || !NewBool(true).IsTrue() || !NewBool(false).IsFalse() || NewNull().IsFalse() || NewInt(1).IsTrue() {
		t.Error("a literal is taken for another")
	}
}

func TestFieldsLeaveOutWhatIsEmpty(t *testing.T) {
	t.Parallel()
	var f Fields
	f.Text("a", "")
	f.Text("b", "x")
	f.Int("c", nil)
	f.Int("d", new(int32))
	f.NonEmpty("e", NewArray())
	f.NonEmpty("f", NewObject())
	f.NonEmpty("g", nil)
	f.NonEmpty("h", NewArray(NewNull()))
	f.Add("i", NewNull())
	if got, want := f.Object().JSON(), `{"b":"x","d":0,"h":[null],"i":null}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What is not there cannot become a member: a lookup that found nothing may be
// handed on.
func TestWithNothingIsWithout(t *testing.T) {
	t.Parallel()
	original := NewObject(Member{"a", NewInt(1)}, Member{"b", NewInt(2)})
	for name, want := range map[string]string{"a": `{"b":2}`, "c": `{"a":1,"b":2}`} {
		got := original.With(name, original.Get("none"))
		if got.JSON() != want || got.Has(name) {
			t.Errorf("%s: got %s, want %s", name, got.JSON(), want)
		}
	}
}
