// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// checkEncoding fails unless the encoding of v is JSON to everybody and reads
// back as v, in the same order.
func checkEncoding(t *testing.T, v *Value) {
	t.Helper()
	text := v.AppendJSON(nil)
	if !json.Valid(text) {
		t.Fatalf("not JSON: %.500s", text)
	}
	if len(text) > MaxText { // canonical numbers can be longer: 1e20
		return
	}
	again, failed := Parse(text)
	if failed != nil {
		t.Fatalf("%.500s: %v", text, failed)
	}
	if !again.Equal(v) || !v.Equal(again) {
		t.Errorf("%.500s reads as another value", text)
	}
	if second := again.AppendJSON(nil); !bytes.Equal(text, second) {
		t.Errorf("%.500s is written back as %.500s", text, second)
	}
	var reference any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&reference); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(reference, v.native()); diff != "" {
		t.Errorf("encoding/json reads another value: %s", diff)
	}
}

func TestEncodingReadsBack(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`null`, `true`, `-1.5e-9`, `"\u0000\u001f\"\\/<>&` + "\u2028\u007f" + `退款"`, `[]`, `{}`,
		`{"b":[1,{"a":null}],"a":{"":[[]]}}`,
	} {
		checkEncoding(t, parsed(t, text))
	}
}

func TestAppendStringReplacesBytesThatAreNoUTF8(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"a\xffb": "\"a\ufffdb\"", "\xff": "\"\ufffd\"", "ä\xc3": "\"ä\ufffd\"", "\xed\xa0\x80": "\"\ufffd\ufffd\ufffd\"", "\ufffd": "\"\ufffd\"",
	}
	for text, want := range tests {
		if got := string(AppendString(nil, text)); got != want {
			t.Errorf("%q is written %q, want %q", text, got, want)
		}
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("a\"\\\n\x00\u2028\xff退")
	f.Fuzz(func(t *testing.T, s string) {
		var got string
		if err := json.Unmarshal(AppendString(nil, s), &got); err != nil {
			t.Fatalf("%q is not written as JSON: %v", s, err)
		}
		want, err := json.Marshal(s) // also replaces bytes that are no UTF-8
		if err != nil {
			t.Fatal(err)
		}
		var reference string
		if err := json.Unmarshal(want, &reference); err != nil {
			t.Fatal(err)
		}
		if got != reference {
			t.Errorf("%q reads back as %q", reference, got)
		}
	})
}

func TestDigestIsThatOfTheText(t *testing.T) {
	t.Parallel()
	// printf '{"a":1}' | sha256sum
	const want = "sha256:015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"
	if got := parsed(t, ` {"a": 1.0} `).Digest(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := DigestBytes([]byte(`{"a":1}`)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
