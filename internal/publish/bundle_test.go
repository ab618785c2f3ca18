// SPDX-License-Identifier: Apache-2.0

package publish

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/schema"
)

func build(t *testing.T, host string, files ...File) *Bundle {
	t.Helper()
	b, tooLarge := Build(Host{View: []byte(host)}, files)
	if tooLarge != nil {
		t.Fatal(tooLarge)
	}
	return b
}

func sum(text string) string {
	hash := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(hash[:])
}

func TestABundleHoldsEveryFileAndTheirIndex(t *testing.T) {
	t.Parallel()
	b := build(t, "{\"host\":1}\n",
		File{Profile: "openai-responses", Bytes: []byte("{\"o\":1}\n")},
		File{Profile: "anthropic-messages", Bytes: []byte("{\"a\":1}\n")})
	index := `{"files":{` +
		`"anthropic-messages.json":"` + sum("{\"a\":1}\n") + `",` +
		`"contract.json":"` + sum("{\"host\":1}\n") + `",` +
		`"openai-responses.json":"` + sum("{\"o\":1}\n") + `"}}` + "\n"
	want := &Bundle{
		Files: map[string]string{
			"anthropic-messages.json": "{\"a\":1}\n",
			"contract.json":           "{\"host\":1}\n",
			"openai-responses.json":   "{\"o\":1}\n",
			"index.json":              index,
		},
		Digest: sum(index),
	}
	if diff := cmp.Diff(want, b); diff != "" {
		t.Error(diff)
	}
}

func TestABundleWithoutRenderingsHoldsTheHostView(t *testing.T) {
	t.Parallel()
	b := build(t, "{}\n")
	if diff := cmp.Diff([]string{"contract.json", "index.json"}, slices.Sorted(maps.Keys(b.Files))); diff != "" {
		t.Error(diff)
	}
}

func TestTheDigestIsAFunctionOfTheFiles(t *testing.T) {
	t.Parallel()
	a, b := File{Profile: "a", Bytes: []byte("1")}, File{Profile: "b", Bytes: []byte("2")}
	original := build(t, "h", a, b)
	for range 200 {
		if again := build(t, "h", b, a); again.Digest != original.Digest {
			t.Fatalf("the digest depends on the order of renderings: %s, %s", original.Digest, again.Digest)
		}
	}
	changed := map[string]*Bundle{
		"the host view":            build(t, "i", a, b),
		"the bytes of a rendering": build(t, "h", a, File{Profile: "b", Bytes: []byte("3")}),
		"a missing rendering":      build(t, "h", a),
		"a further rendering":      build(t, "h", a, b, File{Profile: "c", Bytes: []byte("2")}),
		"the name of a rendering":  build(t, "h", a, File{Profile: "c", Bytes: []byte("2")}),
		"exchanged renderings":     build(t, "h", File{Profile: "a", Bytes: []byte("2")}, File{Profile: "b", Bytes: []byte("1")}),
	}
	for name, bundle := range changed {
		if bundle.Digest == original.Digest {
			t.Errorf("%s does not change the digest", name)
		}
	}
}

func TestTheIndexVerifiesAMountedDirectory(t *testing.T) {
	t.Parallel()
	b := build(t, "{}\n", File{Profile: "mcp-2025-11-25", Bytes: []byte("{\"name\":\"退款\"}\n")})
	var index struct{ Files map[string]string }
	if err := json.Unmarshal([]byte(b.Files["index.json"]), &index); err != nil {
		t.Fatal(err)
	}
	if len(index.Files) != len(b.Files)-1 {
		t.Errorf("the index lists %d files of %d", len(index.Files), len(b.Files)-1)
	}
	for name, digest := range index.Files {
		if sum(b.Files[name]) != digest {
			t.Errorf("%s does not have the digest that the index says", name)
		}
	}
}

