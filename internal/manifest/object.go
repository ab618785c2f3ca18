// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	kubejson "sigs.k8s.io/json"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
)

// read judges one object that is no list.
func (d *Document) read(text []byte, apiVersion, kind string) {
	group, _, _ := strings.Cut(apiVersion, "/")
	switch {
	case (kind == contractKind || kind == setKind) && apiVersion != contractAPIVersion:
		d.Findings = append(d.Findings, *failure(RuleFieldValue, "/apiVersion",
			fmt.Sprintf("%s does not serve the kind %s", finding.Quote(apiVersion), kind), "write apiVersion: "+contractAPIVersion))
		if apiVersion != "" {
			d.Findings[len(d.Findings)-1].Patch = []finding.Operation{{Op: "replace", Path: "/apiVersion", Value: quoted(contractAPIVersion)}}
		}
	case kind == contractKind, kind == setKind:
	case group == contractGroup && kind != revisionKind && kind != profileKind:
		d.Findings = append(d.Findings, *failure(RuleFieldValue, "/kind",
			fmt.Sprintf("%s is no kind of %s", finding.Quote(kind), contractGroup), "write kind: "+contractKind+" or "+setKind))
	default:
		if kind == revisionKind && apiVersion == contractAPIVersion {
			d.revision(text)
		}
		d.skip(kind)
		d.OtherKind, d.Other = kind, text
		return
	}
	d.IsSet = kind == setKind
	if len(text) > MaxDocument {
		d.Findings = append(d.Findings, *tooLarge(len(text)))
		return
	}
	if d.tree == nil {
		d.Findings = append(d.Findings, checkJSON(text)...)
	}
	d.decode(text, kind)
	d.Findings = finding.Sort(d.Findings)
}

// revision decodes a ToolRevision, as far as it is one.
func (d *Document) revision(text []byte) {
	var r v1alpha1.ToolRevision
	if len(text) > MaxDocument || kubejson.UnmarshalCaseSensitivePreserveInts(text, &r) != nil {
		return
	}
	d.Revision, d.Namespace, d.Name = &r, r.Namespace, r.Name
}

func (d *Document) skip(kind string) {
	d.Findings = nil
	d.Skipped = "a " + finding.Clip(kind, 80)
	if kind == "" {
		d.Skipped = "no Kubernetes object: it has no kind"
	}
}

// decode turns the JSON of an object into a contract or a set through the forms
// in which an API server handles it.
func (d *Document) decode(text []byte, kind string) {
	var object map[string]any
	if err := kubejson.UnmarshalCaseSensitivePreserveInts(text, &object); err != nil {
		if !finding.HasErrors(d.Findings) {
			d.Findings = append(d.Findings, *failure(RuleFieldType, "", finding.Clip(err.Error(), 200), "correct the document"))
		}
		return
	}
	d.Namespace, _ = member(object["metadata"], "namespace").(string)
	d.Name, _ = member(object["metadata"], "name").(string)
	d.ToolName, _ = member(object["spec"], "toolName").(string)
	d.Findings = append(d.Findings, checkObject(object, kind)...)
	delete(object, "status") // a request that creates an object cannot set it
	stored, err := json.Marshal(object)
	if err != nil {
		d.Findings = append(d.Findings, *failure(RuleFieldType, "", finding.Clip(err.Error(), 200), "correct the document"))
		return
	}
	if kind == setKind {
		set := &v1alpha1.ToolSet{}
		if err := kubejson.UnmarshalCaseSensitivePreserveInts(stored, set); err == nil {
			d.Set = set
		} else if !finding.HasErrors(d.Findings) {
			d.Findings = append(d.Findings, *failure(RuleFieldType, "", finding.Clip(err.Error(), 200), "correct the document"))
		}
		return
	}
	contract := &v1alpha1.ToolContract{}
	if err := kubejson.UnmarshalCaseSensitivePreserveInts(stored, contract); err != nil {
		if !finding.HasErrors(d.Findings) {
			d.Findings = append(d.Findings, *failure(RuleFieldType, "", finding.Clip(err.Error(), 200), "correct the document"))
		}
		d.Targets = targetsOf(object)
		return
	}
	d.Contract, d.Targets = contract, contract.Spec.Targets
}

// targetsOf reads the targets of an object of which another part is broken.
func targetsOf(object map[string]any) []v1alpha1.Target {
	text, err := json.Marshal(member(object["spec"], "targets"))
	if err != nil {
		return nil
	}
	var targets []v1alpha1.Target
	if kubejson.UnmarshalCaseSensitivePreserveInts(text, &targets) != nil {
		return nil
	}
	return targets
}

// checkObject judges an object as the API server would on creation.
func checkObject(object map[string]any, kind string) []finding.Finding {
	root, err := schemaOf(kind)
	if err != nil {
		return []finding.Finding{*failure(RuleFieldType, "", err.Error(), "report this as a defect of the program")}
	}
	c := checker{}
	pruneNulls(root, object)
	c.metadata(object["metadata"])
	c.value(root, object, "")
	return slices.DeleteFunc(c.findings, isIgnored)
}

// isIgnored reports whether a finding is about a status that the server will
// drop. It still refuses unknown fields there.
func isIgnored(f finding.Finding) bool {
	return strings.HasPrefix(f.Pointer, "/status") && f.Rule != RuleUnknownField
}

// Check judges a contract that was made by a program, as if it had been read.
func Check(contract *v1alpha1.ToolContract) []finding.Finding {
	d := Document{}
	text, err := json.Marshal(contract)
	if err != nil {
		return []finding.Finding{*failure(RuleFieldType, "", finding.Clip(err.Error(), 200), "correct the embedded JSON")}
	}
	d.read(text, contract.APIVersion, contract.Kind)
	return d.Findings
}
