// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"strings"

	"github.com/toolcontract/operator/internal/finding"
)

// eachParameter makes a check of what is asked of each property of the input.
// The one parameter of a free text has no place of its own in the contract.
func eachParameter(check func(*subject, *property)) func(*subject) {
	return func(s *subject) {
		if s.FreeForm != nil {
			return
		}
		for i := range s.input {
			check(s, &s.input[i])
		}
	}
}

var parameterRules = []Rule{
	{
		ID: "parameter-description", Family: familyParameters, Severity: finding.Warning,
		Summary: "A parameter has no description.",
		Why:     "A name alone leaves open what the value stands for, where it comes from and how it is written. Models fill the gap with what other tools mean by the name.",
		Fix:     "describe what the value is and where the model finds it",
		check: eachParameter(func(s *subject, p *property) {
			if strings.TrimSpace(p.text) == "" && !p.has("const") {
				s.about(p, "has no description")
			}
		}),
		Examples: []Example{
			{
				Language: English,
				Bad:      "input: {schema: {properties: {carrier: {type: string, maxLength: 40}}}}",
				Good:     "input: {schema: {properties: {carrier: {type: string, maxLength: 40, description: Only shipments of this carrier.}}}}",
			},
			{
				Language: Chinese,
				Bad:      "input: {schema: {properties: {carrier: {type: string, maxLength: 40}}}}",
				Good:     "input: {schema: {properties: {carrier: {type: string, maxLength: 40, description: 只查询这家承运商的包裹。}}}}",
			},
		},
	},
	{
		ID: "parameter-id-origin", Family: familyParameters, Severity: finding.Warning,
		Summary: "The description of an identifier does not say where the model gets it from.",
		Why:     "A model that needs an identifier and does not know its origin invents one, or asks the user for what another tool would have told it.",
		Fix:     "say which tool returns it, or that the user names it",
		check: eachParameter(func(s *subject, p *property) {
			if p.identifies() && strings.TrimSpace(p.text) != "" && !s.isKey(p) && !p.listed() && !saysOrigin.in(p.text) {
				s.about(p, "is an identifier, and its description does not say where it comes from")
			}
		}),
		Examples: []Example{
			{
				Language: English,
				Bad:      "input: {schema: {properties: {order_id: {description: The id.}}}}",
				Good:     "input: {schema: {properties: {order_id: {description: Id of the order as list_orders returns it.}}}}",
			},
			{
				Language: Chinese,
				Bad:      "input: {schema: {properties: {order_id: {description: 订单号。}}}}",
				Good:     "input: {schema: {properties: {order_id: {description: 用户提供的订单号。}}}}",
			},
		},
	},
	{
		ID: "parameter-unit", Family: familyParameters, Severity: finding.Warning,
		Summary: "A number is a quantity of something that has units, and neither name nor description says which.",
		Why:     "A timeout of 30 is half a minute or a blink. Schemas hold either; only the text tells.",
		Fix:     "put the unit into the name or the description, or set x-unit",
		check: eachParameter(func(s *subject, p *property) {
			if p.is("integer", "number") && !p.listed() && !p.has("x-unit") && p.isQuantity() && !saysUnit.in(p.text) && unitWords.any(p.words) == "" {
				s.about(p, "is a quantity without a unit")
			}
		}),
		Examples: []Example{
			{
				Language: English,
				Bad:      "input: {schema: {properties: {max_distance: {type: integer, minimum: 1, maximum: 500, description: How far the parcel may be away.}}}}",
				Good:     "input: {schema: {properties: {max_distance: {type: integer, minimum: 1, maximum: 500, description: How far the parcel may be away in kilometres.}}}}",
			},
			{
				Language: Chinese,
				Bad:      "input: {schema: {properties: {max_distance: {type: integer, minimum: 1, maximum: 500, description: 包裹的最大距离。}}}}",
				Good:     "input: {schema: {properties: {max_distance: {type: integer, minimum: 1, maximum: 500, description: 包裹的最大距离，单位为公里。}}}}",
			},
		},
	},
	{
		ID: "parameter-time-zone", Family: familyParameters, Severity: finding.Warning,
		Summary: "A time is a text of which neither format nor description says in what zone and form it is.",
		Why:     "The same clock reading is up to 26 hours apart. A model takes the zone of the user, the server or its training.",
		Fix:     "set format: date-time, which has an offset, or name the time zone and the form",
		check: eachParameter(func(s *subject, p *property) {
			if p.is("string") && !p.listed() && !p.has("format", "pattern", "x-timezone") && p.isTime() && !saysZone.in(p.text) {
				s.about(p, "is a time without a time zone")
			}
		}),
		Examples: []Example{
			{
				Language: English,
				Bad:      "input: {schema: {properties: {start_time: {type: string, maxLength: 40, description: Only later shipments.}}}}",
				Good:     "input: {schema: {properties: {start_time: {type: string, format: date-time, description: Only later shipments.}}}}",
			},
			{
				Language: Chinese,
				Bad:      "input: {schema: {properties: {start_time: {type: string, maxLength: 40, description: 只查询此后的发货。}}}}",
				Good:     "input: {schema: {properties: {start_time: {type: string, format: date-time, description: 只查询此后的发货。}}}}",
			},
		},
	},
	{
		ID: "parameter-format", Family: familyParameters, Severity: finding.Warning,
		Summary: "A date, phone number, country, language or address of a page is a text without a format, a pattern or an example.",
		Why:     "There are many ways to write each of them, and a model picks the one that is usual where it was trained.",
		Fix:     "set format, pattern or enum, or name the standard: ISO 8601, E.164, ISO 3166",
		check: eachParameter(func(s *subject, p *property) {
			if p.is("string") && !p.listed() && !p.has("format", "pattern", "examples") && formatWords[p.last()] && !saysFormat.in(p.text) {
				s.about(p, "can be written in several ways, and nothing says in which")
			}
		}),
		Examples: []Example{
			{
				Language: English,
				Bad:      "input: {schema: {properties: {country: {type: string, maxLength: 40, description: Only shipments to it.}}}}",
				Good:     "input: {schema: {properties: {country: {type: string, maxLength: 2, description: Only shipments to it. ISO 3166 code of two letters.}}}}",
			},
			{
				Language: Chinese,
				Bad:      "input: {schema: {properties: {country: {type: string, maxLength: 40, description: 只查询寄往该国的包裹。}}}}",
				Good:     "input: {schema: {properties: {country: {type: string, maxLength: 2, description: 只查询寄往该国的包裹，例如 CN。}}}}",
			},
		},
	},
	{
		ID: "identity-parameter", Family: familyParameters, Severity: finding.Error,
		Summary: "The model fills in who the caller is or what the caller may do: user, tenant, role, is_admin.",
		Why:     "The application knows this from the session. What a model writes can be talked into it, by a user or by a text that it reads; then the tool acts for somebody else.",
		Fix:     "make it a session parameter, which the host injects; if it names the thing that the tool is about, acknowledge this",
		check:   eachParameter((*subject).identityParameter),
		Examples: []Example{
			{
				Language: English,
				Bad:      "input: {schema: {properties: {tenant_id: {type: string, maxLength: 40, description: The tenant that the user named.}}}}",
				Good:     "input: {sessionParameters: [{name: tenant_id, source: session.tenant, schema: {type: string}}]}",
			},
			{
				Language: Chinese,
				Bad:      "input: {schema: {properties: {user_id: {type: string, maxLength: 40, description: 当前用户的编号，由用户提供。}}}}",
				Good:     "input: {sessionParameters: [{name: user_id, source: session.user, schema: {type: string}}]}",
			},
		},
	},
}