func TestABundleThatDoesNotFitNamesTheLargestFiles(t *testing.T) {
	t.Parallel()
	file := func(profile string, size int) File {
		return File{Profile: profile, Bytes: bytes.Repeat([]byte("x"), size)}
	}
	_, err := Build(Host{View: make([]byte, 5)}, []File{
		file("small", 10), file("second", 300<<10), file("first", 400<<10), file("third", 300<<10), file("tiny", 1),
	})
	if err == nil {
		t.Fatal("it was built")
	}
	if diff := cmp.Diff([]string{"first.json (409600)", "second.json (307200)", "third.json (307200)"}, err.Largest); diff != "" {
		t.Error(diff)
	}
	var asError error = err
	var tooLarge *TooLargeError
	if !errors.As(asError, &tooLarge) || tooLarge.Bytes <= MaxBundle {
		t.Errorf("it does not say the size: %v", asError)
	}
	for _, part := range []string{"first.json (409600)", "921600"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the message lacks %q: %s", part, err)
		}
	}
}

func TestABundleOfExactlyTheLimitFits(t *testing.T) {
	t.Parallel()
	// The size of a file does not change the size of the index.
	empty := build(t, "", File{Profile: "a"})
	room := MaxBundle
	for name, data := range empty.Files {
		room -= len(name) + len(data)
	}
	if _, err := Build(Host{}, []File{{Profile: "a", Bytes: make([]byte, room)}}); err != nil {
		t.Errorf("a bundle of the limit is refused: %v", err)
	}
	if _, err := Build(Host{}, []File{{Profile: "a", Bytes: make([]byte, room+1)}}); err == nil {
		t.Error("a bundle of one byte more was built")
	}
}

func TestDataDigestIsAFunctionOfNamesAndData(t *testing.T) {
	t.Parallel()
	data := map[string]string{"a": "1", "b": "2", "c": "\x00\"退"}
	want := DataDigest(data)
	for range 200 {
		if got := DataDigest(maps.Clone(data)); got != want {
			t.Fatalf("the digest depends on map order: %s, %s", want, got)
		}
	}
	changed := map[string]map[string]string{
		"nothing":           {},
		"other data":        {"a": "1", "b": "3", "c": "\x00\"退"},
		"another name":      {"a": "1", "d": "2", "c": "\x00\"退"},
		"exchanged data":    {"a": "2", "b": "1", "c": "\x00\"退"},
		"a further file":    {"a": "1", "b": "2", "c": "\x00\"退", "d": ""},
		"a joint elsewhere": {"a": `1","b":"2`, "c": "\x00\"退"},
	}
	seen := map[string]string{want: "the original"}
	for name, files := range changed {
		digest := DataDigest(files)
		if other, taken := seen[digest]; taken {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[digest] = name
	}
	if DataDigest(nil) != DataDigest(map[string]string{}) {
		t.Error("no data has two digests")
	}
}

func TestTheSchemasOfAHostAreFilesOfTheBundle(t *testing.T) {
	t.Parallel()
	result, audit := schema.NewObject(schema.Member{Name: "title", Value: schema.NewString("r")}), schema.NewBool(true)
	with, tooLarge := Build(Host{View: []byte("{}\n"), Result: result, Audit: audit}, []File{{Profile: "a", Bytes: []byte("1")}})
	if tooLarge != nil {
		t.Fatal(tooLarge)
	}
	if diff := cmp.Diff([]string{"a.json", "audit.schema.json", "contract.json", "index.json", "result.schema.json"}, slices.Sorted(maps.Keys(with.Files))); diff != "" {
		t.Error(diff)
	}
	if with.Files["result.schema.json"] != "{\"title\":\"r\"}\n" || with.Files["audit.schema.json"] != "true\n" {
		t.Errorf("got %v", with.Files)
	}
	for _, name := range []string{"result.schema.json", "audit.schema.json"} {
		if !strings.Contains(with.Files["index.json"], `"`+name+`":"`+sum(with.Files[name])+`"`) {
			t.Errorf("the index lacks %s", name)
		}
	}
}

func TestPackKeepsTheFilesThatItIsGiven(t *testing.T) {
	t.Parallel()
	files := map[string]string{"tools.json": "[]\n", "manifest.json": "{}\n"}
	packed, tooLarge := Pack(files)
	if tooLarge != nil || len(files) != 2 || len(packed.Files) != 3 || packed.Digest != sum(packed.Files["index.json"]) {
		t.Errorf("got %v %v, and of the files %v", packed, tooLarge, files)
	}
}
