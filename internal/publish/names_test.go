// SPDX-License-Identifier: Apache-2.0

package publish

import (
	"regexp"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/contract"
)

func version(t *testing.T, text string) contract.Version {
	t.Helper()
	v, err := contract.ParseVersion(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const digest = "sha256:1a2b3c4d89abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func TestNames(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ got, want string }{
		"a revision":                {RevisionName("get-order", version(t, "1.2.0")), "get-order-v1.2.0"},
		"a pre-release":             {RevisionName("get-order", version(t, "1.2.0-rc.1")), "get-order-v1.2.0-rc.1"},
		"a channel":                 {ChannelName("get-order", version(t, "1.2.0").Line()), "get-order-v1"},
		"a channel below 1.0.0":     {ChannelName("get-order", version(t, "0.3.1").Line()), "get-order-v0.3"},
		"a rendering":               {RenderingName("get-order", version(t, "1.2.0"), digest), "get-order-v1.2.0-1a2b3c4d"},
		"a digest":                  {ShortDigest(digest), "1a2b3c4d"},
		"a digest without a prefix": {ShortDigest("89abcdef01234567"), "89abcdef"},
		"a short digest":            {ShortDigest("sha256:0a"), "0a"},
		"no digest":                 {ShortDigest(""), ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.got != test.want {
				t.Errorf("got %s, want %s", test.got, test.want)
			}
		})
	}
}

// Names that look like those of another contract, line or version must stay
// apart, for ConfigMaps among themselves and for revisions.
func TestNoTwoObjectsShareAName(t *testing.T) {
	t.Parallel()
	contracts := []string{"a", "a-v1", "a-v1-v1", "a-v0", "v1", "a-v1-0-0"}
	versions := []string{"0.1.0", "0.3.0", "0.3.0-0", "1.0.0", "1.0.0-v1", "1.0.0-rc.1", "1.0.0-1a2b3c4d", "11.0.0", "1.1.0"}
	configMaps, revisions := map[string]string{}, map[string]string{}
	claim := func(in map[string]string, name, owner string) {
		if other, taken := in[name]; taken && other != owner {
			t.Errorf("%s and %s are both named %s", owner, other, name)
		}
		in[name] = owner
	}
	for _, c := range contracts {
		for _, text := range versions {
			v := version(t, text)
			claim(revisions, RevisionName(c, v), c+" "+text)
			claim(configMaps, ChannelName(c, v.Line()), c+" line "+v.Line())
			claim(configMaps, RenderingName(c, v, digest), c+" "+text)
		}
	}
	for name, owner := range configMaps {
		want, _, _ := strings.Cut(owner, " ")
		if got, ok := ContractOf(name); !ok || got != want {
			t.Errorf("ContractOf(%s) is %q, %t, want %s", name, got, ok, want)
		}
	}
}

// ConfigMaps of others have no contract, however near their names come.
func TestContractOfOtherNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"", "settings", "kube-root-ca.crt", "-v1", "a-v", "a-v1.", "a-v01", "a-v0", "a-v1.2", "a-v1.2.0", "a-v0.3.1", "a-v0.03", "a-v1-rc",
		"a-v1-1a2b3c4d", "a-v1.2-1a2b3c4d", "a-v1.2.0-1a2b3c4", "a-v1.2.0-1a2b3c4d5", "a-v1.2.0-1A2B3C4D", "a-v1.2.0-1a2b3c4g", "a-v1.2.0-", "a-v1.2.0--1a2b3c4d",
		"a-v1.2.0+b-1a2b3c4d", "a-v1.02.0-1a2b3c4d", "a-v1000000000", "A-v1", "a.b-v1", "a/b-v1", "-a-v1", "a--v1-", "a\x00-v1", "ä-v1", "revision-v", "a-vv1",
		strings.Repeat("a", 64) + "-v1", "a-v1.2.0-" + strings.Repeat("b", 250) + "-1a2b3c4d",
	} {
		if got, ok := ContractOf(name); ok || got != "" {
			t.Errorf("ContractOf(%q) is %q, want none", name, got)
		}
	}
}

func TestNamesAreDNSSubdomains(t *testing.T) {
	t.Parallel()
	subdomain := regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
	longest := strings.Repeat("a", 63)
	for _, text := range []string{"0.0.0", "1.0.0-a.b-c.0", "999999999.999999999.999999999-" + strings.Repeat("a", 10)} {
		v := version(t, text)
		for _, name := range []string{
			RevisionName(longest, v), ChannelName(longest, v.Line()), RenderingName(longest, v, digest),
		} {
			if !subdomain.MatchString(name) || len(name) > 253 {
				t.Errorf("%s is no object name", name)
			}
		}
	}
}
