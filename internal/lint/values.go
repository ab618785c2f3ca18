// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

var valueRules = []Rule{
	{
		ID: "boolean-set", Family: familyValues, Severity: finding.Warning,
		Summary: "Several booleans of which only one can be true at a time.",
		Why:     "Two booleans have four states, and the tool knows three. A model finds the fourth.",
		Fix:     "use one parameter with an enum of the alternatives",
		check:   (*subject).booleanSet,
		Examples: []Example{
			{
				Language: English,
				Bad:      "input: {schema: {properties: {ascending: {type: boolean, description: Oldest first.}, descending: {type: boolean, description: Newest first.}}}}",
				Good:     "input: {schema: {properties: {order: {enum: [ascending, descending], description: Oldest or newest first.}}}}",
			},
			{
				Language: Chinese,
				Bad:      "input: {schema: {properties: {by_sea: {type: boolean, description: 只查询海运，与空运互斥。}, by_air: {type: boolean, description: 只查询空运。}}}}",
				Good:     "input: {schema: {properties: {mode: {enum: [sea, air], description: 只查询海运或空运。}}}}",
			},
		},
	},
	{
		ID: "amount-form", Family: familyValues, Severity: finding.Warning,
		Summary: "An amount of money is a text, a number with a fraction, or an integer of which nothing says the unit; or there is no currency beside it.",
		Why:     "Fractions are rounded on their way, texts are written in many ways, and 1999 is twenty dollars or two thousand yen.",
		Fix:     "use an integer in the smallest unit of the currency (amount_minor, amount_cents), with a currency beside it",
		check:   (*subject).amountForm,
		Examples: []Example{
			{
				Language: English,
				Bad:      "input: {schema: {properties: {max_price: {type: number, minimum: 0, maximum: 5000, description: Only cheaper shipments.}}}}",
				Good: "input: {schema: {properties: {max_price_minor: {type: integer, minimum: 0, maximum: 500000, description: Only cheaper shipments; in the smallest unit of the currency.}, " +
					"currency: {enum: [CNY, EUR], description: ISO 4217 code.}}}}",
			},
			{
				Language: Chinese,
				Bad:      "input: {schema: {properties: {max_price: {type: string, maxLength: 9, description: 运费上限。}}}}",
				Good: "input: {schema: {properties: {max_price_minor: {type: integer, minimum: 0, maximum: 500000, description: 运费上限，以最小货币单位（分）表示。}, " +
					"currency: {enum: [CNY, EUR], description: ISO 4217 货币代码。}}}}",
			},
		},
	},
	{
		ID: "values-in-text", Family: familyValues, Severity: finding.Warning,
		Summary: "The description lists the values that are allowed, and the schema has no enum.",
		Why:     "Providers hold a model to an enum and to no sentence. A value that is nearly one of the list passes every check but the tool's own.",
		Fix:     "list the values in enum",
		check: eachParameter(func(s *subject, p *property) {
			if p.is("string") && !p.listed() && !p.has("pattern", "format") && listsValues(p.text) {
				s.about(p, "has its values in the description and no enum")
			}
		}),
		Examples: []Example{
			{
				Language: English,
				Bad:      "input: {schema: {properties: {state: {type: string, maxLength: 9, description: 'Must be one of: packed, sent, lost.'}}}}",
				Good:     "input: {schema: {properties: {state: {enum: [packed, sent, lost], description: Only shipments in this state.}}}}",
			},
			{
				Language: Chinese,
				Bad:      "input: {schema: {properties: {state: {type: string, maxLength: 9, description: 状态，可选值：packed、sent、lost。}}}}",
				Good:     "input: {schema: {properties: {state: {enum: [packed, sent, lost], description: 只查询这一状态的包裹。}}}}",
			},
		},
	},
	{
		ID: "example-keyword", Family: familyValues, Severity: finding.Warning,
		Summary: "The schema has the keyword example, which JSON Schema does not know.",
		Why:     "It comes from OpenAPI. Some providers refuse a request with an unknown keyword, the others ignore it.",
		Fix:     "write examples with a list of values",
		check: func(s *subject) {
			s.eachNode(func(side finding.Side, n *schema.Node) {
				if n.Value.Has("example") {
					at := finding.Pointer(n.Pointer, "example")
					s.say(side, at, "example", "example is no keyword of JSON Schema")
					s.repair(at, exampleToExamples(n))
				}
			})
		},
		Examples: []Example{
			{Language: English, Bad: "input: {schema: {properties: {order_id: {example: ord_1}}}}", Good: "input: {schema: {properties: {order_id: {examples: [ord_1]}}}}"},
			{Language: Chinese, Bad: "input: {schema: {properties: {order_id: {example: ord_1}}}}", Good: "input: {schema: {properties: {order_id: {examples: [ord_1]}}}}"},
		},
	},
	{
		ID: "examples-as-enum", Family: familyValues, Severity: finding.Warning,
		Summary: "The examples of a text look like the complete list of its values, and there is no enum.",
		Why:     "Examples hold nobody to anything, and most providers drop them.",
		Fix:     "list the values in enum; if there are more of them, give two examples and say so in the description",
		check: eachParameter(func(s *subject, p *property) {
			if p.is("string") && !p.listed() && !p.has("pattern", "format") && looksClosed(p.get("examples")) && !saysSuchAs.in(p.text) {
				s.say(finding.Input, p.pointer+"/examples", "examples", "the examples of the parameter %s look like all of its values", finding.Quote(p.name))
			}
		}),
		Examples: []Example{
			{
				Language: English,
				Bad:      "input: {schema: {properties: {state: {type: string, maxLength: 9, description: Only shipments in this state., examples: [packed, sent, lost]}}}}",
				Good:     "input: {schema: {properties: {state: {enum: [packed, sent, lost], description: Only shipments in this state.}}}}",
			},
			{
				Language: Chinese,
				Bad:      "input: {schema: {properties: {state: {type: string, maxLength: 9, description: 只查询这一状态的包裹。, examples: [packed, sent, lost]}}}}",
				Good:     "input: {schema: {properties: {state: {enum: [packed, sent, lost], description: 只查询这一状态的包裹。}}}}",
			},
		},
	},
	bounds("string-bounds", finding.Info, "A text has neither a greatest length nor a form.",
		"What is not bounded is paid for: a model that repeats itself fills the request, the log and the database.",
		"set maxLength, pattern, format or enum",
		"{note: {type: string, description: %s}}", "{note: {type: string, description: %s, maxLength: 200}}", "Only shipments with this note.", "只查询带有此备注的包裹。",
		func(p *property) bool {
			return p.is("string") && !p.has("maxLength", "pattern", "format", "contentEncoding")
		}),
	bounds("number-bounds", finding.Info, "A number has no least or no greatest value.",
		"A page of minus one, or of a million entries, is a valid call then.",
		"set minimum and maximum, or enum",
		"{parcels: {type: integer, description: %s}}", "{parcels: {type: integer, description: %s, minimum: 1, maximum: 99}}", "Only shipments with that many parcels.", "只查询包裹数相同的发货。",
		func(p *property) bool {
			return p.is("integer", "number") && (!p.has("minimum", "exclusiveMinimum") || !p.has("maximum", "exclusiveMaximum"))
		}),
	bounds("list-bounds", finding.Warning, "A list has no greatest number of items.",
		"One call then does what a thousand should not: a model that misreads a page sends all of it.",
		"set maxItems",
		"{carriers: {type: array, items: {enum: [dhl, ups]}, description: %s}}", "{carriers: {type: array, items: {enum: [dhl, ups]}, maxItems: 2, description: %s}}",
		"Only shipments of these carriers.", "只查询这些承运商的包裹。",
		func(p *property) bool { return p.is("array") && !p.has("maxItems") && !isRecipients(p) }),
	{
		ID: "free-command", Family: familyValues, Severity: finding.Warning,
		Summary: "A parameter is a command, a script or a query in free text.",
		Why:     "Whatever the tool can do, the model can do then, and so can everybody whose text it reads. No schema holds such a text to anything.",
		Fix:     "offer what is meant as parameters, list the allowed ones in enum, or use the type FreeForm with a grammar",
		check:   (*subject).freeCommand,
		Examples: []Example{
			{
				Language: English,
				Bad:      "input: {schema: {properties: {sql: {type: string, maxLength: 900, description: Statement that picks the shipments.}}}}",
				Good:     "input: {schema: {properties: {report: {enum: [late, lost], description: Picks the shipments.}}}}",
			},
			{
				Language: Chinese,
				Bad:      "input: {schema: {properties: {filter: {type: string, maxLength: 900, description: 用来筛选包裹的 SQL 语句。}}}}",
				Good:     "input: {schema: {properties: {report: {enum: [late, lost], description: 筛选包裹的方式。}}}}",
			},
		},
	},
	{
		ID: "recipients-bounds", Family: familyValues, Severity: finding.Warning,
		Summary: "A call can reach any number of people.",
		Why:     "One wrong call becomes a mailing. A bound keeps it a mistake among few.",
		Fix:     "set maxItems on a list of recipients",
		check: eachParameter(func(s *subject, p *property) {
			switch {
			case !isRecipients(p):
			case p.is("array") && !p.has("maxItems"):
				s.about(p, "can hold any number of recipients")
			case p.is("string") && !p.listed() && saysSeparated.in(p.text):
				s.about(p, "can hold any number of recipients in one text")
			}
		}),
		Examples: []Example{
			{
				Language: English,
				Bad:      "input: {schema: {properties: {recipients: {type: array, items: {type: string}, description: Mail addresses that the user named.}}}}",
				Good:     "input: {schema: {properties: {recipients: {type: array, items: {type: string}, maxItems: 3, description: Mail addresses that the user named.}}}}",
			},
			{
				Language: Chinese,
				Bad:      "input: {schema: {properties: {recipients: {type: string, maxLength: 900, description: 用户提供的邮箱，多个以逗号分隔。}}}}",
				Good:     "input: {schema: {properties: {recipients: {type: array, items: {type: string}, maxItems: 3, description: 用户提供的邮箱。}}}}",
			},
		},
	},
}

