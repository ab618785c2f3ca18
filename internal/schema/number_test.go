// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func number(t testing.TB, literal string) *Value {
	t.Helper()
	v, err := NewNumber(literal)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The right side is what String(Number(literal)) gives in Node.js 20, for
// numbers that a float64 holds with all their digits.
func TestNumbersAreSpelledAsECMAScriptDoes(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"0": "0", "-0": "0", "0.0": "0", "-0.00e5": "0", "0e400": "0",
		"1": "1", "1.0": "1", "1e0": "1", "1E+0": "1", "10e-1": "1", "-1": "-1", "-1.0": "-1",
		"100": "100", "1e2": "100", "1e3": "1000",
		"0.1": "0.1", "0.10": "0.1", "1e-1": "0.1", "1.5": "1.5", "15e-1": "1.5", "-1.5": "-1.5", "4.02": "4.02",
		"1e20": "100000000000000000000", "100000000000000000000": "100000000000000000000",
		"1e21": "1e+21", "1000000000000000000000": "1e+21", "1e22": "1e+22",
		"123456789e13": "1.23456789e+21", "123456e16": "1.23456e+21",
		"0.000001": "0.000001", "1e-6": "0.000001", "0.00001234": "0.00001234",
		"1e-7": "1e-7", "0.0000001": "1e-7", "1.5e-7": "1.5e-7", "-1e-7": "-1e-7", "-123.456e-10": "-1.23456e-8",
		"9007199254740991": "9007199254740991", "9007199254740992": "9007199254740992",
		"1.7976931348623157e308": "1.7976931348623157e+308", "5e-324": "5e-324",
	}
	for literal, want := range tests {
		if got := number(t, literal).Text(); got != want {
			t.Errorf("%s is spelled %s, want %s", literal, got, want)
		}
	}
}

func TestNumbersKeepEveryDigit(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"9007199254740993":                "9007199254740993", // 2^53 + 1
		"1234567890123456789":             "1234567890123456789",
		"123456789012345678901":           "123456789012345678901",
		"1234567890123456789012":          "1.234567890123456789012e+21",
		"0.1000000000000000055511151":     "0.1000000000000000055511151",
		"3.14159265358979323846264338328": "3.14159265358979323846264338328",
	}
	for literal, want := range tests {
		if got := number(t, literal).Text(); got != want {
			t.Errorf("%s is spelled %s, want %s", literal, got, want)
		}
	}
	long := strings.Repeat("7", 308) + "." + strings.Repeat("7", 92)
	if got := number(t, long).Rat(); got.FloatString(92) != long {
		t.Errorf("400 digits become %s", got.FloatString(92))
	}
}

func TestNumbersOutsideAFloat64AreRefused(t *testing.T) {
	t.Parallel()
	for _, literal := range []string{
		"1e309", "-1e309", "1.8e308", "1e400", "1e401", "1e2000000", "-1e-2000000", "1e99999999999999999999",
		"1e-324", "-1e-330", "1e-400", "1e-401", "0." + strings.Repeat("0", 400) + "1",
		"1" + strings.Repeat("0", 309), strings.Repeat("7", 401), "0." + strings.Repeat("7", 401),
	} {
		v, err := NewNumber(literal)
		if err == nil {
			t.Errorf("%.30s was read as %s", literal, v.Text())
			continue
		}
		if len(err.Error()) > 200 {
			t.Errorf("the message has %d bytes", len(err.Error()))
		}
	}
}

// A decimal of at most 15 digits survives a float64, so its spelling is that
// of the float: the shortest digits, laid out by the rules of ECMAScript.
func TestNumbersOfFewDigitsAreSpelledLikeTheirFloat(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		digits := strconv.FormatInt(random.Int64N(1e15), 10)
		literal := digits + "e" + strconv.Itoa(random.IntN(60)-30)
		f, err := strconv.ParseFloat(literal, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := number(t, literal).Text(), layOut(f); got != want {
			t.Fatalf("%s is spelled %s, want %s", literal, got, want)
		}
	}
}

