// Package suggest finds the name that was meant by one that is not among those allowed.
package suggest

import (
	"fmt"
	"slices"
	"strings"
)

// DidYouMean returns `; did you mean "x"?` for the nearest of the names, or nothing when none is near, or when the name is one of them:
// then the mistake is another.
func DidYouMean(name string, names []string) string {
	if n := Nearest(name, names); n != "" && n != name {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	return ""
}

// Of more than most names, messages have the fewest first.
const most, fewest = 100, 20

// Choices ends a message about an unknown name: the nearest of the names, or advice on one from elsewhere, or else all of them.
func Choices(name string, names []string) string {
	switch near := DidYouMean(name, names); {
	case near != "":
		return near
	case adviceOn(name, names) != "":
		return "; " + adviceOn(name, names)
	case len(names) == 0:
		return " (there are none)"
	}
	if more := len(names) - fewest; len(names) > most {
		return fmt.Sprintf(" (have %s, and %d more)", strings.Join(names[:fewest], ", "), more)
	}
	return " (have " + strings.Join(names, ", ") + ")"
}

// adviceOn returns what to do in place of a name from elsewhere, with or without the module before it; "" if nothing is known.
func adviceOn(name string, names []string) string {
	name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	if name == "c" && !slices.Contains(names, "c1") && !slices.Contains(names, "c2") {
		return ""
	}
	return advice[name]
}

// Nearest returns the name that differs in its case alone, or has the meaning of one from elsewhere (elsewhere.go), or the first that
// ends in it as a word (mse: test_mse is meant rather than mae), or the only one that begins so, or one within a third of its length by
// edit distance (transpositions count one); the first on ties.
func Nearest(name string, names []string) string {
	for _, n := range names {
		if strings.EqualFold(n, name) {
			return n
		}
	}
	if n := translated(name, names); n != "" {
		return n
	}
	if n := holder(name, names); n != "" {
		return n
	}
	if adviceOn(name, names) != "" {
		return ""
	}
	best, bestDist := "", len(name)/3+2
	for _, n := range names {
		d := distance(name, n)
		if len(name) < 5 && d > 1 && !abbreviates(name, n) { // tpr is not fdp
			continue
		}
		if d < bestDist && d < len(n) {
			best, bestDist = n, d
		}
	}
	return best
}

// abbreviates reports whether a name has, from the same letter on, only letters of another in their order: grp for group.
func abbreviates(short, long string) bool {
	if short == "" || long == "" || short[0] != long[0] {
		return false
	}
	for i := range len(long) {
		if short != "" && long[i] == short[0] {
			short = short[1:]
		}
	}
	return short == ""
}

// holder returns the first name that ends in the given one as its last words, or the only one that has it as its first, "" where there
// is none.
func holder(name string, names []string) string {
	if len(name) < 3 {
		return ""
	}
	for _, n := range names {
		if strings.HasSuffix(n, "_"+name) || strings.HasSuffix(n, "-"+name) {
			return n
		}
	}
	first := ""
	for _, n := range names {
		if strings.HasPrefix(n, name+"_") || strings.HasPrefix(n, name+"-") {
			if first != "" {
				return ""
			}
			first = n
		}
	}
	return first
}

// distance returns the optimal string alignment distance, O(len(a)·len(b)).
func distance(a, b string) int {
	before, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