// bounds is a rule for parameters that are not bounded.
func bounds(id string, severity finding.Severity, summary, why, fix, bad, good, english, chinese string, open func(*property) bool) Rule {
	put := func(properties, text string) string {
		return "input: {schema: {properties: " + strings.ReplaceAll(properties, "%s", text) + "}}"
	}
	return Rule{
		ID: id, Family: familyValues, Severity: severity, Summary: summary, Why: why, Fix: fix,
		check: eachParameter(func(s *subject, p *property) {
			if !p.listed() && open(p) {
				s.about(p, "is not bounded")
			}
		}),
		Examples: []Example{
			{Language: English, Bad: put(bad, english), Good: put(good, english)},
			{Language: Chinese, Bad: put(bad, chinese), Good: put(good, chinese)},
		},
	}
}

// exampleToExamples writes the value in a list, if there is no such list.
func exampleToExamples(n *schema.Node) []finding.Operation {
	if n.Value.Has("examples") {
		return nil
	}
	list := schema.NewArray(n.Value.Get("example"))
	return []finding.Operation{
		{Op: "remove", Path: finding.Pointer(n.Pointer, "example")},
		{Op: "add", Path: finding.Pointer(n.Pointer, "examples"), Value: list.AppendJSON(nil)},
	}
}

// eachNode visits the nodes of both schemas that are objects.
func (s *subject) eachNode(visit func(finding.Side, *schema.Node)) {
	each := func(side finding.Side, of *schema.Schema) {
		if of == nil {
			return
		}
		for i := range of.Nodes() {
			if n := &of.Nodes()[i]; n.Value.Kind() == schema.Object {
				visit(side, n)
			}
		}
	}
	each(finding.Input, s.Input.Schema)
	each(finding.Output, s.Output.Schema)
}

