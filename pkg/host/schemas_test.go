// SPDX-License-Identifier: Apache-2.0

package host_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/lockfile"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/contracts"
)

// publishedSchemas are those of docs/schemas, by their files. Those of what commands
// write and of manifests are not: package cli and hack/docs hold them to what they describe.
func publishedSchemas(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.UseLoader(jsonschema.SchemeURLLoader{}) // nothing outside is opened
	ids := map[string]string{}
	paths, err := filepath.Glob("../../docs/schemas/*.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		doc := parsed(t, string(text))
		id, _ := doc.(map[string]any)["$id"].(string)
		if strings.HasPrefix(id, "https://toolcontract.dev/schemas/output/") || strings.HasPrefix(id, "https://toolcontract.dev/schemas/v1alpha1/") {
			continue
		}
		if err := c.AddResource(id, doc); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		ids[strings.TrimSuffix(filepath.Base(path), ".schema.json")+".json"] = id
	}
	out := map[string]*jsonschema.Schema{}
	for name, id := range ids {
		if out[name], err = c.Compile(id); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return out
}

func parsed(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// folders are published folders: of every sample and every contract of the
// catalogue, and of sets.
func folders(t *testing.T) map[string]map[string]string {
	t.Helper()
	out := map[string]map[string]string{
		"set desk":          desk(t),
		"set of Gemini":     publishedSet(t, "gemini-json-schema", strings.ReplaceAll(tagOrder, "profile: openai-responses", "profile: gemini-json-schema")),
		"set of nothing":    publishedSet(t, "openai-responses"),
		"list-shipments":    published(t, listShipments),
		"list-orders":       published(t, listOrders),
		"tag-order":         published(t, tagOrder),
		"write-query":       published(t, writeQuery),
		"search-docs":       published(t, searchDocs),
		"without an answer": published(t, withoutOutput),
		"what lock writes":  {"tools.lock.json": string(lock(t))},
	}
	for _, c := range contracts.All(t) {
		e := evaluate.Contract(c.Name, &c.Spec, evaluate.History{}, provider.Builtin())
		if e.Bundle != nil {
			out[c.Name] = e.Bundle.Files
		}
	}
	return out
}

// lock is that of a contract and of a set, as the command writes it of a directory.
func lock(t *testing.T) []byte {
	t.Helper()
	root := fstest.MapFS{}
	for dir, files := range map[string]map[string]string{"tag-order": published(t, tagOrder), "desk": desk(t)} {
		for name, text := range files {
			root[dir+"/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	folders, err := lockfile.Folders(root)
	if err != nil || len(folders) != 2 {
		t.Fatalf("got %+v, %v", folders, err)
	}
	return lockfile.LockOf(folders).Marshal()
}

func TestWhatIsPublishedFitsThePublishedSchemas(t *testing.T) {
	t.Parallel()
	schemas := publishedSchemas(t)
	seen := map[string]int{}
	for name, files := range folders(t) {
		for file, text := range files {
			if schemas[file] == nil {
				continue
			}
			seen[file]++
			if err := schemas[file].Validate(parsed(t, text)); err != nil {
				t.Errorf("%s of %s: %v", file, name, err)
			}
		}
	}
	for file := range schemas {
		if seen[file] == 0 {
			t.Errorf("there is a schema of %s, and no such file", file)
		}
	}
	if seen["contract.json"] < 12 {
		t.Errorf("only %d contracts were looked at", seen["contract.json"])
	}
}

// TestEveryGoldenContractFitsItsSchema looks at every file of the repository that
// is a contract.json, whatever its name.
func TestEveryGoldenContractFitsItsSchema(t *testing.T) {
	t.Parallel()
	s := publishedSchemas(t)["contract.json"]
	seen := 0
	for _, top := range []string{"../../internal", "../../pkg", "../../test"} {
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".json" {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if !bytes.HasPrefix(text, []byte(`{"schemaVersion":"toolcontract.dev/contract/v1"`)) {
				return nil
			}
			seen++
			if err := s.Validate(parsed(t, string(text))); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 10 {
		t.Errorf("only %d contracts were found", seen)
	}
}

// free are members whose objects hold names of others: schemas, values, and tables
// by name.
var free = []string{"schema", "handlerSchema", "examples", "settings", "requestCounts", "headers", "files", "body", "decode", "renderings"}

// withUnknown makes of a document those with one unknown member in one object.
func withUnknown(v any, each func(at string)) {
	var walk func(v any, at string)
	walk = func(v any, at string) {
		switch v := v.(type) {
		case map[string]any:
			v["zz_unknown"] = "x"
			each(at)
			delete(v, "zz_unknown")
			for name, below := range v {
				if _, isList := below.([]any); !slices.Contains(free, name) || name == "headers" && isList {
					walk(below, at+"/"+name)
				}
			}
		case []any:
			for i, item := range v {
				walk(item, fmt.Sprintf("%s/%d", at, i))
			}
		}
	}
	walk(v, "")
}

func TestAnUnknownMemberIsRefused(t *testing.T) {
	t.Parallel()
	schemas := publishedSchemas(t)
	tried := 0
	for name, files := range folders(t) {
		for file, text := range files {
			if schemas[file] == nil {
				continue
			}
			doc := parsed(t, text)
			withUnknown(doc, func(at string) {
				tried++
				if schemas[file].Validate(doc) == nil {
					t.Errorf("%s of %s takes an unknown member at %q", file, name, at)
				}
			})
		}
	}
	if tried < 500 {
		t.Errorf("only %d places were tried", tried)
	}
}

// TestWhatIsNoPublishedFileIsRefused: the schemas are more than a list of names.
func TestWhatIsNoPublishedFileIsRefused(t *testing.T) {
	t.Parallel()
	schemas := publishedSchemas(t)
	replace := func(file map[string]string, name, old, with string) string {
		if !strings.Contains(file[name], old) {
			t.Errorf("%s has no %s", name, old)
		}
		return strings.Replace(file[name], old, with, 1)
	}
	one, set, query, docs := published(t, listShipments), desk(t), published(t, writeQuery), published(t, searchDocs)
	for name, c := range map[string]struct{ file, text string }{
		"another form":                   {"contract.json", replace(one, "contract.json", "contract/v1", "contract/v2")},
		"a contract without a digest":    {"contract.json", replace(one, "contract.json", `"contentDigest":"sha256:`, `"contentDigest":"md5:`)},
		"an unknown category":            {"contract.json", replace(one, "contract.json", `"category":"NotFound"`, `"category":"not_found"`)},
		"a word for the default":         {"contract.json", replace(one, "contract.json", `"truncation":"Marked"`, `"truncation":"Sometimes"`)},
		"a schema that is none":          {"contract.json", replace(one, "contract.json", `"type":"object"`, `"type":"thing"`)},
		"a source that is a value":       {"contract.json", replace(one, "contract.json", `"source":"session.tenant"`, `"source":"t-4711"`)},
		"a text without its type":        {"contract.json", replace(query, "contract.json", `"type":"FreeForm"`, `"type":"Function"`)},
		"a server without its type":      {"contract.json", replace(docs, "contract.json", `"type":"MCP"`, `"type":"Function"`)},
		"a type without its member":      {"contract.json", replace(one, "contract.json", `"type":"Function"`, `"type":"FreeForm"`)},
		"a server with a password":       {"contract.json", replace(docs, "contract.json", `https://docs`, `https://user:pw@docs`)},
		"a rule that is not known":       {"contract.json", replace(published(t, tagOrder), "contract.json", `"dropNull":`, `"rename":`)},
		"a digest that is none":          {"index.json", replace(one, "index.json", "sha256:", "sha1:")},
		"an index that leads elsewhere":  {"index.json", replace(one, "index.json", `"contract.json"`, `"../contract.json"`)},
		"a tool of nowhere":              {"manifest.json", replace(set, "manifest.json", `"namespace":"shop",`, "")},
		"a tool for no profile":          {"manifest.json", `{"tools":[` + replace(map[string]string{"m": trimmedTool(t, set)}, "m", `"targets":[`, `"targets":[],"x":[`) + `]}`},
		"a request of another form":      {"request.json", replace(set, "request.json", "request/v1", "request/v2")},
		"a request for another endpoint": {"request.json", replace(set, "request.json", `"set":"desk"`, `"set":"desk","endpoint":"http://example.com"`)},
	} {
		if schemas[c.file].Validate(parsed(t, c.text)) == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// trimmedTool is the first entry of the manifest of a set.
func trimmedTool(t *testing.T, files map[string]string) string {
	t.Helper()
	var manifest struct{ Tools []json.RawMessage }
	if err := json.Unmarshal([]byte(files["manifest.json"]), &manifest); err != nil {
		t.Fatal(err)
	}
	return string(manifest.Tools[0])
}
