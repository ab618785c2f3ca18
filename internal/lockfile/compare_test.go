// SPDX-License-Identifier: Apache-2.0

package lockfile_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/lockfile"
)

// changed is a copy of a tool with something else in it. A folder does not say
// the namespace.
func changed(t lockfile.Tool, change func(*lockfile.Tool)) *lockfile.Tool {
	t.Namespace = ""
	t.Renderings, t.Files = maps.Clone(t.Renderings), maps.Clone(t.Files)
	change(&t)
	return &t
}

func changedSet(s lockfile.Set, change func(*lockfile.Set)) *lockfile.Set {
	s.Namespace = ""
	s.Files = maps.Clone(s.Files)
	change(&s)
	return &s
}

func TestCompare(t *testing.T) {
	t.Parallel()
	order, refund := identity("get-order", "1.0.0", "1"), identity("submit-refund", "1.0.0", "1")
	tools := lockfile.Lock{Tools: []lockfile.Tool{tool("get-order")}}
	sets := lockfile.Lock{Tools: []lockfile.Tool{tool("get-order"), tool("submit-refund")}, Sets: []lockfile.Set{set(order, refund)}}
	one := func(change func(*lockfile.Tool)) []lockfile.Folder {
		return []lockfile.Folder{{Path: "a", Tool: changed(tool("get-order"), change)}}
	}
	desk := func(change func(*lockfile.Set)) []lockfile.Folder {
		return []lockfile.Folder{{Path: "desk", Set: changedSet(set(order, refund), func(s *lockfile.Set) { s.Digest = digest("0"); change(s) })}}
	}
	for name, test := range map[string]struct {
		lock    lockfile.Lock
		folders []lockfile.Folder
		part    bool
		want    []string
	}{
		"the same": {tools, one(func(*lockfile.Tool) {}), false, nil},
		"another version": {tools, one(func(t *lockfile.Tool) { t.Version, t.Digest, t.ContentDigest = "1.1.0", digest("0"), digest("0") }), false, []string{
			"a: shop/get-order is there in version 1.1.0, and 1.0.0 is locked [other-version]",
		}},
		"another content": {tools, one(func(t *lockfile.Tool) { t.Digest, t.ContentDigest = digest("0"), digest("2") }), false, []string{
			"a: shop/get-order 1.0.0 says something else than the one that was locked: its content is " + digest("2") + ", and " + digest("1") + " is locked [other-content]",
		}},
		"other bytes": {tools, one(func(t *lockfile.Tool) {
			t.Digest, t.Renderings["openai-responses"], t.Files["contract.json"] = digest("0"), digest("0"), digest("4")
		}), false, []string{
			"a/openai-responses.json: the content of the tools is the same and the bytes are not: they are " + digest("0") + ", and " + digest("b") + " is locked [other-bytes]",
			"a/contract.json: the content of the tools is the same and the bytes are not: they are " + digest("4") + ", and " + digest("d") + " is locked [other-bytes]",
		}},
		"files missing and extra": {tools, one(func(t *lockfile.Tool) {
			t.Digest = digest("0")
			delete(t.Renderings, "anthropic-messages")
			t.Renderings["mistral-chat"] = digest("0")
		}), false, []string{
			"a/anthropic-messages.json: the file is locked, and is not there [missing]", "a/mistral-chat.json: the file is there, and the lock does not name it [extra]",
		}},
		"only the index": {tools, one(func(t *lockfile.Tool) { t.Digest = digest("0") }), false, []string{
			"a/index.json: its digest is " + digest("0") + ", and " + digest("a") + " is locked, though the files are the same [other-bytes]",
		}},
		"nothing there": {tools, nil, false, []string{"shop/get-order: version 1.0.0 is locked, and the tool is not there [missing]"}},
		"a part":        {tools, nil, true, nil},
		"another tool": {tools, []lockfile.Folder{{Path: "x", Tool: changed(tool("cancel-order"), func(*lockfile.Tool) {})}}, false, []string{
			"x: cancel-order 1.0.0 is there, and the lock does not name it [extra]", "shop/get-order: version 1.0.0 is locked, and the tool is not there [missing]",
		}},
		"two namespaces": {
			lockfile.Lock{Tools: []lockfile.Tool{*changed(tool("get-order"), func(t *lockfile.Tool) { t.Namespace, t.Digest = "old", digest("9") }), tool("get-order")}},
			one(func(*lockfile.Tool) {}), true, nil,
		},
		"the same set": {sets, desk(func(s *lockfile.Set) { s.Digest = digest("f") }), false, nil},
		"a set whose tools have other versions": {sets, desk(func(s *lockfile.Set) {
			s.Tools = []lockfile.Identity{identity("get-order", "1.2.0", "1"), identity("submit-refund", "1.0.0", "5")}
		}), false, []string{
			"desk: shop/get-order is there in version 1.2.0, and 1.0.0 is locked [other-version]",
			"desk: shop/submit-refund 1.0.0 says something else than the one that was locked: its content is " + digest("5") + ", and " + digest("1") + " is locked [other-content]",
		}},
		"a set with other tools": {sets, desk(func(s *lockfile.Set) { s.Tools = []lockfile.Identity{order, identity("cancel-order", "1.0.0", "1")} }), false, []string{
			"desk: shop/submit-refund 1.0.0 is locked, and is not in the set [missing]", "desk: shop/cancel-order 1.0.0 is in the set, and the lock does not name it [extra]",
		}},
		"a set in another order": {sets, desk(func(s *lockfile.Set) { s.Tools = []lockfile.Identity{refund, order} }), false, []string{
			"desk: the tools are shop/submit-refund shop/get-order, and locked are shop/get-order shop/submit-refund [other-order]",
		}},
		"a set that repeats a tool": {sets, desk(func(s *lockfile.Set) { s.Tools = []lockfile.Identity{order, refund, order} }), false, []string{
			"desk: the tools are shop/get-order shop/submit-refund shop/get-order, and locked are shop/get-order shop/submit-refund [other-order]",
		}},
		"a set with other bytes": {sets, desk(func(s *lockfile.Set) { s.Files["request.json"] = digest("0") }), false, []string{
			"desk/request.json: the content of the tools is the same and the bytes are not: they are " + digest("0") + ", and " + digest("2") + " is locked [other-bytes]",
		}},
		"no set": {sets, nil, false, []string{"shop/desk.openai-responses: the set is locked for openai-responses, and is not there [missing]"}},
		"a set that nobody locked": {tools, desk(func(*lockfile.Set) {}), true, []string{
			"desk: the set desk.openai-responses is there, and the lock does not name it [extra]",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, d := range test.lock.Compare(test.folders, test.part) {
				got = append(got, d.String())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
