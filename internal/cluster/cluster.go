// SPDX-License-Identifier: Apache-2.0

// Package cluster reads from a Kubernetes API server for the command, with the
// kubeconfig, the context and the namespace that kubectl would use. It only
// reads, and returns objects as the server has them; what they mean is known
// elsewhere.
package cluster

import (
	"context"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// Options choose the server and the namespace, as the flags of kubectl do.
type Options struct {
	// Kubeconfig is a file; empty for KUBECONFIG, the user's own, or the service
	// account of the pod.
	Kubeconfig string
	// Context is one of that file; empty for the current one.
	Context string
	// Namespace is empty for that of the context.
	Namespace string
}

// page is how many objects the server is asked for at once.
const page = "100"

// Revisions returns the ToolRevisions of a contract as JSON, in the order of the
// server, and the namespace that they are from.
func Revisions(ctx context.Context, o Options, contract string) (namespace string, revisions []json.RawMessage, err error) {
	client, namespace, err := connect(o)
	if err != nil {
		return "", nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	for next := ""; ; {
		request := client.Get().Namespace(namespace).Resource("toolrevisions").
			Param("labelSelector", v1alpha1.LabelContract+"="+contract).Param("limit", page)
		if next != "" {
			request = request.Param("continue", next)
		}
		items, more, err := objects(ctx, request)
		if err != nil {
			return namespace, nil, fmt.Errorf("listing ToolRevisions in namespace %s: %w", namespace, err)
		}
		revisions = append(revisions, items...)
		if next = more; next == "" {
			return namespace, revisions, nil
		}
	}
}

// objects reads one page of a list; next is where the following one begins, empty
// for the end.
func objects(ctx context.Context, request *rest.Request) (items []json.RawMessage, next string, err error) {
	result := request.Do(ctx)
	if err := result.Error(); err != nil { // with what the server says, unlike that of Raw
		return nil, "", err
	}
	text, err := result.Raw()
	if err != nil {
		return nil, "", err
	}
	var list struct {
		Metadata metav1.ListMeta   `json:"metadata"`
		Items    []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, "", err
	}
	return list.Items, list.Metadata.Continue, nil
}

// connect finds the server, and the namespace that is meant.
func connect(o Options) (client *rest.RESTClient, namespace string, err error) {
	config, namespace, err := configure(o)
	if err != nil {
		return nil, "", err
	}
	client, err = clientFor(config, v1alpha1.GroupVersion)
	return client, namespace, err
}

// configure reads the kubeconfig.
func configure(o Options) (config *rest.Config, namespace string, err error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = o.Kubeconfig
	overrides := &clientcmd.ConfigOverrides{CurrentContext: o.Context}
	overrides.Context.Namespace = o.Namespace
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides)
	if config, err = loader.ClientConfig(); err != nil {
		return nil, "", err
	}
	namespace, _, err = loader.Namespace()
	return config, namespace, err
}

// clientFor returns a client for one version of one group.
func clientFor(config *rest.Config, version schema.GroupVersion) (*rest.RESTClient, error) {
	scheme := runtime.NewScheme() // for the errors of the server
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	config = rest.CopyConfig(config)
	if config.APIPath = "/apis"; version.Group == "" {
		config.APIPath = "/api"
	}
	config.GroupVersion = &version
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	return rest.RESTClientFor(config)
}
