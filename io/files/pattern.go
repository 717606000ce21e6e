package files

import (
	"path"
	"strings"

	"tenfold/engines/kind"
)

// pattern tells a pattern of members from the name of one.
func pattern(member string) bool { return strings.ContainsAny(member, "*?[") }

// matches tells whether a name fits a pattern, segment by segment as path.Match has it; ** is any number of segments.
func matches(pattern, name []string) bool {
	if len(pattern) == 0 {
		return len(name) == 0
	}
	if pattern[0] == "**" {
		return matches(pattern[1:], name) || len(name) > 0 && matches(pattern, name[1:])
	}
	if len(name) == 0 {
		return false
	}
	ok, err := path.Match(pattern[0], name[0])
	return ok && err == nil && matches(pattern[1:], name[1:])
}

// checkPattern refuses what path.Match cannot read.
func checkPattern(member string) error {
	if _, err := path.Match(member, ""); err != nil {
		return kind.Errorf("member", "%q is no pattern: expected text with * and ? for any text and character, and [a-z] for one of some", member)
	}
	return nil
}

// passedOver are hidden files, and what macOS adds to archives.
func passedOver(name string) bool {
	for _, part := range strings.Split(name, "/") {
		if strings.HasPrefix(part, ".") || part == "__MACOSX" {
			return true
		}
	}
	return false
}
