// SPDX-License-Identifier: Apache-2.0

package localplane

import (
	"net/http"
	"testing"
)

// deployment has no nodes to run on; its ReplicaSet and pod are made all the same.
const deployment = `{
	"metadata": {"name": "agent"},
	"spec": {
		"selector": {"matchLabels": {"app": "agent"}},
		"template": {
			"metadata": {"labels": {"app": "agent"}},
			"spec": {"containers": [{"name": "agent", "image": "example.com/agent"}]}
		}
	}
}`

func TestControllerManagerRunsTheControllersAskedFor(t *testing.T) {
	t.Parallel()
	plane := startPlane(t, Options{Audit: true})
	if err := plane.StartControllerManager(t.Context(), DeploymentController, ReplicaSetController); err != nil {
		t.Fatal(err)
	}
	c, err := plane.adminClient()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.send(t.Context(), http.MethodPost, "/apis/apps/v1/namespaces/default/deployments", deployment); err != nil {
		t.Fatal(err)
	}
	waitForWrite(t, plane, Write{User: ControllerManagerUser, Verb: "create", Group: "apps", Resource: "replicasets", Code: http.StatusCreated})
	waitForWrite(t, plane, Write{User: ControllerManagerUser, Verb: "create", Resource: "pods", Code: http.StatusCreated})

	wantError(t, plane.StartControllerManager(t.Context()), "already running")
}

func TestControllerManagerErrorQuotesItsLog(t *testing.T) {
	t.Parallel()
	plane := startPlane(t, Options{})
	err := plane.StartControllerManager(t.Context(), "no-such-controller")
	wantError(t, err, "is not in the list of known controllers")
	if err := plane.StartControllerManager(t.Context()); err != nil {
		t.Errorf("starting again without it: %v", err)
	}
}
