// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/toolcontract/operator/internal/finding"
)

// Version is a semantic version without build metadata.
type Version struct{ v semver.Version }

// ParseVersion reads a version strictly: three parts, no leading zeros, no
// "v", no build metadata. Object names are made of it, so it has no upper case
// and its identifiers begin and end with a letter or digit.
func ParseVersion(text string) (Version, error) {
	v, err := semver.StrictNewVersion(text)
	switch {
	case err != nil:
	case v.Metadata() != "":
		err = errors.New("build metadata does not order versions")
	case text != strings.ToLower(text):
		err = errors.New("upper case does not fit into object names")
	case max(v.Major(), v.Minor(), v.Patch()) > maxPart:
		err = fmt.Errorf("a number is greater than %d", maxPart)
	case strings.HasPrefix(v.Prerelease(), "-") || strings.HasSuffix(v.Prerelease(), "-") ||
		strings.Contains(v.Prerelease(), "-.") || strings.Contains(v.Prerelease(), ".-"):
		err = errors.New("a pre-release identifier begins or ends with a hyphen, which does not fit into object names")
	}
	if err != nil {
		return Version{}, fmt.Errorf("reading version %s: %w", finding.Quote(text), err)
	}
	return Version{*v}, nil
}

// maxPart is the greatest number in a version, as in the API.
const maxPart = 999_999_999

// String is the version as written.
func (v Version) String() string { return v.v.String() }

// Compare orders by semantic version precedence.
func (v Version) Compare(w Version) int { return v.v.Compare(&w.v) }

// IsPrerelease reports whether the version is a pre-release, which is
// published immutably but moves no channel.
func (v Version) IsPrerelease() bool { return v.v.Prerelease() != "" }

// Line is the compatibility line: the major version, or "0.y" below 1.0.0,
// where semantic versioning lets the minor take the major's role.
func (v Version) Line() string {
	if v.v.Major() == 0 {
		return fmt.Sprintf("0.%d", v.v.Minor())
	}
	return fmt.Sprintf("%d", v.v.Major())
}

// CompareLines orders versions by their line only.
func CompareLines(v, w Version) int {
	return cmp.Or(cmp.Compare(v.v.Major(), w.v.Major()), func() int {
		if v.v.Major() != 0 {
			return 0
		}
		return cmp.Compare(v.v.Minor(), w.v.Minor())
	}())
}

// Bump is what a change of version promises to callers.
type Bump int

// The bumps, in order: a greater one suffices wherever a smaller one does.
const (
	None Bump = iota
	Patch
	Minor
	Major
)

var bumpNames = [...]string{"None", "Patch", "Minor", "Major"}

// String is the word for the bump.
func (b Bump) String() string { return bumpNames[b] }

// BumpBetween is the bump that going from one version to a higher one
// declares. Within a line below 1.0.0 a higher patch declares up to Minor,
// since there is nothing between it and the next line.
func BumpBetween(from, to Version) Bump {
	switch {
	case from.Line() != to.Line():
		return Major
	case to.Compare(from) <= 0:
		return None
	case to.v.Major() == 0 || to.v.Minor() != from.v.Minor():
		return Minor
	default:
		return Patch
	}
}

// Next is the smallest version above v that declares the bump.
func (v Version) Next(b Bump) Version {
	switch {
	case b == Major && v.v.Major() == 0, b == Minor && v.v.Major() != 0:
		return Version{v.v.IncMinor()}
	case b == Major:
		return Version{v.v.IncMajor()}
	default:
		return Version{v.v.IncPatch()}
	}
}
