// SPDX-License-Identifier: Apache-2.0

package envelope

import (
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/contract"
)

func TestEveryPlatformCodeIsComplete(t *testing.T) {
	t.Parallel()
	var codes []string
	for i, p := range PlatformErrors() {
		codes = append(codes, p.Code)
		if !regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`).MatchString(p.Code) || Wire(p.Category) == "" || Wire(p.Recovery) == "" || p.SafeMessage == "" {
			t.Errorf("%+v is not complete", p)
		}
		if len(platform[i].outcomes) == 0 {
			t.Errorf("%s has no outcome", p.Code)
		}
	}
	want := []string{
		"APPROVAL_REQUIRED", "APPROVAL_DENIED", "INVALID_ARGUMENTS", "PERMISSION_DENIED", "SESSION_REQUIRED", "RATE_LIMITED",
		"TIMEOUT", "TOOL_UNAVAILABLE", "RESULT_TOO_LARGE", "RESULT_INVALID", "RESULT_STALE", "CANCELLED", "INTERNAL_ERROR",
	}
	if diff := cmp.Diff(want, codes); diff != "" {
		t.Errorf("the codes of the platform belong to %s; a change of them needs a new version (-want +got):\n%s", Version, diff)
	}
}

func failureOf(t *testing.T, c *contract.Content, code string) Failure {
	t.Helper()
	all := Failures(c)
	at := slices.IndexFunc(all, func(f Failure) bool { return f.Code == code })
	if at < 0 {
		t.Fatalf("there is no %s", code)
	}
	return all[at]
}

// TestNobodyIsToldToRepeatAnEffect: after a failure that may have had an effect, a
// model is told to call again only where that does no harm.
func TestNobodyIsToldToRepeatAnEffect(t *testing.T) {
	t.Parallel()
	once := &contract.Content{Execution: contract.Execution{SideEffect: "Irreversible", IdempotencyMode: "None"}}
	for _, f := range Failures(once) {
		again := f.Recovery == "RetryLater" || f.Recovery == "FixInput"
		if again && !cmp.Equal(f.Outcomes, []string{NotStarted}) {
			t.Errorf("after %s, whose outcome can be %v, the model is told %s", f.Code, f.Outcomes, f.Recovery)
		}
	}
	for name, e := range map[string]contract.Execution{
		"a read":                 {SideEffect: "None"},
		"an idempotent write":    {SideEffect: "Draft", IdempotencyMode: "Idempotent"},
		"a write that has a key": {SideEffect: "Irreversible", IdempotencyMode: "Key"},
	} {
		if f := failureOf(t, &contract.Content{Execution: e}, CodeTimeout); f.Recovery != "RetryLater" {
			t.Errorf("%s that timed out has the recovery %s", name, f.Recovery)
		}
	}
	unsaid := &contract.Content{}
	if f := failureOf(t, unsaid, CodeTimeout); f.Recovery != "AskUser" {
		t.Errorf("where nothing is said of effects, a timeout has the recovery %s", f.Recovery)
	}
}

func TestADeclaredCodeOfThePlatformKeepsItsOutcomes(t *testing.T) {
	t.Parallel()
	c := &contract.Content{Output: contract.Output{Errors: []contract.OutputError{
		{Code: "GONE", Category: "NotFound"},
		{Code: CodeTimeout, Category: "Timeout", Recovery: "AskUser", SafeMessage: "The bank did not answer."},
	}}}
	gone := failureOf(t, c, "GONE")
	if gone.Platform || gone.Recovery != "None" || gone.SafeMessage != "The call failed: GONE." || len(gone.Outcomes) != 4 {
		t.Errorf("got %+v", gone)
	}
	timeout := failureOf(t, c, CodeTimeout)
	if !timeout.Platform || timeout.SafeMessage != "The bank did not answer." || slices.Contains(timeout.Outcomes, Completed) {
		t.Errorf("got %+v", timeout)
	}
	if n := len(Failures(c)); n != len(platform)+1 {
		t.Errorf("there are %d failures", n)
	}
}

func TestWhoMakesTheResult(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content contract.Content
		want    bool
	}{
		"a function":                     {contract.Content{Type: contract.Function}, true},
		"a free text":                    {contract.Content{Type: contract.TypeFreeForm}, true},
		"a tool of a server":             {contract.Content{Type: contract.TypeMCP}, false},
		"a built-in tool of the client":  {contract.Content{Type: contract.TypeBuiltIn, Execution: contract.Execution{Location: "Client"}}, true},
		"a built-in tool that runs away": {contract.Content{Type: contract.TypeBuiltIn, Execution: contract.Execution{Location: "Provider"}}, false},
	} {
		if HostRuns(&c.content) != c.want {
			t.Errorf("%s: got %t", name, !c.want)
		}
		if has := ResultSchema(&c.content) != nil; has != c.want {
			t.Errorf("%s: it has a schema: %t", name, has)
		}
		if has := AuditSchema("c", &c.content, "") != nil; has != c.want {
			t.Errorf("%s: it has an audit schema: %t", name, has)
		}
	}
}
