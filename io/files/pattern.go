package files

import (
	"path"
	"strings"
)

// isPattern reports whether member is a pattern and not a name.
func isPattern(member string) bool { return strings.ContainsAny(member, "*?[") }

// matchSegments matches a name segment by segment as path.Match does; ** matches any number of segments.
func matchSegments(pattern, name []string) bool {
	if len(pattern) == 0 {
		return len(name) == 0
	}
	if pattern[0] == "**" {
		return matchSegments(pattern[1:], name) || len(name) > 0 && matchSegments(pattern, name[1:])
	}
	if len(name) == 0 {
		return false
	}
	ok, err := path.Match(pattern[0], name[0])
	return ok && err == nil && matchSegments(pattern[1:], name[1:])
}

// isHidden reports whether a name is hidden, or of a file that macOS adds to archives.
func isHidden(name string) bool {
	for _, part := range strings.Split(name, "/") {
		if strings.HasPrefix(part, ".") || part == "__MACOSX" {
			return true
		}
	}
	return false
}
