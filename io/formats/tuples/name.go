package tuples

import "strconv"

// appendEscaped writes a value as it stands in names: % ; = * | and everything up to U+0020, and U+007F, become %XX.
func appendEscaped(dst []byte, value string) []byte {
	const hex = "0123456789ABCDEF"
	for k := range len(value) {
		switch c := value[k]; {
		case c <= ' ', c == 0x7f, c == '%', c == ';', c == '=', c == '*', c == '|':
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// escapedNames returns the symbols as they stand in names. Leaf is *, which no value is after escaping.
func (s *symbols) escapedNames() []string {
	out := make([]string, len(s.text))
	var escaped []byte
	for n, text := range s.text {
		if escaped = appendEscaped(escaped[:0], text); string(escaped) == text {
			out[n] = text
		} else {
			out[n] = string(escaped)
		}
	}
	out[Leaf] = "*"
	return out
}

// appendName writes the name of the pattern that template number k makes of record i: T<k>:<label>=<value>;...
func (o *order) appendName(dst []byte, k int, positions []int, i int32) []byte {
	dst = append(dst, 'T')
	dst = strconv.AppendInt(dst, int64(k), 10)
	dst = append(dst, ':')
	return o.appendValues(dst, positions, i)
}

// appendValues writes <label>=<value>;...
func (o *order) appendValues(dst []byte, positions []int, i int32) []byte {
	for q, p := range positions {
		if q > 0 {
			dst = append(dst, ';')
		}
		dst = append(dst, o.table.label[p]...)
		dst = append(dst, '=')
		dst = append(dst, o.text[o.table.values[p][i]]...)
	}
	return dst
}
