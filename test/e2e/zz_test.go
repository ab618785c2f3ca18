package e2e

import "testing"

func TestZZ(t *testing.T) {
	w := newWorld(t)
	liveThrough(w, newCrash(0, false))
	for _, x := range w.writes() {
		t.Log(x.Verb, x.Resource, x.Subresource, x.Name, x.Code)
	}
}
