// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"encoding/base64"
	"math"
	"regexp"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
)

var secretRules = []Rule{
	{
		ID: "secret-literal", Family: familySecrets, Severity: finding.Error,
		Summary: "A text holds what looks like a key, a token, a password or a private key.",
		Why:     "A contract goes into ConfigMaps, repositories, requests to providers and the logs of all of them. A secret in it is public.",
		Fix:     "remove it, replace the secret where it is in use, and name the place where the host finds it",
		check:   eachText(hasCredential, secretIn),
		Examples: []Example{
			{
				Language: English,
				Bad:      "input: {schema: {properties: {order_id: {default: 'https://app:" + "t9Kz4mQx" + "@orders.example.com'}}}}",
				Good:     "input: {schema: {properties: {order_id: {default: ord_1}}}}",
			},
			{
				Language: Chinese,
				Bad:      "description: {useWhen: '当用户询问包裹进度时使用，请求头为 Authorization: Bearer " + "q8Zt4LmW2xVb7Rk9Yc3Nf6Hp" + "'}",
				Good:     "description: {useWhen: 当用户询问包裹进度时使用，请求头由宿主添加。}",
			},
		},
	},
	{
		ID: "personal-number", Family: familySecrets, Severity: finding.Error,
		Summary: "A text holds the number of a payment card or a Chinese identity card, with the right check digit.",
		Why:     "It belongs to a person, and a contract is copied to providers, repositories and logs.",
		Fix:     "remove it, or use a number that is reserved for tests",
		check:   eachText(hasContact, personalNumberIn),
		Examples: []Example{
			{
				Language: English,
				Bad:      "input: {schema: {properties: {order_id: {description: 'Id of the order, from the user. Not the card, as 4539 5787 6362 1486.'}}}}",
				Good:     "input: {schema: {properties: {order_id: {description: 'Id of the order, from the user. Not the card, as 4111 1111 1111 1111.'}}}}",
			},
			{
				Language: Chinese,
				Bad:      "input: {schema: {properties: {order_id: {description: 用户提供的订单号，不是身份证号 52052119820715198X。}}}}",
				Good:     "input: {schema: {properties: {order_id: {description: 用户提供的订单号，不是身份证号。}}}}",
			},
		},
	},
	{
		ID: "personal-data", Family: familySecrets, Severity: finding.Warning,
		Summary: "A text holds a mail address or a phone number that may be somebody's.",
		Why:     "Examples become arguments: models copy them into calls, and the person gets the mail.",
		Fix:     "use an address below example.com, or a number that is reserved for examples",
		check:   eachText(hasContact, contactIn),
		Examples: []Example{
			{
				Language: English,
				Bad:      "input: {schema: {properties: {order_id: {description: 'Id of the order, from the user, not li.wei@qq.com.'}}}}",
				Good:     "input: {schema: {properties: {order_id: {description: 'Id of the order, from the user, not li.wei@example.com.'}}}}",
			},
			{
				Language: Chinese,
				Bad:      "input: {schema: {properties: {order_id: {description: 用户提供的订单号，不是手机号 13976208453。}}}}",
				Good:     "input: {schema: {properties: {order_id: {description: 用户提供的订单号，不是手机号。}}}}",
			},
		},
	},
}

// keys are the forms of keys that can be told from any other text.
var keys = []expression{
	expressionOf("private key", `-----BEGIN (RSA |EC |DSA |OPENSSH |ENCRYPTED |PGP )?PRIVATE KEY`),
	expressionOf("ghp_|gho_|ghu_|ghs_|ghr_|github_pat_", `\b(gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{40,})`),
	expressionOf("glpat-", `\bglpat-[A-Za-z0-9_-]{20}`),
	expressionOf("sk-", `\bsk-(ant-|proj-|svcacct-|or-v1-)?[A-Za-z0-9_-]{24,}`),
	expressionOf("k_live_", `\b[sr]k_live_[A-Za-z0-9]{16,}`),
	expressionOf("xox|xapp-", `\bxox[abeprs]-[A-Za-z0-9-]{16,}|\bxapp-\d-[A-Za-z0-9-]{16,}`),
	expressionOf("akia|asia", `\b(AKIA|ASIA)[A-Z0-9]{16}\b`),
	expressionOf("aiza", `\bAIza[A-Za-z0-9_-]{35}`),
	expressionOf("ya29.", `\bya29\.[A-Za-z0-9_-]{20,}`),
	expressionOf("eyj", `\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`),
	expressionOf("npm_|hf_|glsa_|lin_api_|shpat_|dop_v1_|pypi-", `\b(npm_|hf_|glsa_|lin_api_|shpat_|dop_v1_|pypi-)[A-Za-z0-9_-]{30,}`),
	expressionOf("sg.", `\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`),
	expressionOf("ltai", `\bLTAI[A-Za-z0-9]{16,26}\b`),
}

