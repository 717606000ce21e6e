package stability

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/data/stabilitypath"
)

// counts holds how many halves selected each item.
type counts struct {
	times      []int
	q          int // 0 if the engine decides
	halves     int
	selections []entered // of the halves whose response varies
	selected   int       // by all halves together
}

func tally(found []outcome, items, q int) counts {
	t := counts{times: make([]int, items), q: q, halves: len(found)}
	for _, half := range found {
		if half.constant {
			continue
		}
		t.selections = append(t.selections, half.entered)
		t.selected += len(half.items)
		for _, j := range half.items {
			t.times[j]++
		}
	}
	return t
}

// meanSize returns the mean size of a half's selection, rounded up.
func (t counts) meanSize() int { return (t.selected + t.halves - 1) / t.halves }

// byCount returns the items that any half selected, the most frequent first, ties by number.
func (t counts) byCount() []int {
	var order []int
	for j, n := range t.times {
		if n > 0 {
			order = append(order, j)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return t.times[b] - t.times[a] })
	return order
}

// stable returns the items that at least count halves selected, the most frequent first, with the rank and the share of halves of
// each.
func (t counts) stable(count int) []engines.Coef {
	var chosen []engines.Coef
	for rank, j := range t.byCount() {
		if t.times[j] < count {
			break
		}
		chosen = append(chosen, engines.Coef{Feature: j, Rank: rank, Score: float64(t.times[j]) / float64(t.halves)})
	}
	return chosen
}

// listed is the number of columns in the fact of frequencies.
const listed = 100

// facts returns the facts of the halves.
func (t counts) facts(rule plan, e Engine) []data.Fact {
	facts := []data.Fact{{Name: "halves", Value: fmt.Sprintf("%d (sampling: %s)", t.halves, e.Sampling)}}
	if rule.Q == 0 {
		return append(facts, data.Fact{Name: "columns selected on a half, on average", Value: fmt.Sprintf("%.4g", float64(t.selected)/float64(t.halves))})
	}
	short := 0
	for _, half := range t.selections {
		if len(half.items) < rule.Q {
			short++
		}
	}
	return append(facts, data.Fact{Name: "columns selected on a half (q)", Value: fmt.Sprint(rule.Q)},
		data.Fact{Name: "halves that selected fewer than q", Value: fmt.Sprint(short)})
}

// promise returns facts about the threshold and its bound.
func (t counts) promise(rule plan, e Engine) []data.Fact {
	how := "promised"
	if rule.Q == 0 {
		how = "estimated"
	}
	return []data.Fact{
		{Name: "threshold", Value: fmt.Sprintf("%.4g: %d of %d halves", rule.Threshold, rule.Count, t.halves)},
		{Name: "expected columns selected by mistake (bound: " + e.shape() + ", " + how + ")", Value: fmt.Sprintf("at most %.4g", rule.PFER)},
	}
}

// frequencies returns a fact with the frequencies of the items selected most often.
func (t counts) frequencies(all items, least int) []data.Fact {
	var frequent []string
	for _, j := range t.byCount() {
		if len(frequent) == listed {
			break
		}
		frequent = append(frequent, fmt.Sprintf("%s %.2f", all.name(int32(j)), float64(t.times[j])/float64(t.halves)))
	}
	if len(frequent) == 0 {
		return nil
	}
	return append([]data.Fact{{Name: "share of halves", Value: strings.Join(frequent, ", ")}}, t.pathFact(all, least)...)
}

// followed is the number of items in the stability path.
const followed = 40

// pathFact returns the stability path: the numbers of halves that selected the most frequent items, for each smaller q.
func (t counts) pathFact(all items, least int) []data.Fact {
	if t.q == 0 {
		return nil
	}
	p, line := stabilitypath.Path{Halves: t.halves, Least: least}, map[int32]stabilitypath.Line{}
	frequent := t.byCount()
	for _, j := range frequent[:min(followed, len(frequent))] {
		item := int32(j)
		line[item] = stabilitypath.Line{Name: all.name(item), Counts: make([]int, t.q)}
		p.Lines = append(p.Lines, line[item])
	}
	for _, half := range t.selections {
		for k, j := range half.items {
			if counts := line[j].Counts; counts != nil {
				for smaller := int(half.sizes[k]); smaller <= t.q; smaller++ {
					counts[smaller-1]++
				}
			}
		}
	}
	return []data.Fact{p.Fact()}
}

func (t counts) notes() []string {
	if constant := t.halves - len(t.selections); constant > 0 {
		return []string{fmt.Sprintf("%d of %d halves have a constant response, and selected nothing", constant, t.halves)}
	}
	return nil
}

// notes returns notes about a bound that does not hold, for the reason given, or that is useless.
func (b bound) notes(rule plan, why error) []string {
	switch {
	case why != nil:
		return []string{"no bound on mistakes: " + why.Error()}
	case rule.PFER >= float64(b.columns):
		return []string{fmt.Sprintf("the bound on mistakes, %.4g, says nothing of %d columns", rule.PFER, b.columns)}
	}
	return nil
}
