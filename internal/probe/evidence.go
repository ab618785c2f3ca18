// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
)

// Form is which schema was sent.
type Form string

// The forms.
const (
	// Adapted is the rendering that the operator publishes.
	Adapted Form = "Adapted"
	// AsWritten is the author's schema in the wire format, with nothing rewritten:
	// it shows what the API says of keywords that adaptation takes away.
	AsWritten Form = "AsWritten"
)

// Evidence is what one request showed, as one line of JSON. Members are only
// added to it.
type Evidence struct {
	// Date is the day of the request, as YYYY-MM-DD.
	Date     string `json:"date"`
	Provider string `json:"provider"`
	API      string `json:"api"`
	// Model is the model that was asked, AnsweredBy the one that the API named.
	Model      string `json:"model"`
	AnsweredBy string `json:"answeredBy,omitempty"`

	Profile         string `json:"profile"`
	ProfileRevision int    `json:"profileRevision"`
	ProfileDigest   string `json:"profileDigest"`

	Namespace string `json:"namespace,omitempty"`
	Contract  string `json:"contract"`
	Version   string `json:"version"`
	ToolName  string `json:"toolName"`
	// ContentDigest identifies the content of the contract.
	ContentDigest string `json:"contentDigest"`

	Form       Form   `json:"form"`
	Strict     string `json:"strict"`     // the policy: Required, Preferred, Disabled
	Adaptation string `json:"adaptation"` // the strongest effect allowed
	// Renderer is the version of the wire format's renderer, RenderingDigest the
	// SHA-256 of the bytes that were sent, as in index.json.
	Renderer        int    `json:"renderer"`
	RenderingDigest string `json:"renderingDigest"`

	// StrictSent is whether strict mode was asked for, StrictReturned what the API
	// said that it is, if it did.
	StrictSent     bool  `json:"strictSent"`
	StrictReturned *bool `json:"strictReturned,omitempty"`

	Outcome    Outcome `json:"outcome"`
	Status     int     `json:"status"` // of HTTP; 0 if there was no answer
	ErrorCode  string  `json:"errorCode,omitempty"`
	ErrorParam string  `json:"errorParam,omitempty"`
	Error      string  `json:"error,omitempty"`
}

// Line is the evidence as one line.
func (e Evidence) Line() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(e); err != nil {
		return nil, fmt.Errorf("writing evidence: %w", err)
	}
	return b.Bytes(), nil
}

// maxEvidenceLine bounds a line; Line writes far less.
const maxEvidenceLine = 64 << 10

// Lines yields the evidence in a text by line number. A line that is none is an
// error, and the others follow.
func Lines(text []byte) iter.Seq2[int, Parsed] {
	return func(yield func(int, Parsed) bool) {
		at := 0
		for line := range bytes.Lines(text) {
			at++
			line = bytes.TrimSpace(line)
			if len(line) == 0 {
				continue
			}
			if !yield(at, parse(line)) {
				return
			}
		}
	}
}

// Parsed is a line that was read: evidence, or what is wrong with it.
type Parsed struct {
	Evidence
	Wrong string
}

func parse(line []byte) Parsed {
	if len(line) > maxEvidenceLine {
		return Parsed{Wrong: fmt.Sprintf("it has %d bytes, more than any line that probe writes", len(line))}
	}
	var e Evidence
	decoder := json.NewDecoder(bytes.NewReader(line))
	if err := decoder.Decode(&e); err != nil {
		return Parsed{Wrong: "it is not a line of evidence: " + finding.Clip(strings.TrimPrefix(err.Error(), "json: "), 160)}
	}
	if _, err := decoder.Token(); err != io.EOF {
		return Parsed{Wrong: "there is more than one value in it"}
	}
	var missing []string
	for name, value := range map[string]string{
		"date": e.Date, "model": e.Model, "profile": e.Profile, "contract": e.Contract, "version": e.Version,
		"contentDigest": e.ContentDigest, "form": string(e.Form), "renderingDigest": e.RenderingDigest, "outcome": string(e.Outcome),
	} {
		if value == "" {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	switch {
	case len(missing) > 0:
		return Parsed{Wrong: "it lacks " + strings.Join(missing, ", ")}
	case !slices.Contains([]Outcome{Taken, Refused, NotAsked}, e.Outcome):
		return Parsed{Wrong: "the outcome " + finding.Quote(string(e.Outcome)) + " is none"}
	case e.Form != Adapted && e.Form != AsWritten:
		return Parsed{Wrong: "the form " + finding.Quote(string(e.Form)) + " is none"}
	}
	return Parsed{Evidence: e}
}