// booleanSet looks for pairs of opposites, for three with one beginning, and for
// booleans whose text says that they exclude each other.
func (s *subject) booleanSet() {
	type group struct {
		names   map[string]bool
		aspects map[string]int
		first   *property
		count   int
		said    bool
	}
	groups := map[int]*group{}
	var order []int
	for i := range s.input {
		p := &s.input[i]
		if !p.is("boolean") || len(p.words) == 0 {
			continue
		}
		g := groups[p.parent]
		if g == nil {
			g = &group{names: map[string]bool{}, aspects: map[string]int{}, first: p}
			groups[p.parent] = g
			order = append(order, p.parent)
		}
		g.count++
		g.names[p.snake()] = true
		if aspectWords[p.words[0]] && len(p.words) > 1 {
			g.aspects[p.words[0]]++
		}
		g.said = g.said || saysExclusive.in(p.text)
	}
	for _, parent := range order {
		g := groups[parent]
		exclusive := g.said && g.count > 1
		for _, pair := range opposites {
			exclusive = exclusive || g.names[pair[0]] && g.names[pair[1]]
		}
		for _, n := range g.aspects {
			exclusive = exclusive || n >= 2
		}
		if exclusive {
			object := strings.TrimSuffix(g.first.pointer, finding.Pointer("", "properties", g.first.name))
			s.say(finding.Input, object, "", "of the booleans beside %s only one can be true at a time", finding.Quote(g.first.name))
		}
	}
}