// beside are the forms of which only what stands before a secret is known; the
// last group is the secret.
var beside = []struct {
	expression
	what  string
	mixed bool // a secret has letters and digits
}{
	{expressionOf("bearer", `(?i)\b(bearer)\s+([A-Za-z0-9._~+/-]{20,}=*)`), "the text holds what looks like a bearer token: ", true},
	{
		expressionOf("password|passwd|pwd|secret|api_key|api-key|apikey|access_token|access-token|accesstoken|auth_token|auth-token|authtoken",
			`(?i)\b(password|passwd|pwd|secret|client_secret|api[_-]?key|access[_-]?token|auth[_-]?token)["']?\s*[:=]\s*["']?([^\s"',;)}\]<>]{8,})`),
		"the text sets something to what looks like a secret: ", true,
	},
	{expressionOf("://", `\b[a-z][a-z0-9+.-]{1,20}://([^\s/:@"'<>]{1,64}):([^\s/@"'<>]{3,128})@`), "the text has an address with a password in it: ", false},
}

// secretIn names what is found; the text itself is not repeated.
func secretIn(t text) string {
	lower := strings.ToLower(t.value)
	for _, k := range keys {
		if !k.worth(lower) {
			continue
		}
		if m := k.FindString(t.value); m != "" && !placeholder(m) && (!strings.HasPrefix(m, "sk-") || drawn(m)) {
			return "the text holds what looks like a key: " + masked(m)
		}
	}
	for _, b := range beside {
		if !b.worth(lower) {
			continue
		}
		if m := b.FindStringSubmatch(t.value); m != nil && !placeholder(m[2]) && !path(m[2]) && (!b.mixed || mixed(m[2])) {
			return b.what + masked(m[2])
		}
	}
	if m := basic.FindStringSubmatch(t.value); m != nil && isLogin(m[1]) {
		return "the text holds what looks like a login: " + masked(m[1])
	}
	if secretName(t.name) && t.fixed && len(t.value) >= minSetting && mixed(t.value) && !placeholder(t.value) && !strings.ContainsAny(t.value, " /") {
		return "the value of " + finding.Quote(t.name) + " looks like a secret: " + masked(t.value)
	}
	if t.fixed {
		for token := range strings.FieldsFuncSeq(t.value, func(r rune) bool { return !keyRune(r) }) {
			if len(token) >= 32 && random(token) && !placeholder(token) {
				return "the value looks like a key: " + masked(token)
			}
		}
	}
	return ""
}

// LooksLikeSecret reports whether a text that should name a secret holds what
// looks like the secret itself.
func LooksLikeSecret(text string) bool { return secretIn(textOf(text)) != "" }

func textOf(value string) text { return text{value: value} }

var basic = regexp.MustCompile(`(?i)\bauthorization["']?\s*[:=]\s*["']?basic\s+([A-Za-z0-9+/]{8,}={0,2})`)

// isLogin reports whether a text is a name and a password in Base64.
func isLogin(encoded string) bool {
	decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(encoded, "="))
	_, password, divided := strings.Cut(string(decoded), ":")
	return err == nil && divided && !placeholder(password)
}

// drawn reports whether a part of a key was drawn by chance: names that begin
// like one are words with hyphens between them.
func drawn(key string) bool {
	for part := range strings.FieldsFuncSeq(key, func(r rune) bool { return r == '-' || r == '_' }) {
		if len(part) >= 12 && mixed(part) {
			return true
		}
	}
	return false
}

// path reports whether a text is the path of a file.
func path(s string) bool {
	return strings.HasPrefix(s, "~/") || strings.HasPrefix(s, "./") || s[0] == '/' && strings.Count(s, "/") > 1
}

// masked shows enough to find a secret and not enough to use it.
func masked(secret string) string { return finding.Quote(secret[:min(4, len(secret)/3)] + "…") }

func keyRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-+=", r)
}

// mixed reports whether a text has letters and digits, as secrets do.
func mixed(s string) bool {
	return anyByte(s, isLetter) && anyByte(s, isDigit)
}

