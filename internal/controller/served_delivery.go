// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
)

// delivery is how the files of a ConfigMap were made. The files themselves say
// it, so that it can be relied on as much as on them.
type delivery struct {
	ContentDigest string            `json:"contentDigest"`
	Targets       []v1alpha1.Target `json:"targets"`
}

// deliveryOf reads a ConfigMap, cached or not; it is empty for one that is not
// whole.
func deliveryOf(cm *corev1.ConfigMap) delivery {
	if _, stripped := cm.Data[digestKey]; !stripped {
		var d delivery
		d.ContentDigest, d.Targets = evaluate.Delivery(cm.Data)
		return d
	}
	var d delivery
	if json.Unmarshal([]byte(cm.Data[deliveryKey]), &d) != nil {
		return delivery{}
	}
	return d
}

// cachedDelivery is what the cache keeps of it, empty for nothing; see
// [stripData].
func cachedDelivery(cm *corev1.ConfigMap) string {
	d := deliveryOf(cm)
	text, err := json.Marshal(d)
	if err != nil || len(d.Targets) == 0 {
		return ""
	}
	return string(text)
}
