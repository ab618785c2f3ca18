// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// step is one thing that is shown: a title, and kubectl commands whose output
// is the outcome.
type step struct {
	title    string
	commands []string
	// settle names the contract whose final status is waited for, unseen, after
	// the first command, or tset/<name> for a set; "all" stands for every contract
	// of the namespace.
	settle string
}

var steps = []step{
	{
		title:    "Seven contracts of an online shop. Each is checked against every provider that it targets",
		commands: []string{"apply -f config/samples", "get tct --no-headers"},
		settle:   "all",
	},
	{
		title: "What each provider gets of one of them: strict mode where the provider can hold the model to the schema",
		commands: []string{
			`get tct get-order-status -o jsonpath={range .status.targets[*]}{.profile}{"\t"}{.compatible}{"\t"}{.strict}{"\n"}{end}`,
		},
	},
	{
		title: "The accepted version is frozen, and its bytes are in ConfigMaps: one immutable, one under a stable name",
		commands: []string{
			"get cm -l toolcontract.dev/contract=get-order-status -o name",
			`get cm get-order-status-v1 -o jsonpath={.data.anthropic-messages\.json}`,
		},
	},
	{
		title: "A set: what one agent mounts, one ConfigMap for each API that it calls, within what the API takes in one request",
		commands: []string{
			"apply -f config/samples/sets/shop-assistant.yaml",
			`get tset shop-assistant -o jsonpath={range .status.profiles[*]}{.configMap}{"\t"}{.tools}{" of "}{.wanted}{" tools\t"}{.strict}{" strict\t~"}{.tokens}{" tokens\n"}{end}`,
		},
		settle: "tset/shop-assistant",
	},
	{
		title: "A contract that no strict provider can take is refused, with the place and the way out",
		commands: []string{
			"apply -f config/samples/refused/no-strict-provider.yaml",
			`get tct set-product-attributes -o jsonpath={.status.conditions[?(@.type=="Ready")].message}{"\n"}`,
		},
		settle: "set-product-attributes",
	},
	{
		title:    "Versions: 1.0.0 is accepted",
		commands: []string{"apply -f config/samples/refused/versions/01-list-shipments-1.0.0.yaml"},
		settle:   "list-shipments",
	},
	{
		title: "1.1.0 would break callers, and a counter-example shows it; 1.0.0 goes on being served",
		commands: []string{
			"apply -f config/samples/refused/versions/02-list-shipments-1.1.0-wrong.yaml",
			`get tct list-shipments -o jsonpath={.status.conditions[?(@.type=="VersionAccepted")].message}{"\n"}`,
			`get tct list-shipments -o jsonpath={.status.conditions[?(@.type=="Published")].message}{"\n"}`,
		},
		settle: "list-shipments",
	},
	{
		title:    "The same change as 2.0.0 is accepted and gets a channel of its own; 2.1.0 adds to it",
		commands: []string{"apply -f config/samples/refused/versions/03-list-shipments-2.0.0.yaml"},
		settle:   "list-shipments",
	},
	{
		commands: []string{
			"apply -f config/samples/refused/versions/04-list-shipments-2.1.0.yaml",
			`get tct list-shipments -o jsonpath={range .status.channels[*]}{.configMap}{" serves "}{.revision}{"\n"}{end}`,
		},
		settle: "list-shipments",
	},
	{
		title: "Rollback: applying 2.0.0 again moves the channel back, with the same bytes and no new object",
		commands: []string{
			"apply -f config/samples/refused/versions/03-list-shipments-2.0.0.yaml",
			`get tct list-shipments -o jsonpath={range .status.channels[?(@.line=="2")]}{.configMap}{" serves "}{.revision}{"\n"}{end}`,
		},
		settle: "list-shipments",
	},
}

// catalogue is shown last: forty tools that together use all of JSON Schema
// and are refused in every way.
var catalogue = step{
	title:    "A catalogue of forty tools, with every kind of refusal",
	commands: []string{"get tct -n catalogue"},
}

// stage runs kubectl and shows it.
type stage struct {
	kubectl, kubeconfig string
	out                 io.Writer
}