// random reports whether a token has the look of chance: both cases, digits, and
// nearly as many different characters as it can have. Digests in hexadecimal,
// which identify and open nothing, have one case only.
func random(token string) bool {
	var counts [128]int
	upper, lower, digit := false, false, false
	for i := range len(token) {
		b := token[i]
		counts[b&0x7f]++
		upper, lower, digit = upper || isUpper(b), lower || isLower(b), digit || isDigit(b)
	}
	if !upper || !lower || !digit {
		return false
	}
	entropy := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(token))
			entropy -= p * math.Log2(p)
		}
	}
	return entropy >= 4.2
}

// placeholder reports whether somebody wrote a text to stand for a secret.
func placeholder(s string) bool {
	lower := strings.ToLower(s)
	for _, mark := range placeholderMarks {
		if strings.Contains(lower, mark) {
			return true
		}
	}
	for _, w := range words(s) {
		if placeholderWords[w] || placeholderWords[strings.Trim(w, "0123456789")] {
			return true
		}
	}
	for i := 0; i+4 <= len(s); i++ {
		if (isLetter(s[i]) || isDigit(s[i])) && s[i] == s[i+1] && s[i] == s[i+2] && s[i] == s[i+3] {
			return true
		}
	}
	return false
}

// The marks may stand anywhere in a text, and the words stand by themselves: a
// password may well have one of them in it.
var (
	placeholderMarks = strings.Fields(`example xxx your *** ... <token <key placeholder changeme redacted 12345 abcde ${ {{ $( %s process.env os.environ secretkeyref my- my_`)
	placeholderWords = setOf(`dummy sample password passwd pass default username token secret fake test demo string foo bar encoded base64 bytes`)
)

func secretName(name string) bool {
	for _, w := range words(name) {
		if secretNames[w] {
			return true
		}
	}
	return false
}

var secretNames = setOf("password passwd secret token apikey authorization bearer credential credentials headers 密码 密钥 令牌")

// numbers finds the runs of digits of a text, with single blanks or hyphens in
// them, that have no letter or digit beside them.
func numbers(value string, visit func(digits, raw string) bool) {
	for i := 0; i < len(value); i++ {
		if !isDigit(value[i]) {
			continue
		}
		digits, end := digitsFrom(value, i)
		raw := value[i:end]
		if len(digits) == 17 && end < len(value) && (value[end] == 'X' || value[end] == 'x') { // the check digit of an identity card
			raw += "X"
			end++
		}
		glued := i > 0 && (inWord(value[i-1]) || value[i-1] == '.' || value[i-1] == '/') || end < len(value) && inWord(value[end])
		if i > 0 && value[i-1] == '+' {
			raw = "+" + raw
		}
		if !glued && visit(digits, raw) {
			return
		}
		i = end - 1
	}
}

// digitsFrom are the digits of a run, and where it ends.
func digitsFrom(value string, start int) (digits string, end int) {
	var b strings.Builder
	for i := start; i < len(value); i++ {
		if isDigit(value[i]) {
			b.WriteByte(value[i])
			end = i + 1
		} else if value[i] != ' ' && value[i] != '-' || i+1 == len(value) || !isDigit(value[i+1]) {
			break
		}
	}
	return b.String(), end
}

func personalNumberIn(t text) string {
	what := ""
	numbers(t.value, func(digits, raw string) bool {
		switch {
		case isIdentity(digits, raw):
			what = "the text holds what is the number of a Chinese identity card by its check digit: " + masked(digits)
		case isCard(digits) && grouped(raw, digits) && (strings.ContainsAny(raw, " -") || cardWord.MatchString(t.value) || cardWord.MatchString(t.name)):
			what = "the text holds what is the number of a payment card by its check digit: " + masked(digits)
		}
		return what != ""
	})
	return what
}

// cardWord tells the number of a card from other numbers with a check digit, if
// it is not written in groups as on a card.
var cardWord = regexp.MustCompile(`(?i)(^|[^a-z])(cards?|credit|visa|mastercard|unionpay)([^a-z]|$)|卡`)

// grouped reports whether digits stand together, or in fours as on a card.
func grouped(raw, digits string) bool {
	if raw == digits {
		return true
	}
	groups := strings.FieldsFunc(raw, func(r rune) bool { return r == ' ' || r == '-' })
	for i, g := range groups {
		if i < len(groups)-1 && len(g) != 4 && len(digits) != 15 {
			return false
		}
	}
	return true
}

