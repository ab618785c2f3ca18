// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/lint"
)

func TestTheLintDocumentHasASectionForEachRule(t *testing.T) {
	t.Parallel()
	text, err := lintDocument()
	if err != nil {
		t.Fatal(err)
	}
	again, err := lintDocument()
	if err != nil || !bytes.Equal(text, again) {
		t.Errorf("the document differs the second time: %v", err)
	}
	for _, r := range lint.Rules() {
		if !bytes.Contains(text, []byte("\n### "+r.ID+"\n\n"+string(r.Severity)+": ")) {
			t.Errorf("there is no section for %s", r.ID)
		}
		if !bytes.Contains(text, []byte("{rule: "+r.ID+", path: ")) {
			t.Errorf("nothing says how to accept %s", r.ID)
		}
	}
	if strings.Contains(string(text), "%!") || strings.Count(string(text), "```")%2 != 0 {
		t.Error("the document is broken")
	}
}

// TestTheLintDocumentIsCurrent: what is in the repository is what the rules say.
func TestTheLintDocumentIsCurrent(t *testing.T) {
	t.Parallel()
	want, err := lintDocument()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("..", "..", "docs", "lint", "README.md"))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/lint/README.md is not what the rules say (%v); run `make generate`", err)
	}
}