var (
	// aspectWords begin names of which one excludes the other: by_sea, as_csv.
	aspectWords = setOf("as by sort order")
	opposites   = [][2]string{
		{"ascending", "descending"},
		{"asc", "desc"},
		{"open", "closed"},
		{"public", "private"},
		{"enable", "disable"},
		{"enabled", "disabled"},
		{"read_only", "read_write"},
		{"draft", "final"},
		{"is_public", "is_private"},
		{"allow", "deny"},
		{"include", "exclude"},
		{"approve", "reject"},
		{"accept", "reject"},
		{"up", "down"},
		{"before", "after"},
		{"is_open", "is_closed"},
		{"live", "test"},
		{"read", "unread"},
		{"active", "inactive"},
		{"is_active", "is_inactive"},
		{"archived", "unarchived"},
	}
	saysExclusive = parse("mutually exclusive | cannot be combined | can't be combined | cannot be used with | cannot be used together | not both | 互斥 | 不能同时 | 不可同时 | 二选一")
)

// amountForm looks at amounts of both sides.
func (s *subject) amountForm() {
	each := func(side finding.Side, list []property) {
		currencies := map[int]bool{}
		for i := range list {
			if p := &list[i]; currencyWords.any(p.words) != "" {
				currencies[p.parent] = true
			}
		}
		for i := range list {
			p := &list[i]
			if p.listed() || !p.isAmount() {
				continue
			}
			minor := saysMinor.in(p.text) || minorWords.any(p.words) != ""
			currency := currencies[p.parent] || saysCurrency.in(p.text) || currencyCodes.any(p.words) != "" || p.has("x-currency")
			switch {
			case p.is("string"):
				s.say(side, p.pointer, "type", "the amount %s is a text", finding.Quote(p.name))
			case p.is("integer") && !minor:
				s.say(side, p.pointer, "type", "the amount %s is an integer, and nothing says whether it counts minor units", finding.Quote(p.name))
			case !p.is("integer"):
				s.say(side, p.pointer, "type", "the amount %s is a number with a fraction", finding.Quote(p.name))
			case !currency:
				s.say(side, p.pointer, "", "the amount %s has no currency", finding.Quote(p.name))
			}
		}
	}
	each(finding.Input, s.input)
	each(finding.Output, s.output)
}

