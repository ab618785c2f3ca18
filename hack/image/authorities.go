// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/pem"
	"errors"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// authorities are the certificate authorities that Mozilla trusts, as one PEM file.
// The few that are trusted for some certificates only are left out, because a file
// cannot say so. The API server of a pod is trusted by the file that Kubernetes
// mounts; these are for an API server behind a public name.
func authorities() ([]byte, error) {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue
		}
		if err := pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return nil, err
		}
	}
	if out.Len() == 0 {
		return nil, errors.New("there are no certificate authorities")
	}
	return out.Bytes(), nil
}