// install puts the operator's own manifests into the cluster; its Deployment
// waits for a node that never comes, so the operator runs in this process.
func (s *stage) install(ctx context.Context) error {
	if _, err := s.run(ctx, "apply", "--server-side", "-k", "config/default"); err != nil {
		return err
	}
	_, err := s.run(ctx, "wait", "--for=condition=Established", "--timeout=30s", "crd",
		"toolcontracts.toolcontract.dev", "toolrevisions.toolcontract.dev", "toolsets.toolcontract.dev",
		"providerprofiles.toolcontract.dev")
	return err
}

func (s *stage) play(ctx context.Context) error {
	for _, step := range steps {
		if err := s.show(ctx, step); err != nil {
			return err
		}
	}
	if _, err := s.run(ctx, "create", "namespace", "catalogue"); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "Applying test/catalogue …")
	if _, err := s.run(ctx, "apply", "--server-side", "-n", "catalogue", "-f", "test/catalogue"); err != nil {
		return err
	}
	if err := s.settle(ctx, "-n", "catalogue", "tct", "--all"); err != nil {
		return err
	}
	return s.show(ctx, catalogue)
}

// show prints a step: its title, each command as a user would type it, and
// what kubectl answers.
func (s *stage) show(ctx context.Context, st step) error {
	if st.title != "" {
		fmt.Fprintf(s.out, "\n### %s\n", st.title)
	}
	for i, command := range st.commands {
		fmt.Fprintf(s.out, "$ kubectl %s\n", quoted(command))
		out, err := s.run(ctx, arguments(command)...)
		if err != nil {
			return err
		}
		fmt.Fprint(s.out, out)
		if i == 0 && st.settle != "" {
			selector := []string{"tct", st.settle}
			if st.settle == "all" {
				selector[1] = "--all"
			}
			if name, isSet := strings.CutPrefix(st.settle, "tset/"); isSet {
				selector = []string{"tset", name}
			}
			if err := s.settle(ctx, selector...); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle waits until the operator has said its last word: the status is about
// the current generation.
func (s *stage) settle(ctx context.Context, selector ...string) error {
	names, err := s.run(ctx, append([]string{"get", "-o", `jsonpath={range .items[*]}{.metadata.name}={.metadata.generation} {end}{.metadata.name}={.metadata.generation}`},
		withoutAll(selector)...)...)
	if err != nil {
		return err
	}
	namespace, kind := "default", selector[0]
	if selector[0] == "-n" {
		namespace, kind = selector[1], selector[2]
	}
	for entry := range strings.FieldsSeq(names) {
		name, generation, ok := strings.Cut(entry, "=")
		if !ok || name == "" || generation == "" {
			continue
		}
		if _, err := s.run(ctx, "wait", "-n", namespace, "--for=jsonpath={.status.observedGeneration}="+generation, "--timeout=60s", kind+"/"+name); err != nil {
			return err
		}
	}
	return nil
}

// withoutAll drops --all, which kubectl get does not know.
func withoutAll(selector []string) []string {
	var out []string
	for _, s := range selector {
		if s != "--all" {
			out = append(out, s)
		}
	}
	return out
}

func (s *stage) run(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, s.kubectl, args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+s.kubeconfig)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("running kubectl %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

// invite says what can be tried while the control plane is up.
func (s *stage) invite(kubeconfig, binDir string) {
	if abs, err := filepath.Abs(binDir); err == nil {
		binDir = abs
	}
	fmt.Fprintf(s.out, `
### Now you. In another terminal:
export KUBECONFIG=%s PATH=%s:"$PATH"
kubectl describe tct set-product-attributes
kubectl get cm create-refund-draft-v1 -o jsonpath='{.data.contract\.json}'
kubectl edit tct get-inventory
Ctrl-C here stops everything.
`, kubeconfig, binDir)
}

// arguments splits a command; a jsonpath expression is the rest of the line.
func arguments(command string) []string {
	before, expression, found := strings.Cut(command, "-o jsonpath=")
	args := strings.Fields(before)
	if found {
		args = append(args, "-o", "jsonpath="+expression)
	}
	return args
}

// quoted is the command as a shell needs it.
func quoted(command string) string {
	before, expression, found := strings.Cut(command, "-o jsonpath=")
	if !found {
		return command
	}
	return before + "-o jsonpath='" + expression + "'"
}
