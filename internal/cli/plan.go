// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/plan"
	"github.com/toolcontract/operator/internal/snapshot"
)

const planUsage = `Say what the operator would do if manifests were applied: which revisions would be made,
which bump each change needs and declares, with a counter-example, what each provider
would get, and which sets and workloads would notice. Nothing is written.

Usage:
  {command} plan FILE|DIR|-... [--against GITREF | --cluster] [-o text|json|markdown]
      [--fail-on never|refused|major|minor|any] [--prune] [--track-mounts]
      [-n NAMESPACE | -A] [--kubeconfig FILE] [--context NAME] [--profile-dir DIR]

Without --against and --cluster everything is new. Deployments and other workloads among
the manifests tell who mounts a ConfigMap.

Flags:
      --against GITREF
                    compare with the same paths at a commit, as if that had been
                    applied; what is there and not in the manifests is removed. Git
                    knows one version of a contract; put frozen revisions beside it
                    ({command} freeze) for those before
      --cluster     compare with what the cluster has, with its profiles
  -o, --output text|json|markdown
                    text is for people (default), markdown for a comment on a pull
                    request; json has a schema: docs/schemas/plan.schema.json
      --fail-on WHEN
                    exit with 1 if something is refused (default), or also from an
                    impact on: any, minor, major; never leaves it
      --prune       with --cluster: contracts and sets of the namespaces of the
                    manifests that are not among the manifests are removed
      --track-mounts
                    with --cluster: the operator runs with --track-mounts, so what
                    is mounted is compared with and kept
  -n, --namespace NAMESPACE
                    the namespace of manifests that name none (default: default;
                    with --cluster that of the context)
  -A, --all-namespaces
                    with --cluster: look at the sets and workloads of all namespaces
      --kubeconfig FILE
                    as of kubectl
      --context NAME
                    as of kubectl
      --profile-dir DIR
                    also know the profiles in DIR, as for the command profiles
  -h, --help        print this text

Exit code: 0 nothing that --fail-on names; 1 something that it names; 2 bad usage, or
manifests, a commit or a cluster that cannot be read.

Examples:
  {command} plan contracts --against origin/main -o markdown
  {command} plan contracts --cluster -n payments --fail-on major
  kubectl kustomize overlays/prod | {command} plan - --cluster
`

// planFlags are those of plan.
type planFlags struct {
	against, output, failOn, namespace string
	cluster, prune, trackMounts, all   bool
	from                               Cluster
}

func (p *Program) plan(arguments []string) int {
	f := p.flags("plan")
	var o planFlags
	f.StringVar(&o.against, "against", "", "")
	f.BoolVar(&o.cluster, "cluster", false, "")
	f.StringVarP(&o.output, "output", "o", "text", "")
	f.StringVar(&o.failOn, "fail-on", "refused", "")
	f.BoolVar(&o.prune, "prune", false, "")
	f.BoolVar(&o.trackMounts, "track-mounts", false, "")
	f.StringVarP(&o.namespace, "namespace", "n", "", "")
	f.BoolVarP(&o.all, "all-namespaces", "A", false, "")
	clusterFlags(f, &o.from)
	dir := profileDirFlag(f)
	if code, done := p.parse(f, planUsage, arguments); done {
		return code
	}
	limit, known := failLimits[o.failOn]
	switch {
	case !slices.Contains([]string{"text", "json", "markdown"}, o.output):
		return p.badUsage(f, "there is no output format %s; write text, json or markdown", finding.Quote(o.output))
	case !known:
		return p.badUsage(f, "--fail-on %s: write never, refused, major, minor or any", finding.Quote(o.failOn))
	case f.Changed("against") && o.cluster:
		return p.badUsage(f, "--against and --cluster are two things to compare with; choose one")
	case !o.cluster && (o.prune || o.trackMounts || o.all || o.from != Cluster{}):
		return p.badUsage(f, "--prune, --track-mounts, --all-namespaces, --kubeconfig and --context go with --cluster")
	case f.Changed("against") && slices.Contains(f.Args(), manifest.Stdin):
		return p.badUsage(f, "--against compares paths, and standard input has none; name a file or a directory")
	}
	if wrong := checkInputs(f.Args()); wrong != "" {
		return p.badUsage(f, "%s", wrong)
	}
	if code, done := p.checkNamespace(f, o.namespace); done {
		return code
	}
	manifests, ok := p.planManifests(f.Args())
	if !ok {
		return exitUsage
	}
	job := planJob{p: p, planFlags: o, profileDir: func() (int, bool) { return p.loadProfiles(f, *dir) }}
	made, code, done := job.run(f.Args(), manifests, f.Changed("against"))
	if done {
		return code
	}
	switch o.output {
	case "json":
		p.writeJSON(made)
	case "markdown":
		p.writePlanMarkdown(made)
	default:
		p.writePlan(made)
	}
	if limit != "" && made.Summary.Impact.AtLeast(limit) {
		return exitFindings
	}
	return exitOK
}

