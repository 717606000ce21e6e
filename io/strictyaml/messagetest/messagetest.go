// Package messagetest holds messages in tests to their facts: the place, what is quoted, numbers, flags and keys stand in the expected
// text exactly, and … for the words around, which may become better ones.
package messagetest

import (
	"regexp"
	"slices"
	"strings"
)

// Gap ends a line of an expected message that has facts alone: any words may stand around these.
const Gap = "…"

// fact is what a better wording keeps: the place at the beginning of a line, what is quoted, flags, numbers, names with a dot, a
// dash of a slash, an underscore or a colon in them.
var fact = regexp.MustCompile(`^ *(tenfold|[^\s:"]+:\d+(:\d+)?|\$DIR[^\s:]*|[^\s:"]+\.[a-z]+):|"[^"]*"|--[a-z][a-z-]*|[\w*-]*[\w*][._/=:][\w*./:=-]*[\w*]|\b\d[\w.%]*`)

// Facts returns the facts of a message in their order, line by line. A line that has one fact besides its place, or none, and one
// that shows a part of a file, stay whole.
func Facts(message string) string {
	lines := strings.Split(message, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "exit ") {
			lines[i] = factsOf(line)
		}
	}
	return strings.Join(lines, "\n")
}

func factsOf(line string) string {
	facts := fact.FindAllString(line, -1)
	if place := len(facts) > 0 && strings.HasPrefix(line, facts[0]); len(facts) < 2 || place && len(facts) < 3 {
		return line
	}
	return strings.Join(facts, " ") + " " + Gap
}

// Match reports whether the message is the expected one, line by line: the same line, or the same facts in the same order.
func Match(want, message string) bool {
	wants, lines := strings.Split(want, "\n"), strings.Split(message, "\n")
	if len(wants) != len(lines) {
		return false
	}
	for i, want := range wants {
		if !matchLine(want, lines[i]) {
			return false
		}
	}
	return true
}

func matchLine(want, line string) bool {
	if facts, ok := strings.CutSuffix(want, Gap); ok {
		return slices.Equal(fact.FindAllString(facts, -1), fact.FindAllString(line, -1))
	}
	return want == line
}

// Renewed returns what a test that writes its expectations anew puts in place of one: the same where the message still matches it, whole
// where it was whole, and otherwise the facts.
func Renewed(want, message string) string {
	switch {
	case Match(want, message):
		return want
	case strings.Contains(want, "\n") && !strings.Contains(want, Gap):
		return message
	}
	return Facts(message)
}
