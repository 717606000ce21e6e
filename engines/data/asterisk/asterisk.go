// Package asterisk matches names against patterns with asterisks.
package asterisk

import "strings"

// Matches reports whether a name matches a pattern in which each asterisk stands for any text.
func Matches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	last := len(parts) - 1
	name, ok := strings.CutPrefix(name, parts[0])
	if last == 0 || !ok {
		return ok && name == ""
	}
	for _, part := range parts[1:last] {
		start := strings.Index(name, part)
		if start < 0 {
			return false
		}
		name = name[start+len(part):]
	}
	return strings.HasSuffix(name, parts[last])
}
