package reports

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/data/stabilitypath"
	"tenfold/io/results"
	"tenfold/reports/digits"
)

// The maximum number of characters of a fact: at least factWidth if fits are side by side, wideFactWidth for a data set, or fits
// that are alone.
const (
	factWidth     = 40
	wideFactWidth = 160
)

// rowFacts merges some facts of each row.
func rowFacts(rows []*results.Row, most int, factsOf func(*results.Row) []data.Fact) []data.Fact {
	all := make([][]data.Fact, len(rows))
	for i, r := range rows {
		all[i] = slices.DeleteFunc(slices.Clone(factsOf(r)), stabilitypath.Is) // figures show it
	}
	return mergeFacts(all, most)
}

// mergeFacts merges facts with the same name into one, in order of appearance, with a limited number of characters.
func mergeFacts(all [][]data.Fact, most int) []data.Fact {
	var names []string
	values := map[string][]string{}
	type fact struct{ name, value string }
	seen := map[fact]bool{}
	for _, facts := range all {
		for _, f := range facts {
			if values[f.Name] == nil {
				names = append(names, f.Name)
			}
			if k := (fact{f.Name, f.Value}); !seen[k] {
				seen[k] = true
				values[f.Name] = append(values[f.Name], f.Value)
			}
		}
	}
	out := make([]data.Fact, len(names))
	for i, n := range names {
		out[i] = data.Fact{Name: n, Value: mergeValues(values[n], most)}
	}
	return out
}

// numberIn matches a number that is no part of a name, as 15 is of x15.
var numberIn = regexp.MustCompile(`[-+]?\b\d+(\.\d+)?([eE][-+]?\d+)?`)

// mergeValues merges values that differ only in their numbers into one with ranges, "76 … 133, with 33444 … 45704 entries"; of
// others it shows the first, and counts the rest.
func mergeValues(values []string, most int) string {
	text, ok := mergeNumbers(values)
	if !ok {
		return shorten(values[0], most) + fmt.Sprintf(" (and %s)", digits.Count(len(values)-1, "other value"))
	}
	return shorten(text, most)
}

// withoutNumbers replaces each number of a text by #.
func withoutNumbers(text string) string { return strings.Join(numberIn.Split(text, -1), "#") }

// mergeNumbers merges texts that differ only in their numbers, with the range of each number; false for others.
func mergeNumbers(texts []string) (string, bool) {
	words := numberIn.Split(texts[0], -1)
	low := numberIn.FindAllString(texts[0], -1)
	high := slices.Clone(low)
	for _, v := range texts[1:] {
		numbers := numberIn.FindAllString(v, -1)
		if !slices.Equal(numberIn.Split(v, -1), words) {
			return "", false
		}
		for i, n := range numbers {
			if lessNumber(n, low[i]) {
				low[i] = n
			}
			if lessNumber(high[i], n) {
				high[i] = n
			}
		}
	}
	var b strings.Builder
	for i, w := range words {
		b.WriteString(w)
		if i < len(low) {
			if b.WriteString(low[i]); high[i] != low[i] {
				b.WriteString(" … " + high[i])
			}
		}
	}
	return b.String(), true
}

// lessNumber compares texts that numberIn matched by their values.
func lessNumber(a, b string) bool {
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	return x < y
}
