// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// text is one text of a contract that a rule must look into.
type text struct {
	side    finding.Side
	pointer string
	value   string
	// name is the member that holds the text, if it is a value.
	name string
	// fixed says that it is a value which is sent as it stands: of default, const
	// or enum, of a setting, or of an address.
	fixed bool
	signs sign
}

// sign says what a quick look at a text has shown; most texts show nothing, and
// the rules look into the others only.
type sign uint8

const (
	hasControl    sign = 1 << iota // a control character
	hasInvisible                   // a character that nobody sees, or that turns the text around
	hasOrder                       // a word that orders for models begin with
	hasCredential                  // a run of characters as long as a key, or a word that stands before one
	hasContact                     // an @ or many digits
)

// collector looks at the texts of a contract.
type collector struct {
	s *subject
	// side and base are where the texts stand; below are the tokens from there on,
	// of which the pointer is made only if it is needed. With whole set they are
	// not: the manifest may hold the place as JSON text.
	side  finding.Side
	base  string
	below []string
	whole bool
}

// collect looks at every text.
func (s *subject) collect() {
	c := &collector{s: s, side: finding.Contract}
	at := func(pointer, value string) { c.base = pointer; c.text(value, "", false) }
	at("/spec/toolName", s.ToolName)
	at("/spec/title", s.Title)
	for _, p := range s.parts() {
		at("/spec/description/"+p.name, p.text)
	}
	// Names are published as they stand, and a value may have got into their place.
	name := func(pointer, value string) { c.base = pointer; c.text(value, "", true) }
	name("/spec/execution/credentials", s.Execution.Credentials)
	name("/spec/execution/authorization", s.Execution.Authorization)
	if p := s.Output.Provenance; p != nil {
		name("/spec/output/provenance/source", p.Source)
		name("/spec/output/provenance/producerRevision", p.ProducerRevision)
	}
	for i, e := range s.Output.Errors {
		name("/spec/output/errors/"+strconv.Itoa(i)+"/code", e.Code)
		at("/spec/output/errors/"+strconv.Itoa(i)+"/safeMessage", e.SafeMessage)
	}
	if f := s.FreeForm; f != nil {
		at("/spec/freeForm/description", f.Description)
		at("/spec/freeForm/definition", f.Definition)
		for i, e := range f.Examples {
			at("/spec/freeForm/examples/"+strconv.Itoa(i), e)
		}
	} else {
		for i, e := range s.Input.Examples {
			c.base, c.whole = "/spec/input/examples/"+strconv.Itoa(i), true
			c.value(e, "", false)
		}
		for i, p := range s.Input.SessionParameters {
			name("/spec/input/sessionParameters/"+strconv.Itoa(i)+"/source", p.Source)
			c.base, c.whole = "/spec/input/sessionParameters/"+strconv.Itoa(i), true
			if p.Schema != nil {
				c.value(p.Schema.Root(), "", false)
			}
		}
		c.whole = false
		c.schema(finding.Input, s.Input.Schema)
	}
	c.schema(finding.Output, s.Output.Schema)
	c.side = finding.Contract
	if b := s.BuiltIn; b != nil {
		c.base = "/spec/builtIn/settings"
		c.value(b.Settings, "", true)
	}
	if m := s.MCP; m != nil {
		at("/spec/mcp/server/label", m.Label)
		at("/spec/mcp/server/description", m.Description)
		at("/spec/mcp/tool", m.Tool)
		name("/spec/mcp/server/url", m.URL)
		name("/spec/mcp/server/authorization", m.Authorization)
		for i, h := range m.Headers {
			name("/spec/mcp/server/headers/"+strconv.Itoa(i)+"/source", h.Source)
		}
	}
}

// schema looks at the texts of a schema: names, annotations, values, patterns.
func (c *collector) schema(side finding.Side, s *schema.Schema) {
	if s == nil {
		return
	}
	c.side = side
	for i := range s.Nodes() {
		n := &s.Nodes()[i]
		c.base = n.Pointer
		name := ""
		if n.In == "properties" || n.In == "patternProperties" || n.In == "$defs" || n.In == "definitions" {
			name = n.Token
			c.text(name, "", false)
		}
		if n.Value.Kind() != schema.Object {
			continue
		}
		for _, m := range n.Value.Members() {
			k, known := schema.LookupKeyword(m.Name)
			switch {
			case !known:
				c.text(m.Name, "", false)
				c.below = append(c.below, m.Name)
				c.value(m.Value, name, false)
			case k.Shape == schema.Instance || k.Shape == schema.InstanceList:
				c.below = append(c.below, m.Name)
				c.value(m.Value, name, m.Name != "examples")
			case m.Value.Kind() == schema.String && m.Name != "$ref" && m.Name != "type":
				c.below = append(c.below, m.Name)
				c.text(m.Value.Text(), name, false)
			default:
				continue
			}
			c.below = c.below[:0]
		}
	}
}

