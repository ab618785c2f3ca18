// SPDX-License-Identifier: Apache-2.0

package localplane

import (
	"crypto/rand"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// User is somebody who may log on to a plane. What a user may do is decided by
// RBAC objects alone, except for members of the group system:masters, who may
// do everything.
type User struct {
	// Name is what RBAC subjects of kind User name. A service account is the
	// user system:serviceaccount:<namespace>:<name>, so a manager under test can
	// be bound by the very manifests it is deployed with.
	Name string
	// Groups are the user's groups; system:authenticated comes by itself.
	Groups []string
}

const (
	// AdminUser is the user of [Plane.RESTConfig] and [Plane.KubeconfigPath].
	AdminUser = "admin"
	// ControllerManagerUser is whom the controller manager acts as; with it,
	// audited writes of the garbage collector can be told from others.
	ControllerManagerUser = "system:kube-controller-manager"
	// mastersGroup is the group that RBAC lets do everything.
	mastersGroup = "system:masters"
)

// account is a user with the token that proves it.
type account struct {
	User
	token string
}

// newAccounts gives each user, and those every plane has, a token. The first
// account is [AdminUser].
func newAccounts(users []User) ([]account, error) {
	all := append([]User{
		{Name: AdminUser, Groups: []string{mastersGroup}},
		{Name: ControllerManagerUser, Groups: []string{mastersGroup}},
	}, users...)
	accounts := make([]account, 0, len(all))
	for _, user := range all {
		if user.Name == "" {
			return nil, errors.New("adding users: a user without a name")
		}
		if slices.ContainsFunc(accounts, func(a account) bool { return a.Name == user.Name }) {
			return nil, fmt.Errorf("adding users: user %q is given twice", user.Name)
		}
		accounts = append(accounts, account{User: user, token: rand.Text()})
	}
	return accounts, nil
}

// writeTokens writes the file that the API server's --token-auth-file reads.
func writeTokens(path string, accounts []account) error {
	var text strings.Builder
	w := csv.NewWriter(&text)
	for _, a := range accounts {
		if err := w.Write([]string{a.token, a.Name, a.Name, strings.Join(a.Groups, ",")}); err != nil {
			return fmt.Errorf("writing tokens: %w", err)
		}
	}
	w.Flush()
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		return fmt.Errorf("writing tokens: %w", err)
	}
	return nil
}

// config returns a client configuration that acts as a. It has no client-side
// rate limit.
func (p *Plane) config(a account) *rest.Config {
	return &rest.Config{
		Host:            p.host,
		BearerToken:     a.token,
		TLSClientConfig: rest.TLSClientConfig{CAData: p.caData},
		QPS:             -1,
	}
}

// RESTConfig returns a client configuration for [AdminUser], who may do
// everything. It has no client-side rate limit.
func (p *Plane) RESTConfig() *rest.Config {
	return p.config(p.accounts[0]) // newAccounts puts the administrator first
}

// UserConfig returns a client configuration for one of [Options.Users]. It has
// no client-side rate limit; set QPS and Burst where a test is about them.
func (p *Plane) UserConfig(name string) (*rest.Config, error) {
	i := slices.IndexFunc(p.accounts, func(a account) bool { return a.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("user %q is not among the plane's users: add it to Options.Users", name)
	}
	return p.config(p.accounts[i]), nil
}

// WriteKubeconfig writes a kubeconfig file for one of [Options.Users] to path.
func (p *Plane) WriteKubeconfig(path, name string) error {
	user, err := p.UserConfig(name)
	if err != nil {
		return fmt.Errorf("writing kubeconfig: %w", err)
	}
	const entry = "local"
	config := api.NewConfig()
	config.Clusters[entry] = &api.Cluster{Server: user.Host, CertificateAuthorityData: user.CAData}
	config.AuthInfos[entry] = &api.AuthInfo{Token: user.BearerToken}
	config.Contexts[entry] = &api.Context{Cluster: entry, AuthInfo: entry}
	config.CurrentContext = entry
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		return fmt.Errorf("writing kubeconfig: %w", err)
	}
	return nil
}
