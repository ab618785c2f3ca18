// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
)

// Name is the namespace and the name of an object.
type Name struct{ Namespace, Name string }

// Compare orders by namespace, then name.
func (n Name) Compare(o Name) int {
	return cmp.Or(strings.Compare(n.Namespace, o.Namespace), strings.Compare(n.Name, o.Name))
}

// The folders of the pages, and the files beside them.
const (
	contractsFolder  = "contracts/"
	setsFolder       = "sets/"
	profilesFolder   = "profiles/"
	namespacesFolder = "namespaces/"
	rulesFolder      = "rules/"

	indexFile    = "index.html"
	listFile     = "contracts.html"
	setsFile     = "sets.html"
	profilesFile = "profiles.html"
	findingsFile = "findings.html"
	styleFile    = "style.css"
	iconFile     = "icon.svg"

	// Marker is the file that says that a folder holds a catalogue.
	Marker = "catalogue.json"
)

var (
	label = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
	// device is what Windows takes for a device, with any extension.
	device = regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])$`)
)

// slug is a name that can be part of a file name: words joined by a sign that no
// DNS label has, or, if one is no DNS label, a digest with that sign at its end.
// Two lists of words never have the same one, and none begins with the sign:
// hosts of static pages leave such files out.
func slug(words ...string) string {
	for _, w := range words {
		if !label.MatchString(w) {
			sum := sha256.Sum256(fmt.Appendf(nil, "%q", words))
			return "d_" + hex.EncodeToString(sum[:16]) + "_"
		}
	}
	if len(words) == 1 && device.MatchString(words[0]) {
		return words[0] + "_"
	}
	return strings.Join(words, "_")
}

// pageFile is the file of a page that may go on in others: the first, or the nth
// from 2. No slug ends like that.
func pageFile(folder, slug string, n int) string {
	if n > 1 {
		return fmt.Sprintf("%s%s__%d.html", folder, slug, n)
	}
	return folder + slug + ".html"
}

func (n Name) slug() string { return slug(n.Namespace, n.Name) }

// profileAnchor is where a contract's page tells of a profile.
func profileAnchor(profile string) string { return "p-" + slug(profile) }
