// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import (
	"bytes"
	"encoding/json"
	"errors"
)

// JSONObject is an arbitrary JSON object embedded in a manifest, in the form
// that the API server returned. The API server sorts its keys and rewrites
// numbers (1.0 becomes 1); where the author's exact text matters, the text
// field beside it is the one to use.
//
// +kubebuilder:validation:Type=object
// +kubebuilder:pruning:PreserveUnknownFields
// +structType=atomic
// +mapType=atomic
type JSONObject struct {
	// Raw is the JSON text of the object.
	Raw []byte `json:"-"`
}

// MarshalJSON returns the JSON text.
func (o JSONObject) MarshalJSON() ([]byte, error) {
	if o.Raw == nil {
		return []byte("{}"), nil
	}
	return o.Raw, nil
}

// UnmarshalJSON keeps the JSON text of an object; null leaves the value as it
// is, as for every Go type.
func (o *JSONObject) UnmarshalJSON(data []byte) error {
	if bytes.Equal(data, []byte("null")) {
		return nil
	}
	if trimmed := bytes.TrimLeft(data, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' {
		return errors.New("reading embedded JSON: it is not an object")
	}
	o.Raw = bytes.Clone(data)
	return nil
}

var (
	_ json.Marshaler   = JSONObject{}
	_ json.Unmarshaler = &JSONObject{}
)