// failLimits are the least impacts that fail, by the words of --fail-on.
var failLimits = map[string]plan.Impact{
	"never": "", "refused": plan.ImpactRefused, "major": plan.ImpactMajor, "minor": plan.ImpactMinor, "any": plan.ImpactPatch,
}

// planJob makes one plan.
type planJob struct {
	p *Program
	planFlags
	// profileDir loads the profiles of --profile-dir over the catalogue in use.
	profileDir func() (code int, done bool)
}

// run finds out what there is, and plans over it. done is as of [Program.parse].
func (j *planJob) run(arguments []string, manifests plan.Manifests, against bool) (made *plan.Plan, code int, done bool) {
	options := plan.Options{TrackMounts: j.trackMounts}
	namespace, before := j.namespace, plan.Empty()
	var state plan.Against
	var notRead []string
	if j.cluster {
		s, code, done := j.snapshot(manifests)
		if done {
			return nil, code, true
		}
		if namespace == "" {
			namespace = s.Namespace
		}
		catalog, _ := evaluate.Profiles(j.p.profiles, s.Profiles)
		j.p.profiles = catalog
		for _, d := range s.Denied {
			notRead = append(notRead, d.String())
		}
		before, state.Kind = plan.From(s), "Cluster"
		_, denied := s.DeniedFor("toolrevisions." + v1alpha1.GroupVersion.Group)
		options.Prune, options.Whole = j.prune, !denied
	}
	if namespace == "" {
		namespace = "default"
	}
	if code, done := j.profileDir(); done {
		return nil, code, true
	}
	options.Profiles = j.p.profiles
	if !j.cluster {
		state.Kind = "Nothing"
	}
	if against {
		sources, commit, err := gitSources(j.against, arguments)
		if err != nil {
			j.p.complain("%v", err)
			return nil, exitUsage, true
		}
		old, _ := j.p.manifestsOf(sources)
		old.Workloads = nil // who mounts what is a matter of now
		inNamespace(&old, namespace)
		_, before = plan.Make(before, old, options)
		state.Kind, state.Ref = "Git", commit
		options.Prune, options.All = true, true
	}
	inNamespace(&manifests, namespace)
	made, _ = plan.Make(before, manifests, options)
	made.Against, made.NotRead = state, notRead
	return made, exitOK, false
}

// snapshot reads the namespaces that the manifests are about.
func (j *planJob) snapshot(manifests plan.Manifests) (*Snapshot, int, bool) {
	wanted := SnapshotWanted{Published: true, Workloads: true, AllNamespaces: j.all}
	for _, m := range manifests.Objects {
		wanted.Namespaces = append(wanted.Namespaces, m.Namespace)
		if m.Set != nil {
			for _, t := range m.Set.Spec.Tools {
				wanted.Namespaces = append(wanted.Namespaces, t.Namespace)
			}
		}
	}
	from := j.from
	from.Namespace = j.namespace
	return j.p.readCluster(from, wanted)
}

// inNamespace gives the objects that name no namespace one.
func inNamespace(m *plan.Manifests, namespace string) {
	for i := range m.Objects {
		if m.Objects[i].Namespace == "" {
			m.Objects[i].Namespace = namespace
		}
	}
	for i := range m.Workloads {
		if m.Workloads[i].Namespace == "" {
			m.Workloads[i].Namespace = namespace
		}
	}
}

// planManifests reads the inputs. It returns false if one could not be read, or if
// there is nothing to plan.
func (p *Program) planManifests(arguments []string) (plan.Manifests, bool) {
	var sources []manifest.Source
	ok := true
	for source, err := range manifest.Open(arguments, p.In) {
		if err != nil {
			p.complain("%v", err)
			ok = false
			continue
		}
		sources = append(sources, source)
	}
	out, found := p.manifestsOf(sources)
	if ok && !found {
		p.complain("there is no ToolContract and no ToolSet in %s", strings.Join(arguments, ", "))
	}
	return out, ok && found
}

// manifestsOf takes the objects out of inputs. found says that a contract or a set
// is among them.
func (p *Program) manifestsOf(sources []manifest.Source) (out plan.Manifests, found bool) {
	for _, source := range sources {
		for d := range source.Documents() {
			object := plan.Manifest{
				File: d.File, Line: d.Line, Namespace: d.Namespace, Name: d.Name,
				Contract: d.Contract, Set: d.Set, Revision: d.Revision, IsSet: d.IsSet, Findings: d.Findings,
			}
			switch {
			case d.Revision != nil:
				out.Objects = append(out.Objects, object)
			case d.Skipped != "":
				if w, ok := snapshot.WorkloadOf(d.Other, d.OtherKind); ok {
					out.Workloads = append(out.Workloads, w)
				}
			default:
				found = true
				out.Objects = append(out.Objects, object)
			}
		}
	}
	return out, found
}
