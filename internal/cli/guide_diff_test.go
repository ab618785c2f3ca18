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
	// guideDigest is a digest, which changes with the bytes of this release.
	guideDigest = regexp.MustCompile(`sha256:[0-9a-f]{64}`)
)

// TestTheGuidesWithOutputAreTrue writes the files that the guides show, runs their
// commands, and compares what they print and return. With -update the guides are
// written anew.
func TestTheGuidesWithOutputAreTrue(t *testing.T) {
	t.Parallel()
	for name, least := range map[string]int{"diff-and-contains.md": 6, "lock.md": 8, "show.md": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := "../../docs/guides/" + name
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got, commands := runGuide(t, string(text))
			if commands < least {
				t.Errorf("the guide has only %d commands", commands)
			}
			golden.Check(t, "../"+path, got)
		})
	}
}

// runGuide is the guide with what its commands print now.
func runGuide(t *testing.T, text string) (got string, commands int) {
	t.Helper()
	dir := t.TempDir()
	for _, file := range guideFile.FindAllStringSubmatch(text, -1) {
		if err := os.WriteFile(filepath.Join(dir, file[1]), []byte(file[2]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got = guideConsole.ReplaceAllStringFunc(text, func(block string) string {
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
			printed := strings.ReplaceAll(result.out, dir+string(filepath.Separator), "")
			b.WriteString(line + guideDigest.ReplaceAllString(guideMicros.ReplaceAllString(printed, `"micros":312`), "sha256:…"))
			if result.code != 0 {
				fmt.Fprintf(&b, "$ echo $?\n%d\n", result.code)
			}
		}
		return "```console\n" + b.String() + "```"
	})
	return got, commands
}
