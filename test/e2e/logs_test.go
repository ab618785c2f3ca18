// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/operator"
)

// logLines holds what the operator logs, as the manager writes it.
type logLines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements [io.Writer].
func (l *logLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logLines) lines() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Split(strings.TrimSpace(l.text.String()), "\n")
}

// TestTheSteadyStateIsSilent: fifty contracts that nobody changes cost no line of
// the log, however often they are looked at again. The beacon proves each resync, as in
// [TestTenResyncsWriteNothing], and lines about it are not counted.
func TestTheSteadyStateIsSilent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var log logLines
	w.startOperatorWith(managerConfig(t), oneWorker, func(o *operator.Options) {
		o.Resync, o.Recheck, o.Logger = time.Second, time.Hour, zap.New(zap.WriteTo(&log))
	})
	for i := range 50 {
		w.put(tool(fmt.Sprintf("quiet-%02d", i), "1.0.0", inputFirst))
	}
	w.refuse(tool("refused", "1.0.0", `{"type":"objekt"}`), v1alpha1.ReasonInvalidSchema)
	w.publish(tool(beacon, "1.0.0", inputFirst))
	for i := range 50 {
		w.settled(fmt.Sprintf("quiet-%02d", i))
	}
	w.eventually(w.complete)
	w.eventually(func() error { // the last line is written after the last status
		told := 0
		for _, line := range log.lines() {
			if strings.Contains(line, `"contract changed"`) && strings.Contains(line, `"name":"quiet-`) {
				told++
			}
		}
		if told != 50 {
			return fmt.Errorf("the log tells of %d contracts, want 50", told)
		}
		return nil
	})
	before := len(log.lines())
	for i := range 3 {
		taken := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: fmt.Sprintf("%s-v%d", beacon, i+2)}}
		if err := admin.Create(t.Context(), taken); err != nil {
			t.Fatal(err)
		}
		w.refuse(tool(beacon, fmt.Sprintf("%d.0.0", i+2), inputFirst), v1alpha1.ReasonNameConflict)
		if err := admin.Delete(t.Context(), taken); err != nil {
			t.Fatal(err)
		}
		w.eventually(func() error { return w.said(beacon, v1alpha1.ReasonPublished) })
	}
	for _, line := range log.lines()[before:] {
		if !strings.Contains(line, `"`+beacon+`"`) {
			t.Errorf("logged although nothing has changed: %s", line)
		}
	}
}
