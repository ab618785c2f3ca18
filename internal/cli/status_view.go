// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/plan"
)

// statusSchemaVersion names the form of the JSON output of status.
const statusSchemaVersion = "toolcontract.dev/status/v1"

// statusView is the state of a cluster. Members are only added to it.
type statusView struct {
	SchemaVersion string           `json:"schemaVersion"`
	Contracts     []contractStatus `json:"contracts"`
	Sets          []setStatus      `json:"sets"`
	Profiles      []profileStatus  `json:"profiles"`
	// NotRead are kinds that could not be read.
	NotRead []string      `json:"notRead,omitempty"`
	Summary statusSummary `json:"summary"`
}

// readiness is what the condition Ready says.
type readiness struct {
	// Ready is True, False or Unknown, which it also is as long as the status is about
	// an older generation.
	Ready   string `json:"ready"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}

type contractStatus struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	ToolName  string `json:"toolName"`
	// Version is the wanted one; Lines are what is served, the newest line first.
	Version string `json:"version"`
	readiness
	Summary string         `json:"summary,omitempty"`
	Lines   []servedLine   `json:"lines"`
	Targets []targetStatus `json:"targets"`
}

type servedLine struct {
	Line      string `json:"line"`
	Version   string `json:"version"`
	ConfigMap string `json:"configMap"`
	Digest    string `json:"digest"`
	Retired   bool   `json:"retired,omitempty"`
}

// The states of a target.
const (
	stateStrict    = "Strict"
	stateNotStrict = "NotStrict"
	stateExcluded  = "Excluded"
	stateError     = "Error"
	stateUnknown   = "Unknown"
)

type targetStatus struct {
	Profile string `json:"profile"`
	State   string `json:"state"`
	// Adaptation is the strongest effect on the schema as published; empty if it is
	// not known.
	Adaptation v1alpha1.Effect `json:"adaptation,omitempty"`
	Errors     int32           `json:"errors,omitempty"`
	Warnings   int32           `json:"warnings,omitempty"`
}

type setStatus struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	readiness
	ToolsReady string             `json:"toolsReady,omitempty"`
	Profiles   []setProfileStatus `json:"profiles"`
}

type setProfileStatus struct {
	Profile   string `json:"profile"`
	ConfigMap string `json:"configMap,omitempty"`
	Rendering string `json:"rendering,omitempty"`
	Tools     int32  `json:"tools"`
	Wanted    int32  `json:"wanted"`
	Strict    int32  `json:"strict"`
	Tokens    int32  `json:"tokens"`
	// TokenBudget is what the set allows; absent for no budget.
	TokenBudget int32    `json:"tokenBudget,omitempty"`
	Consumers   []string `json:"consumers,omitempty"`
}

type profileStatus struct {
	Name string `json:"name"`
	readiness
	// Revision is that of the facts in force; 0 for none of this object.
	Revision int32 `json:"revision"`
}

type statusSummary struct {
	Contracts readyCount `json:"contracts"`
	Sets      readyCount `json:"sets"`
	Profiles  readyCount `json:"profiles"`
}

type readyCount struct {
	Ready    int `json:"ready"`
	NotReady int `json:"notReady"`
}

func (c *readyCount) add(r readiness) {
	if r.Ready == string(metav1.ConditionTrue) {
		c.Ready++
		return
	}
	c.NotReady++
}

// effectsOf is the strongest effect on the schema, by profile.
type effectsOf map[string]v1alpha1.Effect

// learn reads what the published files say of adaptation. It reports whether some
// are served that it has not seen.
func (s *statusRun) learn(state *Snapshot) (more bool) {
	for _, cm := range state.Published {
		digest := cm.Annotations[v1alpha1.AnnotationDigest]
		if digest == "" || s.effects[digest] != nil {
			continue
		}
		s.effects[digest] = effectsOf{}
		for _, t := range plan.ServedTargets(cm.Data) {
			s.effects[digest][t.Profile] = t.Adaptation
		}
	}
	_, denied := state.DeniedFor("configmaps")
	for i := range state.Contracts {
		for _, ch := range state.Contracts[i].Status.Channels {
			if s.effects[ch.Digest] != nil {
				continue
			}
			more = true
			if len(state.Published) > 0 || denied {
				s.effects[ch.Digest] = effectsOf{} // it cannot be had
			}
		}
	}
	return more
}

func newStatusView(state *Snapshot, effects map[string]effectsOf) *statusView {
	v := &statusView{SchemaVersion: statusSchemaVersion, Contracts: []contractStatus{}, Sets: []setStatus{}, Profiles: []profileStatus{}}
	for i := range state.Contracts {
		c := contractView(&state.Contracts[i], effects)
		v.Contracts = append(v.Contracts, c)
		v.Summary.Contracts.add(c.readiness)
	}
	for i := range state.Sets {
		s := setView(&state.Sets[i])
		v.Sets = append(v.Sets, s)
		v.Summary.Sets.add(s.readiness)
	}
	for i := range state.Profiles {
		object := &state.Profiles[i]
		s := profileStatus{Name: object.Name, readiness: readinessOf(object.Status.Conditions, object.Status.ObservedGeneration, object.Generation)}
		if object.Status.InForce != nil {
			s.Revision = object.Status.InForce.Revision
		}
		v.Profiles = append(v.Profiles, s)
		v.Summary.Profiles.add(s.readiness)
	}
	for _, d := range state.Denied {
		v.NotRead = append(v.NotRead, d.String())
	}
	return v
}

func readinessOf(conditions []metav1.Condition, observed, generation int64) readiness {
	for _, c := range conditions {
		if c.Type == v1alpha1.ConditionReady && observed == generation {
			return readiness{string(c.Status), c.Reason, c.Message}
		}
	}
	return readiness{Ready: string(metav1.ConditionUnknown), Reason: "NotObserved", Message: "the operator has not looked at it as it is now; is it running?"}
}

func contractView(c *v1alpha1.ToolContract, effects map[string]effectsOf) contractStatus {
	v := contractStatus{
		Namespace: c.Namespace, Name: c.Name, ToolName: c.Spec.ToolName, Version: c.Spec.Version, Summary: c.Status.Summary,
		readiness: readinessOf(c.Status.Conditions, c.Status.ObservedGeneration, c.Generation), Lines: []servedLine{}, Targets: []targetStatus{},
	}
	digest := ""
	for _, ch := range c.Status.Channels {
		version := strings.TrimPrefix(ch.Revision, c.Name+"-v")
		if ch.Revision == c.Status.PublishedRevision {
			digest = ch.Digest
		}
		v.Lines = append(v.Lines, servedLine{Line: ch.Line, Version: version, ConfigMap: ch.ConfigMap, Digest: ch.Digest, Retired: ch.Retired})
	}
	for _, target := range c.Spec.Targets {
		v.Targets = append(v.Targets, targetView(c, target, effects[digest]))
	}
	return v
}

func targetView(c *v1alpha1.ToolContract, target v1alpha1.Target, published effectsOf) targetStatus {
	v := targetStatus{Profile: target.Profile, State: stateUnknown}
	i := slices.IndexFunc(c.Status.Targets, func(t v1alpha1.TargetStatus) bool { return t.Profile == target.Profile })
	if i < 0 || c.Status.ObservedGeneration != c.Generation {
		return v
	}
	t := c.Status.Targets[i]
	v.Errors, v.Warnings = t.Errors, t.Warnings
	switch {
	case t.Compatible == v1alpha1.CompatibleYes && t.Strict == v1alpha1.OutcomeStrict:
		v.State, v.Adaptation = stateStrict, published[target.Profile]
	case t.Compatible == v1alpha1.CompatibleYes:
		v.State, v.Adaptation = stateNotStrict, published[target.Profile]
	case target.OnIncompatible == v1alpha1.IncompatibleExclude:
		v.State = stateExcluded
	default:
		v.State = stateError
	}
	return v
}

func setView(s *v1alpha1.ToolSet) setStatus {
	v := setStatus{
		Namespace: s.Namespace, Name: s.Name, ToolsReady: s.Status.ToolsReady, Profiles: []setProfileStatus{},
		readiness: readinessOf(s.Status.Conditions, s.Status.ObservedGeneration, s.Generation),
	}
	for _, spec := range s.Spec.Profiles {
		row := setProfileStatus{Profile: spec.Profile}
		if spec.TokenBudget != nil {
			row.TokenBudget = *spec.TokenBudget
		}
		for _, p := range s.Status.Profiles {
			if p.Profile == spec.Profile {
				row.ConfigMap, row.Rendering, row.Tools, row.Wanted, row.Strict, row.Tokens = p.ConfigMap, p.Rendering, p.Tools, p.Wanted, p.Strict, p.Tokens
				row.Consumers = p.Consumers
			}
		}
		v.Profiles = append(v.Profiles, row)
	}
	return v
}

// code is the exit code of a state.
func (v *statusView) code() int {
	if v.Summary.Contracts.NotReady+v.Summary.Sets.NotReady+v.Summary.Profiles.NotReady > 0 {
		return exitFindings
	}
	return exitOK
}

func (v *statusView) equal(o *statusView) bool {
	a, errA := json.Marshal(v)
	b, errB := json.Marshal(o)
	return errA == nil && errB == nil && string(a) == string(b)
}

// profilesOf are the profiles of all targets, by name.
func (v *statusView) profilesOf() []string {
	var out []string
	for _, c := range v.Contracts {
		for _, t := range c.Targets {
			out = append(out, t.Profile)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// cell is a target in one or two characters.
func (c contractStatus) cell(profile string) string {
	i := slices.IndexFunc(c.Targets, func(t targetStatus) bool { return t.Profile == profile })
	if i < 0 {
		return "."
	}
	t := c.Targets[i]
	symbol := map[string]string{stateStrict: "S", stateNotStrict: "s", stateExcluded: "x", stateError: "!"}[t.State]
	if t.Adaptation != "" && t.Adaptation != v1alpha1.EffectKeep {
		symbol += "~"
	}
	return cmp.Or(symbol, "?")
}
