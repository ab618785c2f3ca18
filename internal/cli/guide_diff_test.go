// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/testkit/golden"
)

var (
	guideFile    = regexp.MustCompile("(?s)`([\\w.-]+)`:\n\n```\\w+\n(.*?)```")
	guideConsole = regexp.MustCompile("(?s)```console\n(.*?)```")
	guideMicros  = regexp.MustCompile(`"micros":\d+`)
)

// TestTheGuideOnDiffIsTrue writes the files that the guide shows, runs its
// commands, and compares what they print and return. With -update the guide is
// written anew.
func TestTheGuideOnDiffIsTrue(t *testing.T) {
	t.Parallel()
	const path = "../../docs/guides/diff-and-contains.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, file := range guideFile.FindAllStringSubmatch(string(text), -1) {
		if err := os.WriteFile(filepath.Join(dir, file[1]), []byte(file[2]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	commands := 0
	got := guideConsole.ReplaceAllStringFunc(string(text), func(block string) string {
		var b strings.Builder
		for line := range strings.Lines(block) {
			command, isCommand := strings.CutPrefix(line, "$ toolcontract ")
			if !isCommand {
				continue
			}
			commands++
			arguments := strings.Fields(command)
			for i, a := range arguments {
				if strings.Contains(a, ".") {
					arguments[i] = filepath.Join(dir, a)
				}
			}
			result := run("", arguments...)
			if result.err != "" {
				t.Errorf("%s says %s", line, result.err)
			}
			b.WriteString(line + guideMicros.ReplaceAllString(strings.ReplaceAll(result.out, dir+string(filepath.Separator), ""), `"micros":312`))
			if result.code != 0 {
				fmt.Fprintf(&b, "$ echo $?\n%d\n", result.code)
			}
		}
		return "```console\n" + b.String() + "```"
	})
	if commands < 6 {
		t.Errorf("the guide has only %d commands", commands)
	}
	golden.Check(t, "../"+path, got)
}
