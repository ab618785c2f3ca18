// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// operatorRights is everything that the operator may do outside its own
// namespace, beside what every authenticated user may. It may not read a single
// Secret, and not write a contract.
const operatorRights = `authentication.k8s.io/tokenreviews: create
authorization.k8s.io/subjectaccessreviews: create
configmaps: create,delete,get,list,patch,watch
events.k8s.io/events: create,patch
namespaces: get,list,watch
toolcontract.dev/providerprofiles/status: get,patch
toolcontract.dev/providerprofiles: get,list,watch
toolcontract.dev/toolcontracts/status: get,patch
toolcontract.dev/toolcontracts: get,list,watch
toolcontract.dev/toolrevisions/status: get,patch
toolcontract.dev/toolrevisions: create,delete,get,list,patch,watch
toolcontract.dev/toolsets/status: get,patch
toolcontract.dev/toolsets: get,list,watch
`

// TestTheOperatorHasNoOtherRights asks the API server for all rules that apply
// to the operator's service account.
func TestTheOperatorHasNoOtherRights(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	everybody := rules(t, w.namespace, "somebody")
	var own []string
	for _, rule := range rules(t, w.namespace, managerUser) {
		if !slices.Contains(everybody, rule) {
			own = append(own, rule)
		}
	}
	if diff := cmp.Diff(operatorRights, strings.Join(own, "\n")+"\n"); diff != "" {
		t.Errorf("rights of the operator (-want +got):\n%s", diff)
	}
}

func userConfig(t *testing.T, name string) *rest.Config {
	t.Helper()
	config, err := plane.UserConfig(name)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

func clientFor(t *testing.T, config *rest.Config) client.Client {
	t.Helper()
	c, err := client.New(config, client.Options{Scheme: admin.Scheme()})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// rules are what a user may do in a namespace, one line for each resource. The
// administrator asks in the user's place.
func rules(t *testing.T, namespace, user string) []string {
	t.Helper()
	config := plane.RESTConfig()
	config.Impersonate = rest.ImpersonationConfig{UserName: user, Groups: []string{"system:authenticated"}}
	review := &authorizationv1.SelfSubjectRulesReview{Spec: authorizationv1.SelfSubjectRulesReviewSpec{Namespace: namespace}}
	if err := clientFor(t, config).Create(t.Context(), review); err != nil {
		t.Fatal(err)
	}
	if review.Status.Incomplete {
		t.Fatalf("the rules are incomplete: %s", review.Status.EvaluationError)
	}
	verbs := map[string][]string{}
	for _, rule := range review.Status.ResourceRules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				name := strings.TrimPrefix(group+"/"+resource, "/")
				verbs[name] = append(verbs[name], rule.Verbs...)
			}
		}
	}
	var out []string
	for name, all := range verbs {
		slices.Sort(all)
		out = append(out, name+": "+strings.Join(slices.Compact(all), ","))
	}
	slices.Sort(out)
	return out
}

// may reports whether a user may do something with a resource of this project,
// for example "patch toolcontracts/status".
func may(t *testing.T, config *rest.Config, namespace, what string) bool {
	t.Helper()
	verb, resource, _ := strings.Cut(what, " ")
	resource, subresource, _ := strings.Cut(resource, "/")
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{
			Namespace: namespace, Verb: verb, Group: v1alpha1.GroupVersion.Group, Resource: resource, Subresource: subresource,
		},
	}}
	if err := clientFor(t, config).Create(t.Context(), review); err != nil {
		t.Fatal(err)
	}
	return review.Status.Allowed
}

// TestAuthorsWriteContractsAndNothingElse binds an author to the built-in role
// edit, which the project's editor role joins. Revisions and statuses are the
// operator's.
func TestAuthorsWriteContractsAndNothingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withGarbageCollector() // and with what aggregates roles
	w.create(&rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "authors"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "edit"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: authorUser}},
	})
	author := userConfig(t, authorUser)
	w.eventually(func() error {
		if !may(t, author, w.namespace, "create toolcontracts") {
			return errors.New("the role edit does not have the project's rules yet")
		}
		return nil
	})
	for what, want := range map[string]bool{
		"get toolcontracts": true, "list toolcontracts": true, "watch toolcontracts": true, "update toolcontracts": true,
		"patch toolcontracts": true, "delete toolcontracts": true, "deletecollection toolcontracts": true,
		"get toolrevisions": true, "list toolrevisions": true, "watch toolrevisions": true,
		"create toolrevisions": false, "update toolrevisions": false, "patch toolrevisions": false,
		"delete toolrevisions": false, "deletecollection toolrevisions": false,
		"update toolcontracts/status": false, "patch toolcontracts/status": false,
		"update toolrevisions/status": false, "patch toolrevisions/status": false,
		"create toolsets": true, "update toolsets": true, "patch toolsets": true, "delete toolsets": true, "get toolsets": true,
		"update toolsets/status": false, "patch toolsets/status": false,
	} {
		if got := may(t, author, w.namespace, what); got != want {
			t.Errorf("an author may %s: %t, want %t", what, got, want)
		}
	}
	w.startOperator()
	w.publish(tool("find-order", "1.0.0", inputFirst))
	if err := clientFor(t, author).Delete(t.Context(), &w.revisions()[0]); !apierrors.IsForbidden(err) {
		t.Errorf("an author deletes a revision: %v, want Forbidden", err)
	}
}

// TestTheOperatorAsksOnlyForItsOwn records every request of an operator through
// the life of a contract. ConfigMaps of others never enter the process: every
// list and watch of ConfigMaps has our label as its selector. Nothing about Secrets, and
// nothing about any other kind, is ever asked.
func TestTheOperatorAsksOnlyForItsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var rec recorder
	w.startOperatorWith(through(managerConfig(t), rec.between))
	for _, step := range life {
		w.put(step.contract)
		w.eventually(func() error { return w.said(step.contract.Name, step.reason) })
	}
	selector := "labelSelector=app.kubernetes.io%2Fmanaged-by%3Dtoolcontract-controller"
	watched := map[string]bool{}
	for _, request := range rec.all() {
		method, uri, _ := strings.Cut(request, " ")
		path, query, _ := strings.Cut(uri, "?")
		kind := kindOf(path, w.namespace)
		switch kind {
		case "toolcontracts", "toolrevisions", "toolsets", "configmaps", "events":
		case "discovery":
			continue
		default:
			t.Errorf("the operator asked for %s", request)
		}
		isList := method == "GET" && strings.HasSuffix(path, "/"+kind)
		if isList && kind == "configmaps" && !strings.Contains(query, selector) {
			t.Errorf("ConfigMaps of others are read: %s", request)
		}
		if isList && strings.Contains(query, "watch=") {
			watched[kind] = true // more than once if the connection was lost
		}
	}
	if diff := cmp.Diff(map[string]bool{"toolcontracts": true, "toolrevisions": true, "toolsets": true, "configmaps": true}, watched); diff != "" {
		t.Errorf("watched kinds (-want +got):\n%s", diff)
	}
}

// kindOf is the resource that a path is about, "discovery" for a path that asks
// what resources there are.
func kindOf(path, namespace string) string {
	_, inside, found := strings.Cut(path, "/namespaces/"+namespace+"/")
	if found {
		kind, _, _ := strings.Cut(inside, "/")
		return kind
	}
	if slices.Contains([]string{"/api", "/apis", "/api/v1"}, path) || (strings.HasPrefix(path, "/apis/") && strings.Count(path, "/") == 3) {
		return "discovery"
	}
	return fmt.Sprintf("something else: %s", path)
}
