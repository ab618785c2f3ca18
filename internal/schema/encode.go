// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"unicode/utf8"
)

// AppendJSON appends the compact JSON text of v: members in order, numbers in
// canonical spelling, only the characters escaped that JSON requires. It is
// the one encoder for everything that is published, so equal values are equal bytes.
func (v *Value) AppendJSON(dst []byte) []byte {
	switch v.kind {
	case Null:
		return append(dst, "null"...)
	case Bool:
		if v.bool {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case Number:
		return append(dst, v.text...)
	case String:
		return AppendString(dst, v.text)
	case Array:
		dst = append(dst, '[')
		for i, item := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.AppendJSON(dst)
		}
		return append(dst, ']')
	default:
		dst = append(dst, '{')
		for i, m := range v.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendString(dst, m.Name)
			dst = append(dst, ':')
			dst = m.Value.AppendJSON(dst)
		}
		return append(dst, '}')
	}
}

// JSON returns the compact JSON text of v.
func (v *Value) JSON() string { return string(v.AppendJSON(nil)) }

// AppendString appends a JSON string literal. Unlike encoding/json it leaves
// <, > and & alone: models read these bytes.
func AppendString(dst []byte, s string) []byte {
	const hexDigits = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(append(dst, s[start:i]...), "\ufffd"...)
				start = i + 1
			}
			i += size
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(dst, s[start:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}

// Digest is the SHA-256 of the compact JSON text, as "sha256:<hex>".
func (v *Value) Digest() string { return DigestBytes(v.AppendJSON(nil)) }

// DigestBytes is the SHA-256 of b, as "sha256:<hex>".
func DigestBytes(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// native converts v to the types that the validator library reads: maps,
// slices, json.Number, string, bool and nil.
func (v *Value) native() any {
	switch v.kind {
	case Null:
		return nil
	case Bool:
		return v.bool
	case Number:
		return json.Number(v.text)
	case String:
		return v.text
	case Array:
		out := make([]any, len(v.items))
		for i, item := range v.items {
			out[i] = item.native()
		}
		return out
	default:
		out := make(map[string]any, len(v.members))
		for _, m := range v.members {
			out[m.Name] = m.Value.native()
		}
		return out
	}
}
