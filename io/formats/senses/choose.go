package senses

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/data/asterisk"
	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/io/source"
)

// tally counts the instances of a word, in all and by sense.
type tally struct {
	word, lemma string
	senses      map[string]int
	all, top    int    // instances, those of the most frequent sense
	most        string // that sense; of equal ones the one that bytewise order puts first
}

// verdict on a word: kept, or why it is left out.
type verdict int8

const (
	kept     verdict = iota
	unasked          // words does not name it
	oneSense         // nothing to tell apart
	rare
	uniform
	verdicts
)

// judgeWord says whether the options keep a word, and by which limit it is left out. Shares are compared with a tolerance
// for rounding.
func (o Options) judgeWord(w tally) verdict {
	switch {
	case len(o.Words) > 0 && !slices.ContainsFunc(o.Words, w.matches):
		return unasked
	case len(w.senses) == 1:
		return oneSense
	case w.all < o.MinInstances:
		return rare
	case float64(w.top) > o.MaxTopShare*float64(w.all)*(1+1e-9):
		return uniform
	}
	return kept
}

// matches reports whether a pattern is the name of the word, or its lemma.
func (w tally) matches(pattern string) bool {
	return asterisk.Matches(pattern, w.word) || asterisk.Matches(pattern, w.lemma)
}

// account accounts for the instances: as many as admitted are of words that pos admits.
func (c *corpus) account(o Options, admitted int, rows [verdicts]int) {
	c.rows.Found = c.all + c.dropped + c.skipped
	c.rows.LeaveNumber("of words without text", c.dropped)
	c.rows.LeaveNumber("in sentences without a tree of as many words", c.skipped)
	c.rows.LeaveNumber("of words of another part of speech", c.all-admitted)
	c.rows.LeaveNumber("of words that are not asked for", rows[unasked])
	c.rows.LeaveNumber("of words with one sense", rows[oneSense])
	c.rows.LeaveNumber(fmt.Sprintf("of words with fewer than %d instances", o.MinInstances), rows[rare])
	c.rows.LeaveNumber(fmt.Sprintf("of words with a sense that has more than %v of the instances", o.MaxTopShare), rows[uniform])
}

// keepWords leaves the instances of the words that the options ask for, and returns as facts how many words are left out.
func (c *corpus) keepWords(o Options) ([]data.Fact, error) {
	words, wordOf := c.tallyWords()
	if err := checkPatterns(o.Words, words); err != nil {
		return nil, err
	}
	verdictOn, count, senses := make([]verdict, len(words)), [verdicts]int{}, 0
	for k, w := range words {
		verdictOn[k] = o.judgeWord(w)
		if count[verdictOn[k]]++; verdictOn[k] == kept {
			senses += len(w.senses)
		}
	}
	if err := o.checkNamed(words, verdictOn); err != nil {
		return nil, err
	}
	if count[kept] == 0 {
		return nil, fmt.Errorf("no word is left of %d (pos: %s): %d have one sense, %d have fewer than %d instances (min_instances), %d have a sense with more than %v of the instances (max_top_share)",
			len(words), o.POS, count[oneSense], count[rare], o.MinInstances, count[uniform], o.MaxTopShare)
	}
	single := 0 // senses
	for k, w := range words {
		for _, n := range w.senses {
			if n == 1 && verdictOn[k] == kept {
				single++
			}
		}
	}
	var instances [verdicts]int
	left := c.instances[:0]
	for i, k := range wordOf {
		if instances[verdictOn[k]]++; verdictOn[k] == kept {
			one := c.instances[i]
			one.most = one.sense == words[k].most
			left = append(left, one)
		}
	}
	clear(c.instances[len(left):])
	c.instances = left
	c.account(o, len(wordOf), instances)
	return []data.Fact{
		countFact("instances of all words", c.all),
		countFact("instances of words that pos admits", len(wordOf)),
		countFact("words", count[kept]),
		countFact("senses", senses),
		countFact("senses of one instance", single),
		countFact("words left out, with one sense", count[oneSense]),
		countFact(fmt.Sprintf("words left out, with fewer than %d instances", o.MinInstances), count[rare]),
		countFact(fmt.Sprintf("words left out, with a sense that has more than %v of the instances", o.MaxTopShare), count[uniform]),
	}, nil
}

// checkNamed refuses a word that the options name in full while their limits leave it out.
func (o Options) checkNamed(words []tally, verdicts []verdict) error {
	for k, pattern := range o.Words {
		first := -1
		for i, w := range words {
			switch {
			case !w.matches(pattern):
			case verdicts[i] == kept:
				first = len(words)
			case first < 0:
				first = i
			}
		}
		if first < len(words) && !strings.Contains(pattern, "*") {
			return param.Errorf(fmt.Sprintf("words.%d", k), "%s", o.explainVerdict(words[first], verdicts[first]))
		}
	}
	return nil
}

// explainVerdict says why a word is left out.
func (o Options) explainVerdict(w tally, v verdict) string {
	switch v {
	case oneSense:
		return fmt.Sprintf("%s has one sense, %s, in all its instances (%d): there is nothing to tell apart", w.word, w.most, w.all)
	case rare:
		return fmt.Sprintf("%s has %d instances, fewer than min_instances (%d)", w.word, w.all, o.MinInstances)
	}
	return fmt.Sprintf("%s has the sense %s in %d of %d instances, more than max_top_share (%v)", w.word, w.most, w.top, w.all, o.MaxTopShare)
}

// tallyWords returns the words of the corpus in bytewise order of their names, and the index of each instance's word.
func (c *corpus) tallyWords() (words []tally, wordOf []int32) {
	var names source.Texts
	for i := range c.instances {
		names.Add(c.instances[i].wordName())
	}
	order, place := names.Levels()
	words, wordOf = make([]tally, len(order)), make([]int32, len(c.instances))
	for i, k := range names.Of {
		wordOf[i] = place[k]
		w, from := &words[wordOf[i]], &c.instances[i]
		if w.senses == nil {
			*w = tally{word: from.wordName(), lemma: from.lemma, senses: map[string]int{}}
		}
		w.senses[from.sense]++
		w.all++
	}
	for k := range words {
		w := &words[k]
		for _, sense := range slices.Sorted(maps.Keys(w.senses)) {
			if n := w.senses[sense]; n > w.top {
				w.top, w.most = n, sense
			}
		}
	}
	return words, wordOf
}

// checkPatterns refuses a pattern that matches no word.
func checkPatterns(patterns []string, words []tally) error {
	for k, pattern := range patterns {
		if slices.ContainsFunc(words, func(w tally) bool { return w.matches(pattern) }) {
			continue
		}
		var names []string
		for _, w := range words {
			names = append(names, w.word, w.lemma)
		}
		return param.Errorf(fmt.Sprintf("words.%d", k), "the data has no word %q of the part of speech asked for%s", pattern, suggest.DidYouMean(pattern, names))
	}
	return nil
}
