package source

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/io/rawtext"
)

// Texts is a column of texts that repeat, such as labels: each row holds the number of a word. The zero value is ready.
type Texts struct {
	Words []string // distinct, in order of first appearance
	Of    []int32  // number of the word of each row

	number map[string]int32
}

// Add appends a row. It copies the text, so that it does not keep what the text is part of.
func (t *Texts) Add(text string) {
	k, ok := t.number[text]
	if !ok {
		if t.number == nil {
			t.number = make(map[string]int32)
		}
		k = int32(len(t.Words))
		text = strings.Clone(text)
		t.number[text] = k
		t.Words = append(t.Words, text)
	}
	t.Of = append(t.Of, k)
}

// mostLevels is the maximum number of levels of a target: more than any classifier fits.
const mostLevels = 1 << 18

// AddLevel adds a level of a target.
func (t *Texts) AddLevel(text string) error {
	if t.Add(text); len(t.Words) > mostLevels {
		return fmt.Errorf("found %q, the %dth level of the target, expected at most %d: levels are classes, and no names of rows", rawtext.Beginning(text), len(t.Words), mostLevels)
	}
	return nil
}

// Know adds words before any row has them.
func (t *Texts) Know(words ...string) {
	for _, word := range words {
		t.Add(word)
	}
	t.Of = t.Of[:len(t.Of)-len(words)]
}

// Append appends the rows of another column of texts.
func (t *Texts) Append(next *Texts) {
	number := make([]int32, len(next.Words)) // number in t of each of its words
	for k, word := range next.Words {
		t.Add(word)
		last := len(t.Of) - 1
		number[k], t.Of = t.Of[last], t.Of[:last]
	}
	for _, k := range next.Of {
		t.Of = append(t.Of, number[k])
	}
}

// Groups returns the groups of the rows: rows with equal texts.
func (t *Texts) Groups(name string) *data.Groups {
	g := &data.Groups{Name: name, Of: make([]int32, len(t.Of)), Key: make([]uint64, 0, len(t.Words))}
	number := make([]int32, len(t.Words)) // of the group of each word, from 1; 0 for none yet
	for i, k := range t.Of {
		if number[k] == 0 {
			g.Key = append(g.Key, data.Key(t.Words[k]))
			number[k] = int32(len(g.Key))
		}
		g.Of[i] = number[k] - 1
	}
	return g
}

// Levels returns the words in order (by number if all are numbers, else by bytes) and the place of each word in it.
func (t *Texts) Levels() (levels []string, place []int32) {
	return sortDistinct(t.Words)
}

// Class returns the target whose levels are the words, in order. If all are numbers, "+1" and "1.0" are the level "1"
// (PlainNumber). positive names the level that counts as positive if there are two; "" means the last one.
func (t *Texts) Class(name, positive string) (data.Target, error) {
	words := slices.Clone(t.Words)
	if allNumbers(words) {
		for k, w := range words {
			words[k] = PlainNumber(w)
		}
		positive = PlainNumber(positive)
	}
	levels, place := sortDistinct(words)
	target := data.Target{Name: name, Type: data.Class, Levels: levels, Values: make([]float64, len(t.Of))}
	for i, k := range t.Of {
		target.Values[i] = float64(place[k])
	}
	if len(levels) == 2 {
		target.Positive = 1
	}
	return Positive(target, positive)
}

// Positive makes a level of two the positive one, which is the second: models of two classes with one coefficient a column have that of
// the second. "" changes nothing. It returns an error if the target does not have that level, or has more than two.
func Positive(t data.Target, level string) (data.Target, error) {
	if level == "" {
		return t, nil
	}
	place := slices.Index(t.Levels, level)
	switch {
	case place < 0:
		return t, param.Errorf("target.positive", "%s has no level %q%s (levels: %s)", t.Name, level, suggest.DidYouMean(level, t.Levels), Abridge(t.Levels))
	case len(t.Levels) > 2:
		return t, param.Errorf("target.positive", "it needs two levels, and %s has %d (%s)", t.Name, len(t.Levels), Abridge(t.Levels))
	}
	if len(t.Levels) == 2 {
		t.Positive = 1
	}
	if len(t.Levels) == 2 && place == 0 {
		t.Levels, t.Values = []string{t.Levels[1], t.Levels[0]}, slices.Clone(t.Values)
		for i, v := range t.Values {
			t.Values[i] = 1 - v
		}
	}
	return t, nil
}

// sortDistinct returns the distinct words, sorted, and the place of each word among them.
func sortDistinct(words []string) (sorted []string, place []int32) {
	byWord := func(a, b string) int { return cmp.Compare(a, b) }
	if allNumbers(words) {
		byWord = func(a, b string) int {
			x, _ := rawtext.ParseNumber(a)
			y, _ := rawtext.ParseNumber(b)
			return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
		}
	}
	sorted = slices.Clone(words)
	slices.SortFunc(sorted, byWord)
	sorted = slices.Compact(sorted)
	place = make([]int32, len(words))
	for k, w := range words {
		index, _ := slices.BinarySearchFunc(sorted, w, byWord)
		place[k] = int32(index)
	}
	return sorted, place
}

func allNumbers(words []string) bool {
	for _, w := range words {
		if _, ok := rawtext.ParseNumber(w); !ok {
			return false
		}
	}
	return len(words) > 0
}

// PlainNumber returns a decimal number without its plus sign and the zeros that end its fraction: 1 for +1 and 1.0. It returns all else
// unchanged, also numbers that may be codes: with leading zeros (01), or with exponents (1E5).
func PlainNumber(word string) string {
	text := strings.TrimPrefix(word, "+")
	digits := strings.TrimPrefix(text, "-")
	whole, fraction, decimals := strings.Cut(digits, ".")
	switch {
	case whole == "" || strings.Trim(whole, "0123456789") != "" || strings.Trim(fraction, "0123456789") != "" || len(whole) > 1 && whole[0] == '0':
		return word
	case decimals:
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		return "0"
	}
	return text
}

// Abridge joins at most the first twenty names, for a message.
func Abridge(names []string) string {
	short := make([]string, min(len(names), 20))
	for i := range short {
		if short[i] = names[i]; utf8.RuneCountInString(names[i]) > 60 {
			short[i] = string([]rune(names[i])[:60]) + "…"
		}
	}
	if len(names) > 20 {
		short = append(short, "…")
	}
	return strings.Join(short, ", ")
}
