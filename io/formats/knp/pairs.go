package knp

import (
	"fmt"
	"math"

	"tenfold/engines/data"
	"tenfold/io/rawtext"
)

// pair is a row: may bunsetsu m of a sentence depend on a later one, h?
type pair struct {
	sentence int32
	m, h     int32
	depends  bool
}

// pairs are the rows, and how many attachments needed none.
type pairs struct {
	rows   []pair
	forced int
}

// makePairs makes the rows. They may not be more than a matrix with an entry for each template holds.
func (c *corpus) makePairs(which string, templates int) (pairs, error) {
	var p pairs
	for s := range c.sentences {
		sentence := c.sentence(int32(s))
		compare := func(m, h int, depends bool) {
			p.rows = append(p.rows, pair{int32(s), int32(m), int32(h), depends})
		}
		if most := int64(len(sentence)) * int64(len(sentence)); (int64(len(p.rows))+most)*int64(templates) > math.MaxInt32 {
			return p, fmt.Errorf("up to sentence %s, pairs and templates: their product may not exceed %d", c.sentences[s].id, math.MaxInt32)
		}
		before := len(p.rows)
		if which == everyPair {
			const each = 64 // bytes of a row without its columns
			if err := c.implied.Ask(each*int64(len(sentence))*int64(len(sentence)-1)/2, "all pairs of the %d bunsetsu of sentence %s", len(sentence), rawtext.Beginning(c.sentences[s].id)); err != nil {
				return p, fmt.Errorf("%w; pairs: sassano makes fewer", err)
			}
			eachPair(sentence, compare)
		} else {
			p.forced += parseSassano(sentence, compare)
		}
		if id := c.sentences[s].id; len(p.rows) > before {
			if err := c.implied.AskNames(len(id), len(p.rows)-before, "ids of rows with a name of %d bytes, of the sentence %s,", len(id), rawtext.Beginning(id)); err != nil {
				return p, err
			}
		}
	}
	if len(p.rows) == 0 {
		return p, fmt.Errorf("no pairs of bunsetsu in %d sentences", len(c.sentences))
	}
	return p, nil
}

// parseSassano runs Sassano's algorithm (2004, figure 3) with right answers, and calls compare for each of its questions, whether
// bunsetsu m depends on h. Bunsetsu whose heads are still to be found wait on a stack; each new one takes from it what
// depends on it. Nothing is asked about the last bunsetsu, which takes all that is left: forced is how many.
//
// The algorithm cannot find a head to the left, none, or one beyond a dependency that crosses; such bunsetsu wait until
// the last one takes them. The answers to the questions about them are right all the same.
//
// There are fewer than 2n questions in a sentence of n.
func parseSassano(sentence []bunsetsu, compare func(m, h int, depends bool)) (forced int) {
	waiting := []int{0}
	for h := 1; h < len(sentence)-1; h++ {
		for len(waiting) > 0 {
			m := waiting[len(waiting)-1]
			depends := int(sentence[m].head) == h
			compare(m, h, depends)
			if !depends {
				break
			}
			waiting = waiting[:len(waiting)-1]
		}
		waiting = append(waiting, h)
	}
	if len(sentence) < 2 {
		return 0
	}
	return len(waiting)
}

// eachPair calls compare for every bunsetsu with every later one.
func eachPair(sentence []bunsetsu, compare func(m, h int, depends bool)) {
	for m := range sentence {
		for h := m + 1; h < len(sentence); h++ {
			compare(m, h, int(sentence[m].head) == h)
		}
	}
}

func (p pairs) buildTarget() data.Target {
	t := data.Target{Name: dependency, Type: data.Class, Levels: []string{"no", "yes"}, Positive: 1, Values: make([]float64, len(p.rows))}
	for i, row := range p.rows {
		if row.depends {
			t.Values[i] = 1
		}
	}
	return t
}

func (p pairs) factsOfPairs() []data.Fact {
	positive := 0
	for _, row := range p.rows {
		if row.depends {
			positive++
		}
	}
	return []data.Fact{
		{Name: "pairs", Value: fmt.Sprintf("%d, in %d of them the first depends on the second", len(p.rows), positive)},
		{Name: "attachments to the last bunsetsu without a question", Value: fmt.Sprint(p.forced)},
	}
}
