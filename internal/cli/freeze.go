// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	kubejson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/schema"
)

const freezeUsage = `Print the ToolRevisions of a contract that a cluster has, as YAML for Git: without what
belongs to that cluster (owner, uid, resource version, status), lowest version first.

Usage:
  {command} freeze CONTRACT [-n NAMESPACE] [--kubeconfig FILE] [--context NAME]

Applied before the contract in a new cluster, the revisions say which versions were
issued and with which content, so that no number is used twice. The operator digests
and judges them again; it trusts nothing that was applied. JSON texts are kept byte for
byte. A revision that is not what its digest says is left out.

Flags:
  -n, --namespace NS
                    the namespace of the contract; without it that of the context
      --kubeconfig FILE
                    as of kubectl
      --context NAME
                    as of kubectl
  -h, --help        print this text

Exit code: 0 all revisions were printed; 1 there is none, or one was left out; 2 bad
usage, or a cluster that cannot be read.

Examples:
  {command} freeze create-refund-draft -n payments > revisions/create-refund-draft.yaml
  kubectl apply -f revisions/create-refund-draft.yaml
`

func (p *Program) freeze(arguments []string) int {
	f := p.flags("freeze")
	var from Cluster
	f.StringVarP(&from.Namespace, "namespace", "n", "", "")
	f.StringVar(&from.Kubeconfig, "kubeconfig", "", "")
	f.StringVar(&from.Context, "context", "", "")
	if code, done := p.parse(f, freezeUsage, arguments); done {
		return code
	}
	switch {
	case f.NArg() != 1:
		return p.badUsage(f, "name one contract")
	case len(validation.IsDNS1123Label(f.Arg(0))) > 0:
		return p.badUsage(f, "%s is no name of a contract: it is not a DNS label", finding.Quote(f.Arg(0)))
	case from.Namespace != "" && len(validation.IsDNS1123Label(from.Namespace)) > 0:
		return p.badUsage(f, "--namespace %s is not a DNS label", finding.Quote(from.Namespace))
	case p.Revisions == nil:
		p.complain("this program was built without a client for clusters")
		return exitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	namespace, objects, err := p.Revisions(ctx, from, f.Arg(0))
	if err != nil {
		p.complain("%v", err)
		return exitUsage
	}
	return p.writeRevisions(namespace, f.Arg(0), objects)
}

// writeRevisions prints those that are revisions of the contract.
func (p *Program) writeRevisions(namespace, name string, objects []json.RawMessage) int {
	code := exitOK
	var revisions []frozenRevision
	for _, object := range objects {
		r, why := readRevision(object, name)
		if why != "" {
			p.complain("%s/%s is left out: %s", namespace, finding.Clip(r.Metadata.Name, 128), why)
			code = exitFindings
			continue
		}
		revisions = append(revisions, r)
	}
	if len(objects) == 0 {
		p.complain("there is no ToolRevision of %s in namespace %s", name, namespace)
		return exitFindings
	}
	slices.SortFunc(revisions, func(a, b frozenRevision) int { return a.version.Compare(b.version) })
	for _, r := range revisions {
		text, err := r.yaml()
		if err != nil {
			p.complain("%s/%s: %v", namespace, r.Metadata.Name, err)
			return exitUsage
		}
		fmt.Fprintf(p.out, "---\n%s", text)
	}
	return code
}

// frozenRevision is what of a ToolRevision is the same in every cluster.
type frozenRevision struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Metadata   frozenMetadata `json:"metadata"`
	// Spec is as the server has it.
	Spec json.RawMessage `json:"spec"`

	version contract.Version
}

type frozenMetadata struct {
	Name      string            `json:"name"`
	Namespace string            `json:"namespace"`
	Labels    map[string]string `json:"labels,omitempty"`
}

// readRevision takes over what is the operator's own, or says why the object is
// no revision of the contract.
func readRevision(object json.RawMessage, name string) (r frozenRevision, why string) {
	var whole v1alpha1.ToolRevision
	if err := kubejson.UnmarshalCaseSensitivePreserveInts(object, &whole); err != nil {
		return r, "it cannot be read: " + finding.Clip(err.Error(), 200)
	}
	if err := kubejson.UnmarshalCaseSensitivePreserveInts(object, &r); err != nil {
		return r, "it cannot be read: " + finding.Clip(err.Error(), 200)
	}
	r.APIVersion, r.Kind = v1alpha1.GroupVersion.String(), "ToolRevision"
	for key := range r.Metadata.Labels {
		if key != v1alpha1.LabelManagedBy && !strings.HasPrefix(key, v1alpha1.GroupVersion.Group+"/") {
			delete(r.Metadata.Labels, key)
		}
	}
	content, findings := evaluate.Read(&whole.Spec.Content)
	switch {
	case whole.Spec.ContractRef.Name != name:
		return r, fmt.Sprintf("it is of the contract %s", finding.Quote(whole.Spec.ContractRef.Name))
	case content == nil:
		return r, "its content is not valid: " + finding.Summary(finding.Errors(findings), 1)
	case content.Digest() != whole.Spec.ContentDigest:
		return r, fmt.Sprintf("its content has the digest %s, not the one that it names", content.Digest())
	}
	r.version = content.Version
	return r, ""
}

// yaml is the manifest. Texts of several lines are blocks. Where YAML does not
// give back what goes in, the manifest is JSON, which is YAML too.
func (r frozenRevision) yaml() ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("writing the revision: %w", err)
	}
	text = escapeForYAML(text)
	if pretty, err := yaml.JSONToYAML(text); err == nil && givesBack(pretty, text) {
		return pretty, nil
	}
	return append(text, '\n'), nil
}

// escapeForYAML writes characters that YAML reads as line breaks, or does not
// take literally, as JSON escapes. In JSON they occur inside strings only.
func escapeForYAML(text []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(text) {
		switch {
		case 0x7f <= r && r < 0xa0, r == '\u2028', r == '\u2029', r == '\ufeff', r == '\ufffe', r == '\uffff':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.Bytes()
}

// givesBack reports whether a YAML text is read as this JSON.
func givesBack(pretty, text []byte) bool {
	back, err := yaml.YAMLToJSON(pretty)
	return err == nil && sameJSON(text, back)
}

// sameJSON reports whether two texts have the same values.
func sameJSON(a, b []byte) bool {
	v, failed := schema.ParseWithin(a, manifest.MaxDocument, schema.MaxDepth+16)
	if failed != nil {
		return false
	}
	w, failed := schema.ParseWithin(b, manifest.MaxDocument, schema.MaxDepth+16)
	return failed == nil && v.Equal(w)
}