// layOut is Number::toString, from the way Go spells floats.
func layOut(f float64) string {
	if abs := math.Abs(f); f == 0 || (abs >= 1e-6 && abs < 1e21) {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	sign, exponent := exponent[:1], strings.TrimLeft(exponent[1:], "0")
	return mantissa + "e" + sign + exponent
}

func TestNumbersAreEqualByValue(t *testing.T) {
	t.Parallel()
	for _, class := range [][]string{
		{"1", "1.0", "1e0", "100e-2", "0.01e2"},
		{"0", "-0", "0.0", "-0e7"},
		{"1e21", "1000000000000000000000", "1000000000000000000000.0"},
		{"9007199254740993", "9007199254740993.0"},
	} {
		for _, a := range class {
			for _, b := range class {
				if !number(t, a).Equal(number(t, b)) {
					t.Errorf("%s is not %s", a, b)
				}
			}
		}
	}
	if number(t, "9007199254740993").Equal(number(t, "9007199254740992")) {
		t.Error("integers beyond 2^53 are confused")
	}
	if number(t, "1").Equal(NewString("1")) {
		t.Error("a number is a string")
	}
}

func TestIntegers(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		isInteger bool
		n         int64
		fits      bool
	}{
		"0":                    {true, 0, true},
		"-0":                   {true, 0, true},
		"1.0":                  {true, 1, true},
		"1e3":                  {true, 1000, true},
		"1e21":                 {true, 0, false},
		"1.5":                  {false, 0, false},
		"1e-7":                 {false, 0, false},
		"9223372036854775807":  {true, math.MaxInt64, true},
		"-9223372036854775808": {true, math.MinInt64, true},
		"9223372036854775808":  {true, 0, false},
	}
	for literal, want := range tests {
		v := number(t, literal)
		n, fits := v.Int()
		if v.IsInteger() != want.isInteger || n != want.n || fits != want.fits {
			t.Errorf("%s: integer %t, value %d, fits %t", literal, v.IsInteger(), n, fits)
		}
	}
	for _, v := range []*Value{nil, NewString("1"), NewNull(), NewArray()} {
		if _, ok := v.Int(); ok || v.IsInteger() || v.Rat() != nil {
			t.Errorf("%v is a number", v)
		}
	}
	for _, n := range []int64{0, 7, -1000, math.MaxInt64, math.MinInt64} {
		if got := NewInt(n).Text(); got != strconv.FormatInt(n, 10) {
			t.Errorf("%d is spelled %s", n, got)
		}
	}
}

func TestRationalsAreNumbersIfTheirDecimalFormIsShort(t *testing.T) {
	t.Parallel()
	huge := new(big.Int).Exp(big.NewInt(10), big.NewInt(5_000), nil)
	tests := map[string]struct {
		rational *big.Rat
		want     string
	}{
		"a half":                 {big.NewRat(1, 2), "0.5"},
		"an integer":             {big.NewRat(-6, 3), "-2"},
		"a small fraction":       {big.NewRat(1, 1<<40), "9.094947017729282379150390625e-13"},
		"a third":                {big.NewRat(1, 3), ""},
		"a huge integer":         {new(big.Rat).SetInt(huge), ""},
		"a tiny fraction":        {new(big.Rat).SetFrac(big.NewInt(1), huge), ""},
		"a fraction of a power":  {new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 2_000)), ""},
		"zero":                   {new(big.Rat), "0"},
		"a number of 300 digits": {new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(300), nil)), "1e+300"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, err := NewRat(test.rational)
			switch {
			case test.want == "" && err == nil:
				t.Errorf("it was written as %s", v.Text())
			case test.want == "" && len(err.Error()) > 200:
				t.Errorf("the message has %d bytes", len(err.Error()))
			case test.want != "" && err != nil:
				t.Error(err)
			case test.want != "" && v.Text() != test.want:
				t.Errorf("got %s, want %s", v.Text(), test.want)
			}
		})
	}
}

func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"1", "-0.0", "1e400", "123.456e-7", "9007199254740993", "1e-324"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, literal string) {
		v, failed := Parse([]byte(literal))
		if failed != nil || v.Kind() != Number {
			return
		}
		want, ok := new(big.Rat).SetString(strings.TrimSpace(literal))
		if !ok || v.Rat().Cmp(want) != 0 {
			t.Errorf("%s has the value %v", literal, v.Rat())
		}
		if again := number(t, v.Text()); again.Text() != v.Text() {
			t.Errorf("%s is spelled %s and then %s", literal, v.Text(), again.Text())
		}
	})
}