// isAmount reports whether a value is an amount of money.
func (p *property) isAmount() bool {
	if !p.is("string", "integer", "number") {
		return false
	}
	words := p.words
	for len(words) > 1 && (minorWords[words[len(words)-1]] || currencyCodes[words[len(words)-1]]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	return amountWords[last] || last == "amount" && !saysCount.in(p.text) && (saysMoney.in(p.text) || len(words) > 1 && saysCurrency.in(p.text)) ||
		amountTexts.in(p.text) && (p.is("integer", "number") || amountWords.any(words) != "")
}

var (
	amountWords   = setOf("price fare salary wage subtotal 金额 价格 费用 单价 总价")
	amountTexts   = parse("金额（ | 金额( | 金额， | 金额。 | 单价 | 总价 | 价格，")
	saysMoney     = parse("money | price | pay* | refund* | currency | charge* | usd | eur | dollar* | euro* | cents | invoice* | transfer* | 退款 | 支付 | 付款 | 货币 | 元")
	minorWords    = setOf("minor cents cent pence fen micros")
	saysMinor     = parse("smallest | minor unit* | minor | cents | cent | pence | in fen | micros | wei | satoshi* | 最小货币 | 分为单位 | （分） | (分) | 单位为分 | 单位：分 | 以分")
	currencyWords = setOf("currency currencies 货币 币种")
	currencyCodes = setOf("usd eur gbp cny jpy rmb chf")
	saysCurrency  = parse("currency | usd | eur | gbp | cny | jpy | rmb | dollar* | euro* | yuan | yen | $* | €* | £* | ¥* | wei | satoshi* | 人民币 | 美元 | 欧元 | 货币 | 币种 | 元")
)

// listsValues reports whether a description in lower case lists what is allowed.
func listsValues(text string) bool {
	if !slices.ContainsFunc(valueWords, func(w string) bool { return strings.Contains(text, w) }) {
		return false
	}
	for _, lead := range valueLeads {
		_, after, found := strings.Cut(text, lead)
		if found && countValues(after) >= 2 {
			return true
		}
	}
	return false
}

// valueWords are such that each lead has one of them.
var valueWords = []string{"one of", "values", "options", "可选", "取值", "只能是", "枚举"}

var valueLeads = []string{
	"must be one of", "one of:", "one of the following", "allowed values", "possible values", "valid values", "accepted values", "supported values", "valid options", "options:", "values:", "can be one of",
	"可选值", "取值为", "取值范围", "只能是", "枚举值", "可选：", "取值：",
}

// countValues counts the names at the start of a list: packed, sent or 'lost'.
func countValues(list string) int {
	list, _, _ = strings.Cut(strings.TrimLeft(list, " :：are(为是「"), "\n")
	n := 0
	for list != "" && n < 2 {
		list = strings.TrimLeft(list, " `'\"“‘")
		end := 0
		for end < len(list) && (isLetter(list[end]) || isDigit(list[end]) || list[end] == '_' || list[end] == '-') {
			end++
		}
		if end == 0 {
			return n
		}
		rest := strings.TrimLeft(list[end:], "`'\"”’")
		after, separated := cutSeparator(rest)
		if !separated {
			if n > 0 && (rest == "" || strings.ContainsAny(rest[:1], ".)") || strings.HasPrefix(rest, "。") || strings.HasPrefix(rest, "）")) {
				n++
			}
			return n
		}
		n++
		list = after
	}
	return n
}

func cutSeparator(rest string) (after string, ok bool) {
	for _, separator := range []string{", or ", ", ", " | ", "|", " / ", "/", " or ", "、", "，", "或", ","} {
		if after, ok := strings.CutPrefix(rest, separator); ok {
			return after, true
		}
	}
	return rest, false
}

// looksClosed reports whether a list of examples is one of short, plain words.
func looksClosed(examples *schema.Value) bool {
	if examples.Len() < 3 || len(examples.Strings()) != examples.Len() {
		return false
	}
	return !slices.ContainsFunc(examples.Strings(), func(e string) bool {
		return e == "" || len(e) > 24 || strings.ContainsFunc(e, func(r rune) bool { return (r < 'a' || r > 'z') && r != '_' && r != '-' })
	})
}

var saysSuchAs = parse("such as | e.g | e.g. | for example | example* | like | including | any | 例如 | 比如 | 如 | 等 | 任意")

// freeCommand looks for a text that is run.
func (s *subject) freeCommand() {
	if s.FreeForm != nil {
		if s.FreeForm.Syntax == "Text" && (commandWords.any(words(s.FreeForm.Parameter)) != "" || saysLanguage.in(strings.ToLower(s.FreeForm.Description))) {
			s.spec("/freeForm/syntax", "the free text is a command or a query, and no grammar holds it to anything")
		}
		return
	}
	eachParameter(func(s *subject, p *property) {
		if !p.is("string") || p.listed() || p.has("pattern", "format") {
			return
		}
		if commandWords[p.last()] || queryWords[p.last()] && saysLanguage.in(p.text) {
			s.about(p, "is a command, a script or a query in free text")
		}
	})(s)
}

var (
	commandWords = setOf("command cmd sql script shell bash powershell eval promql logql graphql jql cypher 命令 脚本")
	queryWords   = setOf("query statement filter where code expression expr q search condition queries")
	saysLanguage = parse("sql | promql | logql | graphql | jql | kql | cql | cypher | sparql | kusto | javascript | python code | python script | shell command* | bash | 查询语句 | 脚本 | 命令")
)

// isRecipients reports whether a parameter says whom a call reaches.
func isRecipients(p *property) bool {
	return recipientWords[p.snake()] || recipientWords[p.last()] && p.last() != "to"
}

var (
	recipientWords = setOf("recipients recipient to cc bcc to_addresses to_emails invitees attendees addressees 收件人 抄送")
	saysSeparated  = parse("comma* | separated | semicolon* | 逗号 | 分隔 | 分号")
)