var saysOrigin = parse(`from | return* | given by | provided | user | customer | caller | as shown | see | use | using | call | obtain* | get | gets | got | list* | search | find | found | mention* | copied | copy
	| visible in | taken | appears in | part of the url | in the url | url | known | generated | output of | result* | response* | new uuid | of the draft
	| 来自 | 返回 | 用户 | 客户 | 顾客 | 提供 | 查询 | 得到 | 获取 | 获得 | 通过 | 给出 | 上下文 | 列表 | 取自 | 生成`)

// isQuantity reports whether a number has a dimension. Counts have none.
func (p *property) isQuantity() bool {
	return quantityWords[p.last()] && !saysCount.in(p.text) || quantityTexts.in(p.text)
}

var (
	quantityWords = setOf(`timeout duration interval delay distance radius weight height width depth ttl latency
		altitude elevation pressure voltage lifetime expiry expiration wait timestamp length size`)
	quantityTexts = parse("时长 | 超时 | 间隔 | 距离 | 半径 | 重量 | 温度 | 速度 | 高度 | 宽度 | 有效期")
	saysCount     = parse("number of | count | how many | amount of | per page | page* | batch | items | results | entries | rows | lines | records | characters | tokens | 数量 | 个数 | 条数 | 页")
	unitWords     = setOf(`ms msec millis millisecond milliseconds s sec secs second seconds min mins minute minutes h hr hrs hour hours day days week weeks month months year years
		px pixel pixels kb mb gb bytes byte km m cm mm meters metres kilometers miles feet kg g lbs percent pct degrees celsius fahrenheit hz points pt rem em unix epoch`)
	saysUnit = parse(`ms | millisecond* | second* | sec | secs | minute* | hour* | day | days | week* | month* | year* | pixel* | px | byte* | kb | mb | gb | kib | mib | gib | meter* | metre* | km | kilomet*
		| mile* | feet | foot | inch* | kg | kilogram* | gram* | pound* | celsius | fahrenheit | kelvin | degree* | percent* | % | hz | unix | epoch | unit* | points | character* | token* | number of
		| 毫秒 | 秒 | 分钟 | 小时 | 天 | 周 | 月 | 年 | 像素 | 字节 | 米 | 公里 | 千米 | 厘米 | 英里 | 公斤 | 千克 | 克 | 摄氏 | 华氏 | 百分 | 单位 | 度`)
)