// value looks at every text of a value, names of members included.
func (c *collector) value(v *schema.Value, name string, fixed bool) {
	if v == nil {
		return
	}
	switch v.Kind() {
	case schema.String, schema.Number:
		c.text(v.Text(), name, fixed)
	case schema.Array:
		for i, item := range v.Items() {
			c.below = append(c.below, strconv.Itoa(i))
			c.value(item, name, fixed)
			c.below = c.below[:len(c.below)-1]
		}
	case schema.Object:
		for _, m := range v.Members() {
			c.below = append(c.below, m.Name)
			c.text(m.Name, "", false)
			c.value(m.Value, m.Name, fixed)
			c.below = c.below[:len(c.below)-1]
		}
	case schema.Null, schema.Bool:
	}
}

// text keeps a text that shows a sign.
func (c *collector) text(value, name string, fixed bool) {
	signs := look(value)
	if fixed && len(value) >= minSetting && secretName(name) {
		signs |= hasCredential
	}
	if signs == 0 {
		return
	}
	pointer := c.base
	if !c.whole {
		pointer = finding.Pointer(c.base, c.below...)
	}
	c.s.suspect = append(c.s.suspect, text{side: c.side, pointer: pointer, value: value, name: name, fixed: fixed, signs: signs})
}

// look takes the quick look.
func look(value string) sign {
	var signs sign
	run, digits, wide := 0, 0, false
	for i := range len(value) {
		switch b := value[i]; {
		case b >= 0x80:
			wide, run = true, 0
		case b < ' ' && b != '\n' && b != '\t' && b != '\r' || b == 0x7f:
			signs |= hasControl
		case isDigit(b):
			digits++
			run++
		case isLetter(b) || b == '-' || b == '_' || b == '+' || b == '/' || b == '.' || b == '=':
			run++
		case b == '@':
			signs |= hasContact
			run = 0
		case b == ':' || b == '<' || b == '[':
			if b != ':' {
				signs |= hasOrder
			} else {
				signs |= hasCredential
			}
			run = 0
		default:
			run = 0
		}
		if run >= minKey {
			signs |= hasCredential
		}
	}
	if strings.Contains(value, "-----BEGIN") {
		signs |= hasCredential
	}
	if digits >= minDigits {
		signs |= hasContact
	}
	if wide && strings.ContainsFunc(value, func(r rune) bool { return r >= 0x80 && unseen(r) }) {
		signs |= hasInvisible
	}
	if len(value) >= minOrder && signs&hasOrder == 0 && orderWord(value) {
		signs |= hasOrder
	}
	return signs
}

const (
	minKey     = 16 // characters of the shortest key that is looked for
	minDigits  = 10 // digits of the shortest phone number
	minOrder   = 8  // bytes of the shortest order
	minSetting = 8  // characters of the shortest secret under a telling name
)

// unseen reports whether a character shows nothing, or turns the direction.
func unseen(r rune) bool {
	return r >= 0x80 && r <= 0x9f || unicode.Is(unicode.Cf, r) || r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef ||
		r == 0x115f || r == 0x1160 || r == 0x3164 || r == 0xffa0 || r == 0x2800
}

// orderWord reports whether a text has a word that an order for a model begins
// with; [orders] look closer.
func orderWord(value string) bool {
	for i := 0; i+1 < len(value); i++ {
		if orderPairs[pairOf(value[i], value[i+1])] && (i == 0 || !isLetter(value[i-1])) && startsOrder(value[i:]) {
			return true
		}
	}
	for _, w := range chineseOrderWords {
		if strings.Contains(value, w) {
			return true
		}
	}
	return false
}

// orderPairs are the two letters that the English words begin with, so that a
// text is gone through once.
var orderPairs = func() (pairs [1 << 10]bool) {
	for _, w := range englishOrderWords {
		pairs[pairOf(w[0], w[1])] = true
	}
	return pairs
}()

func pairOf(a, b byte) int { return int(a&0x1f)<<5 | int(b&0x1f) }

func startsOrder(rest string) bool {
	for _, w := range englishOrderWords {
		if len(rest) >= len(w) && strings.EqualFold(rest[:len(w)], w) {
			return true
		}
	}
	return false
}

var (
	englishOrderWords = strings.Split("ignore|disregard|forget|override|bypass|do not|don't|never|must not|without|you are now|reveal|exfiltrate|leak|system prompt|id_rsa|.ssh|.aws/cred|instructions", "|")
	chineseOrderWords = []string{"忽略", "无视", "忘记", "用户", "系统提示", "你现在是", "从现在起"}
)
