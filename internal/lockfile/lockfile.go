// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/toolcontract/operator/internal/finding"
)

// SchemaVersion names the form of the file.
const SchemaVersion = "toolcontract.dev/lock/v1"

// FileName is the usual name of a lock.
const FileName = "tools.lock.json"

// MaxFile is the most bytes that are read of a lock.
const MaxFile = 8 << 20

// Lock is the content of tools.lock.json. Members are only added to it, under
// another schemaVersion where a reader has to know them.
type Lock struct {
	SchemaVersion string `json:"schemaVersion"`
	// Tools are sorted by tool name, namespace and contract.
	Tools []Tool `json:"tools"`
	// Sets are sorted by namespace, name and profile.
	Sets []Set `json:"sets,omitempty"`
}

// Identity is one version of one tool.
type Identity struct {
	ToolName string `json:"toolName"`
	Contract string `json:"contract"`
	// Namespace is empty where a mounted folder does not say it.
	Namespace string `json:"namespace,omitempty"`
	Version   string `json:"version"`
	// ContentDigest is that of the frozen content, as "sha256:<hex>".
	ContentDigest string `json:"contentDigest"`
}

// Name is the contract as messages name it.
func (t Identity) Name() string { return named(t.Namespace, t.Contract) }

// matches reports whether two are the same contract as far as both say it.
func (t Identity) matches(o Identity) bool {
	return t.Contract == o.Contract && same(t.Namespace, o.Namespace)
}

// Tool is the published folder of one tool.
type Tool struct {
	Identity
	// Digest is that of index.json.
	Digest string `json:"digest"`
	// Renderings are the digests of <profile>.json, by profile.
	Renderings map[string]string `json:"renderings"`
	// Files are the digests of the files for the host, by name.
	Files map[string]string `json:"files"`
}

// Set is the published folder of one set for one profile.
type Set struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace,omitempty"`
	Profile   string `json:"profile"`
	// Digest is that of index.json.
	Digest string `json:"digest"`
	// Files are the digests of the other files, by name.
	Files map[string]string `json:"files"`
	// Tools are the tools in it, in their order.
	Tools []Identity `json:"tools"`
}

// FullName is the set as messages name it: that of its ConfigMap.
func (s Set) FullName() string { return named(s.Namespace, s.Name+"."+s.Profile) }

func named(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

// Marshal writes the lock in its one form.
func (l Lock) Marshal() []byte {
	l.SchemaVersion = SchemaVersion
	l.Tools, l.Sets = append([]Tool{}, l.Tools...), slices.Clone(l.Sets)
	slices.SortFunc(l.Tools, func(a, b Tool) int {
		return cmp.Or(cmp.Compare(a.ToolName, b.ToolName), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Contract, b.Contract), cmp.Compare(a.Version, b.Version))
	})
	slices.SortFunc(l.Sets, func(a, b Set) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Profile, b.Profile))
	})
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(l) //nolint:errchkjson // texts only, into memory
	return out.Bytes()
}

// Read reads a lock. Members that this version does not know are refused: they
// would be compared with nothing.
func Read(r io.Reader) (*Lock, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxFile+1))
	if err != nil {
		return nil, fmt.Errorf("reading the lock: %w", err)
	}
	if len(text) > MaxFile {
		return nil, fmt.Errorf("reading the lock: it has more than %d bytes", MaxFile)
	}
	var form struct {
		SchemaVersion string `json:"schemaVersion"`
	}
	if err := json.Unmarshal(text, &form); err != nil {
		return nil, fmt.Errorf("reading the lock: %w", err)
	}
	if form.SchemaVersion != SchemaVersion {
		return nil, fmt.Errorf("reading the lock: its schemaVersion is %s, and this program reads %s; write the lock anew",
			finding.Quote(form.SchemaVersion), finding.Quote(SchemaVersion))
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var l Lock
	if err := decoder.Decode(&l); err != nil {
		return nil, fmt.Errorf("reading the lock: %w", err)
	}
	if err := l.check(); err != nil {
		return nil, fmt.Errorf("reading the lock: %w", err)
	}
	return &l, nil
}

var isDigest = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`).MatchString

var errNoDigest = errors.New("a digest is sha256: and 64 hexadecimal digits; write the lock anew")

// check refuses a lock that would be compared with nothing.
func (l *Lock) check() error {
	for i, t := range l.Tools {
		if t.Contract == "" || t.Version == "" {
			return fmt.Errorf("/tools/%d has no contract or no version; write the lock anew", i)
		}
		if !digests(t.Files, t.Digest, t.ContentDigest) || !digests(t.Renderings) {
			return fmt.Errorf("/tools/%d: %w", i, errNoDigest)
		}
	}
	for i, s := range l.Sets {
		if s.Name == "" || s.Profile == "" {
			return fmt.Errorf("/sets/%d has no name or no profile; write the lock anew", i)
		}
		if !digests(s.Files, s.Digest) {
			return fmt.Errorf("/sets/%d: %w", i, errNoDigest)
		}
	}
	return nil
}

func digests(of map[string]string, others ...string) bool {
	for _, d := range of {
		if !isDigest(d) {
			return false
		}
	}
	return !slices.ContainsFunc(others, func(d string) bool { return !isDigest(d) })
}
