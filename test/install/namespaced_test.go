// SPDX-License-Identifier: Apache-2.0

package install

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// TestNamespaced runs the operator of one namespace, installed by somebody who may
// do everything in that namespace and nothing outside. It has a Role, and profiles
// from a ConfigMap; the namespace beside it stays as it is.
func TestNamespaced(t *testing.T) {
	for name, install := range map[string]func(t *testing.T, as string){
		"chart": func(t *testing.T, as string) {
			profile, err := os.ReadFile(root("config/samples/profiles/house-gateway.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			values := filepath.Join(t.TempDir(), "values.yaml")
			text := "namespaced: {enabled: true}\ntrackMounts: true\nprofiles:\n  house-gateway.yaml: |\n    " + strings.ReplaceAll(string(profile), "\n", "\n    ")
			if err := os.WriteFile(values, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			must(t, helm, "install", "toolcontract-operator", archive(t, "toolcontract-operator"), "--namespace", "team-a", "--values", values, "--kube-as-user", as)
			t.Cleanup(func() { uninstall(t, "team-a", "toolcontract-operator") })
		},
		"kustomize": func(t *testing.T, as string) {
			must(t, kube, "create", "configmap", "toolcontract-profiles", "--namespace=team-a", "--from-file="+root("config/samples/profiles"))
			must(t, kube, "apply", "--server-side", "--as="+as, "--kustomize", overlay(t, "team-a", []string{"namespaced"}, []string{"namespaced-mounts"}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			team, other := namespaceFor(t, "team-a"), namespaceFor(t, "team-b")
			must(t, kube, "apply", "--server-side", "--force-conflicts", "--kustomize", root("config/kinds"))
			install(t, administrator(t, team))
			wantPod(t, team)
			wantNoClusterRights(t, team, other)
			p := start(t, team, manager())
			must(t, kube, "apply", "--namespace", other, "--filename", root("config/samples"))
			before := picture(t, other)
			applySamples(t, team)
			if out, err := kubectl(t.Context(), forTheGateway, "apply", "--namespace", team, "--filename=-"); err != nil {
				t.Fatal(err, out)
			}
			wantReady(t, team)
			wantLease(t, team)
			wantEvents(t, team)
			if diff := cmp.Diff(before, picture(t, other)); diff != "" {
				t.Errorf("another namespace (-before +after):\n%s", diff)
			}
			if bytes.Contains(p.log.Bytes(), []byte("forbidden")) {
				t.Errorf("the operator lacks a right:\n%s", p.log)
			}
		})
	}
}

// forTheGateway needs the profile of a file.
const forTheGateway = `apiVersion: toolcontract.dev/v1alpha1
kind: ToolContract
metadata: {name: count-visitors}
spec:
  version: 1.0.0
  toolName: count_visitors
  description: {summary: Counts the visitors of one day.}
  input:
    schema: {type: object, properties: {day: {type: string, description: The day.}}, required: [day], additionalProperties: false}
  targets:
  - {profile: house-gateway}
`

// administrator is somebody with the built-in role admin in a namespace, and with
// the rules of the Roles that are installed: who makes a Role must have what it
// gives.
func administrator(t *testing.T, namespace string) string {
	t.Helper()
	const user = "administrator-of-team-a"
	rules := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: "what-the-operator-may", Namespace: namespace}}
	for _, role := range []string{"namespaced/role.yaml", "namespaced-mounts/role.yaml", "rbac/leader_election_role.yaml"} {
		text, err := os.ReadFile(root("config/" + role))
		if err != nil {
			t.Fatal(err)
		}
		var read rbacv1.Role
		if err := yaml.UnmarshalStrict(text, &read); err != nil {
			t.Fatal(err)
		}
		rules.Rules = append(rules.Rules, read.Rules...)
	}
	bind := func(kind, role string) *rbacv1.RoleBinding {
		return &rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: role, Namespace: namespace},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: kind, Name: role},
			Subjects:   []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: user}},
		}
	}
	for _, o := range []client.Object{rules, bind("Role", rules.Name), bind("ClusterRole", "admin")} {
		if err := admin.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, func() error { // aggregation takes a moment
		_, err := kubectl(t.Context(), "", "auth", "can-i", "create", "deployments.apps", "--as="+user, "--namespace="+namespace)
		return err
	})
	return user
}

// wantNoClusterRights: nothing of the whole cluster names the ServiceAccount, and it
// may do nothing in another namespace.
func wantNoClusterRights(t *testing.T, team, other string) {
	t.Helper()
	var bindings rbacv1.ClusterRoleBindingList
	if err := admin.List(t.Context(), &bindings); err != nil {
		t.Fatal(err)
	}
	for _, b := range bindings.Items {
		for _, s := range b.Subjects {
			if s.Namespace == team {
				t.Errorf("the ClusterRoleBinding %s names %s of %s", b.Name, s.Name, team)
			}
		}
	}
	for _, what := range [][]string{{"list", "toolcontracts"}, {"list", "configmaps"}, {"patch", "toolcontracts", "--subresource=status"}, {"create", "toolrevisions"}, {"list", "pods"}} {
		if may(t, team, "toolcontract-manager", append(what, "--namespace="+other)...) {
			t.Errorf("the operator may %v in another namespace", what)
		}
		if !may(t, team, "toolcontract-manager", append(what, "--namespace="+team)...) {
			t.Errorf("the operator may not %v in its own namespace", what)
		}
	}
	if may(t, team, "toolcontract-manager", "list", "secrets", "--namespace="+team) {
		t.Error("the operator may read Secrets")
	}
}
