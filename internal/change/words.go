// SPDX-License-Identifier: Apache-2.0

package change

import "strings"

// The words whose edit may change what a tool does, in the two languages in
// which tools are described. They are signs and not proofs: an edit of one of
// them asks for a Minor and for a look, never for a Major.

// englishWords are numbers, units of measure, money and time zones, negation
// and modality.
var englishWords = strings.Fields(`
	zero two three four five six seven eight nine ten eleven twelve fifteen twenty thirty fifty hundred thousand million billion
	half double twice dozen percent percentage

	nanosecond nanoseconds microsecond microseconds millisecond milliseconds ms second seconds sec secs minute minutes mins
	hour hours hr hrs day days daily week weeks weekly month months monthly quarter quarters year years yearly annual
	bit bits byte bytes kb mb gb tb kib mib gib tib kilobyte kilobytes megabyte megabytes gigabyte gigabytes
	millimeter millimeters centimeter centimeters meter meters metre metres kilometer kilometers kilometre kilometres
	mm cm km inch inches foot feet yard yards mile miles milligram milligrams gram grams kilogram kilograms mg kg ounce ounces lb lbs
	liter liters litre litres gallon gallons celsius fahrenheit kelvin degree degrees radian radians pixel pixels px
	hz khz mhz ghz watt watts kwh volt volts

	cent cents dollar dollars euro euros yen yuan pence sterling currency usd eur gbp jpy cny chf aud cad inr krw brl hkd sgd

	utc gmt est edt cst cdt mst mdt pst pdt cet cest bst ist jst timezone timezones tz iana epoch

	not no never none nothing nobody neither nor cannot can't couldn't don't doesn't didn't isn't aren't wasn't weren't haven't hasn't hadn't
	won't wouldn't shouldn't mustn't needn't forbidden prohibited disallowed
	without except unless excluding only must should shall may required require requires mandatory optional optionally
	always exactly minimum maximum min max least most inclusive exclusive inclusively exclusively
	read-only readonly write-only destructive irreversible permanently permanent immediately
`)

// sideEffects are verbs for what a tool does to the world, as the dictionary has them.
var sideEffects = strings.Fields(`
	add append approve archive assign buy cancel charge clear close copy create delete deploy disable drop enable erase
	execute forward grant insert install invite kill lock merge modify notify overwrite pay post publish purchase purge push refund reject
	release remove rename replace reset restart restore revoke schedule sell send share stop submit subscribe terminate
	transfer trigger uninstall unlock unsubscribe update upload withdraw write
`)

// chinesePhrases are the same in Chinese, where a word has no end that can be
// seen: a phrase counts wherever it stands.
var chinesePhrases = strings.Fields(`
	零 二 两 三 四 五 六 七 八 九 十 百 千 万 亿 半
	毫秒 微秒 纳秒 秒 分钟 小时 天内 每天 每日 每周 每月 每年 星期 个月 季度 字节 千字节 兆字节 比特 像素
	毫米 厘米 公里 千米 英里 英尺 英寸 毫克 公斤 千克 盎司 磅 毫升 摄氏 华氏 百分比 百分之 弧度
	美元 欧元 英镑 日元 人民币 港元 港币 韩元 美分 货币 币种 时区 时间戳 协调世界时 北京时间 格林尼治 本地时间
	不 未 无法 禁止 切勿 勿 没有 除非 除了 仅 只能 只有 只会 必须 必需 必填 应当 应该 需要 可选 可以 可能 至少 至多 最多 最少 最大 最小 总是 始终
	只读 只写 不可逆 永久 立即
	创建 新建 新增 添加 删除 移除 清空 清除 发送 发布 推送 更新 修改 编辑 写入 覆盖 替换 支付 付款 扣款 收费 退款 转账 购买 取消 提交 执行 触发 通知 授权
	撤销 批准 拒绝 关闭 启用 禁用 停止 重启 重置 部署 安装 卸载 上传 合并 归档 预订 下单
`)

// meaningSymbols are signs that stand for such a word.
const meaningSymbols = "%‰°$€£¥￥≤≥±"

var (
	meaningWords   = meaningWordSet()
	meaningPhrases = meaningPhraseSet()
)

func meaningWordSet() map[string]bool {
	set := map[string]bool{}
	for _, w := range englishWords {
		set[w] = true
	}
	for form := range verbOf {
		set[form] = true
	}
	return set
}

// verbOf leads from every form of a verb to the verb.
var verbOf = func() map[string]string {
	set := map[string]string{}
	for _, verb := range sideEffects {
		for _, form := range forms(verb) {
			set[form] = verb
		}
	}
	return set
}()

// forms are a verb in the forms that descriptions use. Some of them are no
// words; nobody writes them.
func forms(verb string) []string {
	stem := strings.TrimSuffix(verb, "e")
	last := verb[len(verb)-1:]
	out := []string{verb, verb + "s", verb + "es", stem + "ed", stem + "ing", verb + last + "ed", verb + last + "ing"}
	if before, ok := strings.CutSuffix(verb, "y"); ok {
		out = append(out, before+"ies", before+"ied")
	}
	return append(out, irregular[verb]...)
}

var irregular = map[string][]string{
	"buy": {"bought"}, "pay": {"paid"}, "send": {"sent"}, "sell": {"sold"}, "write": {"wrote", "written"}, "withdraw": {"withdrew", "withdrawn"},
}

// meaningPhraseSet leads from the first character of a phrase to the phrases.
func meaningPhraseSet() map[string][][]string {
	set := map[string][][]string{}
	for _, phrase := range chinesePhrases {
		characters := strings.Split(phrase, "")
		set[characters[0]] = append(set[characters[0]], characters)
	}
	return set
}
