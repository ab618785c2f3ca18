// SPDX-License-Identifier: Apache-2.0

package localplane

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
)

// Controllers for [Plane.StartControllerManager]. A Deployment needs both to get
// as far as pods.
const (
	DeploymentController = "deployment-controller"
	ReplicaSetController = "replicaset-controller"
)

// baseControllers run in every controller manager: dependents of deleted owners
// are collected, namespaces can be deleted and get their default service account.
const baseControllers = "garbage-collector-controller,namespace-controller,serviceaccount-controller"

// StartControllerManager starts a controller manager with the garbage collection,
// namespace and service account controllers and the extra ones named. It returns
// when garbage is collected. The controllers act as [ControllerManagerUser].
//
// Create CRDs first: the garbage collector learns of a kind that is newer than
// itself only in its next discovery, up to 41 seconds later.
func (p *Plane) StartControllerManager(ctx context.Context, extra ...string) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	path, err := binaryPath(p.binDir, controllerManagerBinary)
	if err != nil {
		return err
	}
	kubeconfig := filepath.Join(p.Dir, "controller-manager.kubeconfig")
	if err := p.WriteKubeconfig(kubeconfig, ControllerManagerUser); err != nil {
		return err
	}
	client, err := p.adminClient()
	if err != nil {
		return err
	}

	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.controllerManager != nil {
		return errors.New("starting " + controllerManagerBinary + ": it is already running")
	}
	manager, err := startProcess(
		p.Dir, path,
		"--kubeconfig="+kubeconfig,
		"--leader-elect=false",
		"--secure-port=0",
		"--controllers="+strings.Join(append([]string{baseControllers}, extra...), ","),
	)
	if err != nil {
		return err
	}
	if err := waitControllerManager(ctx, manager, client); err != nil {
		_ = manager.stop() // why it failed is in err
		return err
	}
	p.controllerManager = manager
	return nil
}

// waitControllerManager waits for what the controllers do. They serve no health
// endpoint, because that would take one more port.
func waitControllerManager(ctx context.Context, manager *process, c *client) error {
	if err := manager.waitReady(ctx, newGarbageProbe(c)); err != nil {
		return err
	}
	return manager.waitReady(ctx, func(ctx context.Context) error {
		return c.get(ctx, "/api/v1/namespaces/default/serviceaccounts/default")
	})
}

// garbage is a ConfigMap whose owner does not exist, which the garbage collector
// therefore deletes.
const (
	configMaps  = "/api/v1/namespaces/default/configmaps"
	garbageName = "localplane-garbage"
	garbage     = `{
	"apiVersion": "v1", "kind": "ConfigMap",
	"metadata": {
		"name": "` + garbageName + `",
		"ownerReferences": [{
			"apiVersion": "v1", "kind": "ConfigMap", "name": "localplane-no-owner",
			"uid": "00000000-0000-0000-0000-000000000000"
		}]
	}
}`
)

// newGarbageProbe returns a probe that is satisfied when an object without an
// owner, which it creates first, has been collected.
func newGarbageProbe(c *client) func(context.Context) error {
	created := false
	return func(ctx context.Context) error {
		if !created {
			if _, err := c.send(ctx, http.MethodPost, configMaps, garbage); err != nil {
				return err
			}
			created = true
		}
		status, err := c.send(ctx, http.MethodGet, configMaps+"/"+garbageName, "")
		switch {
		case status == http.StatusNotFound:
			return nil
		case err != nil:
			return err
		default:
			return fmt.Errorf("%s/%s is not collected yet", configMaps, garbageName)
		}
	}
}
