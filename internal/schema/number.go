// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// maxNumberDigits and maxNumberExponent bound the decimal digits and the
// power of ten of a literal, which keeps exact arithmetic cheap; the validator
// library crashes on exponents beyond a million. The value must also be inside
// the range of a 64-bit float: most readers of JSON make infinity of a greater
// number, zero of a smaller one, or refuse the whole text.
const (
	maxNumberDigits   = 400
	maxNumberExponent = 400
)

// canonicalNumber returns the one spelling of a JSON number's exact value:
// that of ECMAScript's Number::toString on the exact decimal digits. So 1.0,
// 1e0 and 1 are one text, and what an API server makes of a number (1.0 to 1,
// 1e3 to 1000) has the digest of what the author wrote.
func canonicalNumber(literal string) (string, error) {
	mantissa, exponent := literal, 0
	if i := strings.IndexAny(literal, "eE"); i >= 0 {
		mantissa = literal[:i]
		n, err := strconv.Atoi(literal[i+1:])
		if err != nil || n > maxNumberExponent || n < -maxNumberExponent {
			return "", fmt.Errorf("the exponent is beyond ±%d", maxNumberExponent)
		}
		exponent = n
	}
	sign := ""
	if strings.HasPrefix(mantissa, "-") {
		sign, mantissa = "-", mantissa[1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	exponent -= len(fraction)
	trimmed := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(trimmed)
	if trimmed == "" {
		return "0", nil
	}
	if len(trimmed) > maxNumberDigits {
		return "", fmt.Errorf("it has more than %d significant digits", maxNumberDigits)
	}
	if point := len(trimmed) + exponent; point > maxNumberExponent || point < -maxNumberExponent {
		return "", errFloatRange
	}
	text := sign + spell(trimmed, exponent)
	if f, err := strconv.ParseFloat(text, 64); err != nil || f == 0 {
		return "", errFloatRange
	}
	return text, nil
}

var errFloatRange = errors.New("it is outside the range of a 64-bit float")

// spell writes digits × 10^exponent; digits has no zero at either end.
func spell(digits string, exponent int) string {
	point := len(digits) + exponent // value = 0.digits × 10^point
	switch {
	case len(digits) <= point && point <= 21:
		return digits + strings.Repeat("0", exponent)
	case 0 < point && point <= 21:
		return digits[:point] + "." + digits[point:]
	case -6 < point && point <= 0:
		return "0." + strings.Repeat("0", -point) + digits
	}
	text := digits[:1]
	if len(digits) > 1 {
		text += "." + digits[1:]
	}
	if point-1 > 0 {
		return text + "e+" + strconv.Itoa(point-1)
	}
	return text + "e" + strconv.Itoa(point-1)
}

// NewNumber returns the JSON number with this literal.
func NewNumber(literal string) (*Value, error) {
	text, err := canonicalNumber(literal)
	if err != nil {
		return nil, fmt.Errorf("reading number %s: %w", clipNumber(literal), err)
	}
	return &Value{kind: Number, text: text}, nil
}

// NewRat returns the JSON number of a rational that has a finite decimal form.
func NewRat(r *big.Rat) (*Value, error) {
	digits, exact := r.FloatPrec()
	if !exact || digits > maxNumberDigits {
		return nil, fmt.Errorf("writing number: %s has no short decimal form", clipNumber(r.String()))
	}
	return NewNumber(r.FloatString(digits))
}

// Rat returns the exact value of a number, or nil for other kinds.
func (v *Value) Rat() *big.Rat {
	if v == nil || v.kind != Number {
		return nil
	}
	r, _ := new(big.Rat).SetString(v.text)
	return r
}

// IsInteger reports whether v is a number without a fractional part.
func (v *Value) IsInteger() bool {
	if v == nil || v.kind != Number {
		return false
	}
	if !strings.ContainsAny(v.text, ".e") {
		return true
	}
	return v.Rat().IsInt()
}

// Int returns a number as an int64; ok is false for other kinds, fractions
// and values outside the type.
func (v *Value) Int() (n int64, ok bool) {
	r := v.Rat()
	if r == nil || !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	return r.Num().Int64(), true
}

func formatInt(n int64) string {
	text, err := canonicalNumber(strconv.FormatInt(n, 10))
	if err != nil { // an int64 has at most 19 digits
		return "0"
	}
	return text
}

func clipNumber(literal string) string {
	const most = 40
	if len(literal) > most {
		return literal[:most] + "…"
	}
	return literal
}
