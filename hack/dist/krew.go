// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"path"
	"text/template"
)

// krewManifest fills the template of the krew manifest with the sums of archives. The
// function addURIAndSha and the field TagName are those of krew-release-bot, so that
// it can fill the same template.
func krewManifest(text, version string, sums map[string]string) ([]byte, error) {
	tag := struct{ TagName string }{version}
	fill := template.New("krew").Funcs(template.FuncMap{"addURIAndSha": func(uri, _ string) (string, error) {
		var out bytes.Buffer
		t, err := template.New("uri").Parse(uri)
		if err != nil {
			return "", err
		}
		if err := t.Execute(&out, tag); err != nil {
			return "", err
		}
		sum, ok := sums[path.Base(out.String())]
		if !ok {
			return "", fmt.Errorf("no archive %s was packed", path.Base(out.String()))
		}
		return fmt.Sprintf("uri: %s\n    sha256: %s", out.String(), sum), nil
	}})
	t, err := fill.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the template of the krew manifest: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, tag); err != nil {
		return nil, fmt.Errorf("the template of the krew manifest: %w", err)
	}
	return out.Bytes(), nil
}
