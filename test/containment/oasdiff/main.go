// SPDX-License-Identifier: Apache-2.0

// Command oasdiff reads pairs of schemas, one a line, and prints what oasdiff
// says of them as the body of a request: whether every instance of the old
// schema is still one of the new. A warning counts as a breaking change.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/checker"
	"github.com/oasdiff/oasdiff/diff"
	"github.com/oasdiff/oasdiff/load"
)

type pair struct {
	ID       string
	Old, New json.RawMessage
}

type verdict struct {
	Tool        string `json:"tool"`
	ID          string `json:"id"`
	Compatible  *bool  `json:"compatible,omitempty"`
	Error       string `json:"error,omitempty"`
	Nanoseconds int64  `json:"nanoseconds"`
}

const rounds = 3

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var p pair
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			fail(err)
		}
		if err := out.Encode(judge(p)); err != nil {
			fail(err)
		}
	}
	if err := lines.Err(); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func judge(p pair) verdict {
	v := verdict{Tool: "oasdiff", ID: p.ID}
	old, err := document(p.Old)
	if err != nil {
		v.Error = err.Error()
		return v
	}
	next, err := document(p.New)
	if err != nil {
		v.Error = err.Error()
		return v
	}
	for round := range rounds {
		begin := time.Now()
		compatible, err := compare(old, next)
		took := time.Since(begin).Nanoseconds()
		if round == 0 || took < v.Nanoseconds {
			v.Nanoseconds = took
		}
		if err != nil {
			v.Error = err.Error()
			break
		}
		v.Compatible = &compatible
	}
	return v
}

// compare does what `oasdiff breaking` does with two documents.
func compare(old, next []byte) (compatible bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	a, err := load.NewSpecInfoFromData(openapi3.NewLoader(), old, "old.json")
	if err != nil {
		return false, err
	}
	b, err := load.NewSpecInfoFromData(openapi3.NewLoader(), next, "new.json")
	if err != nil {
		return false, err
	}
	report, sources, err := diff.GetWithOperationsSourcesMap(diff.NewConfig(), a, b)
	if err != nil {
		return false, err
	}
	changes := checker.CheckBackwardCompatibilityUntilLevel(checker.NewConfig(checker.GetAllChecks()), report, sources, checker.WARN)
	return len(changes) == 0, nil
}

// document puts a schema into an OpenAPI document, its definitions where such
// documents have theirs.
func document(text []byte) ([]byte, error) {
	var root any
	if err := json.Unmarshal(text, &root); err != nil {
		return nil, err
	}
	schemas := map[string]any{}
	if object, ok := root.(map[string]any); ok {
		for _, keyword := range []string{"$defs", "definitions"} {
			if defs, ok := object[keyword].(map[string]any); ok {
				maps.Copy(schemas, defs)
				delete(object, keyword)
			}
		}
		delete(object, "$schema")
	}
	schemas["Root__"] = root
	body := map[string]any{"application/json": map[string]any{"schema": map[string]any{"$ref": "#/components/schemas/Root__"}}}
	operation := map[string]any{
		"operationId": "call",
		"requestBody": map[string]any{"required": true, "content": body},
		"responses":   map[string]any{"200": map[string]any{"description": "ok"}},
	}
	return json.Marshal(map[string]any{
		"openapi": "3.1.0",
		"info":    map[string]any{"title": "t", "version": "1"},
		"paths":   map[string]any{"/call": map[string]any{"post": operation}},
		"components": map[string]any{
			"schemas": repoint(schemas),
		},
	})
}

func repoint(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = repoint(v[i])
		}
	case map[string]any:
		for name, member := range v {
			ref, isText := member.(string)
			if name != "$ref" || !isText {
				v[name] = repoint(member)
				continue
			}
			for _, prefix := range []string{"#/$defs/", "#/definitions/"} {
				if rest, ok := strings.CutPrefix(ref, prefix); ok {
					ref = "#/components/schemas/" + rest
				}
			}
			if rest, ok := strings.CutPrefix(ref, "#"); ok && !strings.HasPrefix(rest, "/components/") {
				ref = "#/components/schemas/Root__" + rest
			}
			v[name] = ref
		}
	}
	return v
}