// isTime reports whether a text is a time of the day or a moment.
func (p *property) isTime() bool {
	last := p.last()
	return last == "datetime" || last == "timestamp" || (last == "time" || last == "at") && len(p.words) > 1 && momentWords.any(p.words) != ""
}

var (
	momentWords = setOf("start end begin from to until since due created updated scheduled send departure arrival event date publish run expires starts ends after before time")
	saysZone    = parse(`utc | gmt | time zone | timezone | iso 8601 | iso8601 | iso-8601 | iso | rfc 3339 | rfc3339 | offset | local time | unix | epoch | relative | now | z | format* | rfc*
		| hh | *:ss | *:ssz | tz | 时区 | 北京时间 | 本地时间 | 当地时间 | 时间戳 | 格式`)
	formatWords = setOf("date birthday birthdate dob phone telephone mobile country language locale lang currency")
	saysFormat  = parse(`yyyy* | mm/dd* | dd* | format* | iso* | e.164 | such as | e.g. | e.g | eg | for example | example* | like | code* | rfc* | bcp* | either | natural language | ("* | ('* | (en* | (us*
		| relative | today | name | full name | "* | \x60* | '* | 格式 | 例如 | 如 | 比如 | 代码 | 名称 | 形如`)
)

// identityParameter looks for who the caller is. Lists are data, and what the
// name of the tool speaks of is what the tool is about.
func (s *subject) identityParameter(p *property) {
	name := p.snake()
	if strings.Contains(p.pointer, "/items/") || p.has("const") {
		return
	}
	about, known := identities[name]
	if !known {
		about, known = identities[strings.ToLower(p.name)]
	}
	if !known || about != "" && (speaksOf(s.name, about) || saysTarget.in(p.text)) {
		return
	}
	// Much has a role: an element of a page, a message, a node of a cluster.
	if roleWords[p.last()] && (!p.top() || strings.TrimSpace(p.text) != "" && !saysCaller.in(p.text)) {
		return
	}
	s.about(p, "is something that the application knows of its caller, and the model would fill it in")
}

// identities lead from the names of what an application knows of its caller to
// the nouns of tools that are about just that; without a noun no tool is.
var identities = func() map[string]string {
	out := map[string]string{}
	for about, names := range map[string]string{
		"": `tenant_id tenant current_user current_user_id caller caller_id acting_user acting_user_id on_behalf_of requesting_user requesting_user_id requester_id
			is_admin is_superuser is_authenticated is_authorized admin_mode caller_role current_role user_role current_tenant my_user_id principal_id
			auth_token access_token session_token user_token bearer_token 租户 租户id 租户编号 当前用户 是否管理员`,
		"user member person people assignee profile account role permission identity": `user_id userid user_name_of_caller user_permissions 用户id 用户编号`,
		"account user billing": `account_id account 账号 账户id 账户编号`,
		"role permission member user access policy grant collaborator invite invitation message": `role roles permissions 角色 权限`,
	} {
		for name := range strings.FieldsSeq(names) {
			out[name] = about
		}
	}
	return out
}()

// speaksOf reports whether a tool name has one of the nouns, in whatever number.
func speaksOf(name []string, nouns string) bool {
	for noun := range strings.FieldsSeq(nouns) {
		for _, w := range name {
			if w == noun || strings.TrimSuffix(w, "s") == noun {
				return true
			}
		}
	}
	return false
}

var (
	roleWords  = setOf("role roles permission permissions 角色 权限")
	saysCaller = parse("user | user's | users | caller | caller's | current | admin* | permission* | access | privilege* | authoriz* | 用户 | 当前 | 权限 | 管理员")
)

var saysTarget = parse("to assign | to add | to invite | to remove | to mention | to look up | to follow | to filter | filter by | filter for | whose | target | recipient | assignee | to query | to retrieve | to fetch | to get | of the user to | 要查询的 | 要分配的 | 目标")
