// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// An interrupt ends the context that run is given; see main.
func TestRunPrintsAKubeconfigAndStopsWhenInterrupted(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	var stderr bytes.Buffer
	done := make(chan error, 1)
	go func() {
		err := run(ctx, nil, writer, &stderr)
		writer.Close()
		done <- err
	}()

	lines := bufio.NewScanner(reader)
	lines.Scan()
	kubeconfig, found := strings.CutPrefix(lines.Text(), "export KUBECONFIG=")
	if !found {
		t.Fatalf("the first line is %q; run: %v", lines.Text(), <-done)
	}
	if _, err := os.Stat(kubeconfig); err != nil {
		t.Error(err)
	}
	lines.Scan()
	if !strings.HasPrefix(lines.Text(), "export PATH=/") {
		t.Errorf("the second line is %q, want one that puts kubectl on PATH", lines.Text())
	}
	interrupt()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(kubeconfig); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("kubeconfig after the interrupt: %v, want %v", err, os.ErrNotExist)
	}
}

func TestRunRefusesUnknownFlags(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	err := run(t.Context(), []string{"--no-such-flag"}, io.Discard, &stderr)
	if err == nil || !strings.Contains(stderr.String(), "no-such-flag") {
		t.Errorf("error %v, stderr %q; want both to refuse the flag", err, stderr.String())
	}
}