// isCard reports whether digits are the number of a card that is issued. Numbers
// that the networks reserve for tests are not.
func isCard(digits string) bool {
	issued := false
	switch len(digits) {
	case 16:
		issued = digits[0] == '4' || digits[0] == '5' && digits[1] >= '1' && digits[1] <= '5' || digits[0] == '2' && digits[1] >= '2' && digits[1] <= '7' || digits[:2] == "62" || digits[:4] == "6011"
	case 15:
		issued = digits[:2] == "34" || digits[:2] == "37"
	case 19:
		issued = digits[:2] == "62"
	}
	return issued && !testCards[digits] && luhn(digits) && different(digits) > 3
}

var testCards = setOf(`4242424242424242 4111111111111111 4012888888881881 4000056655665556 5555555555554444 5105105105105100 5200828282828210
	2223003122003222 378282246310005 371449635398431 378734493671000 6011111111111117 6011000990139424 6200000000000005 4000000000000002 4532015112830366 4539148803436467`)

func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// different counts the different digits.
func different(digits string) int {
	seen := map[byte]bool{}
	for i := range len(digits) {
		seen[digits[i]] = true
	}
	return len(seen)
}

// isIdentity reports whether digits are the number of an identity card: a region,
// a date of birth, a serial number and a check digit (GB 11643-1999).
func isIdentity(digits, raw string) bool {
	id := digits
	if strings.HasSuffix(raw, "X") {
		id += "X"
	}
	if len(id) != 18 || len(digits) < 17 || strings.ContainsAny(raw, " -+") {
		return false
	}
	region, year, month, day := id[:2], id[6:10], id[10:12], id[12:14]
	if region < "11" || region > "65" || year < "1900" || year > "2099" || month < "01" || month > "12" || day < "01" || day > "31" {
		return false
	}
	weights := [...]int{7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2}
	sum := 0
	for i, w := range weights {
		sum += w * int(id[i]-'0')
	}
	return id[17] == "10X98765432"[sum%11]
}

var address = regexp.MustCompile(`[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){0,5}\.[A-Za-z]{2,24}\b`)

// contactIn looks for an address or a phone number that may be somebody's.
func contactIn(t text) string {
	if strings.ContainsRune(t.value, '@') {
		for _, m := range address.FindAllString(t.value, maxContacts) {
			if !reserved(m) {
				return "the text holds the mail address " + finding.Quote(m)
			}
		}
	}
	what := ""
	numbers(t.value, func(digits, raw string) bool {
		if isPhone(digits, raw) {
			what = "the text holds the phone number " + finding.Quote(raw)
		}
		return what != ""
	})
	return what
}

// maxContacts bounds how many addresses of one text are looked at.
const maxContacts = 64

// reserved reports whether an address is nobody's: its domain is kept for
// examples (RFC 2606), or its words say that it stands for another.
func reserved(mail string) bool {
	local, domain, _ := strings.Cut(strings.ToLower(mail), "@")
	labels := strings.Split(domain, ".")
	switch labels[len(labels)-1] {
	case "example", "test", "invalid", "localhost", "local", "internal":
		return true
	}
	for _, l := range labels {
		if sampleDomains[l] {
			return true
		}
	}
	return sampleLocals[local] || sampleLocals[strings.Trim(local, "0123456789")] || strings.HasSuffix(domain, ".gserviceaccount.com") || strings.HasSuffix(domain, ".calendar.google.com")
}

var (
	sampleDomains = setOf("example company yourcompany mycompany domain yourdomain mydomain acme contoso fabrikam corp org1 org mail email test sample site somewhere users group resource")
	sampleLocals  = setOf(`git user username name email mail you me someone somebody test noreply no-reply support info admin contact hello sales team john jane john.doe jane.doe jdoe johndoe bob alice
		recipient sender user.name first.last firstname.lastname another other a b foo bar`)
)

// isPhone reports whether digits are a phone number that can be called: in the
// form of E.164, or a Chinese mobile number. Runs that everybody makes up, and
// the numbers that are reserved for films, are not.
func isPhone(digits, raw string) bool {
	mobile := len(digits) == 11 && digits[0] == '1' && digits[1] >= '3' && digits[1] <= '9' && (raw == digits || strings.Count(raw, " ")+strings.Count(raw, "-") == 2)
	international := raw[0] == '+' && len(digits) >= 10 && len(digits) <= 15
	if !mobile && !international || different(digits) <= 4 {
		return false
	}
	for _, made := range []string{"12345", "23456", "34567", "45678", "56789", "98765", "87654", "00000", "11111", "13800138000", "55501", "5550", "555"} {
		if strings.Contains(digits, made) {
			return false
		}
	}
	return true
}
