package comparison

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"tenfold/engines/param"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/paired"
	"tenfold/reports/ranks"
	"tenfold/reports/table"
)

// A table of ranks that the file does not ask for needs this many data sets, and has at most this many algorithms: the tests are of
// all pairs.
const (
	leastDatasets  = 3
	mostAlgorithms = 50
)

// acrossDatasets returns the table of mean ranks: Demšar 2006, JMLR 7. It is nil if the table does not allow one, and an error if
// the file asks for one nevertheless; if tables are split by dimensions, or cells were skipped, a table with too few data sets, or
// without its baseline, says so instead.
func (b *builder) acrossDatasets() (*table.Grid, error) {
	if b.Ranks == None {
		return nil, nil
	}
	s, err := b.newStandings()
	switch {
	case errors.Is(err, errTooFew) && (len(b.byDims) > 0 || len(b.in.Skipped) > 0): // one table of several, or data sets or methods are missing
		b.unranked = fmt.Sprintf("No ranks: %v.", err)
		return nil, nil
	case err != nil && b.Ranks != "":
		return nil, param.Errorf("ranks", "%v", err)
	case err != nil || b.Ranks == "" && len(s.algorithms) > mostAlgorithms:
		return nil, nil
	}
	order := s.Order()
	g := &table.Grid{Title: tableTitle(b.title, "ranks over "+digits.Count(s.Blocks, "data set")), Corner: "algorithm",
		Legend: []string{"rank 1 is the best; ties share their mean rank."}, Notes: []string{s.friedmanText(b.Alpha)}}
	conclude := func() string { return s.nemenyiText(order, b.Alpha) }
	if (b.Ranks == Holm || b.Ranks == Bayes) && s.control < 0 {
		why := fmt.Sprintf("%s: baseline %s names no algorithm of those with all results (%s), or several", b.Ranks, b.Baseline, strings.Join(s.algorithms, ", "))
		if len(b.in.Skipped) > 0 { // the baseline may have been skipped: the table stands without ranks
			b.unranked = "No ranks: " + why + "."
			return nil, nil
		}
		return nil, param.Errorf("ranks", "%s", why)
	}
	switch b.Ranks {
	case Bayes:
		all, err := s.posteriors(b.Margin)
		if err != nil {
			return nil, err
		}
		s.fillPosteriors(g, order, all, b.Margin)
		conclude = nil // probabilities, not a test
	case Holm:
		p := s.Holm(s.control)
		s.fillGrid(g, order, s.control, p, "Holm")
		if s.PF < b.Alpha {
			s.markDifferent(g, order, p, b.Alpha)
		}
		conclude = func() string { return s.againstControl(p, order, b.Alpha) }
	default:
		s.fillGrid(g, order, order[0], s.Nemenyi()[order[0]], "Nemenyi")
	}
	if conclude != nil && s.PF < b.Alpha { // otherwise there is nothing to find
		g.Notes = append(g.Notes, conclude())
	}
	g.Legend = append(g.Legend, cells.Legend(s.ranked)...)
	g.Compared = []string{fmt.Sprintf("Ranks over %s were compared by Friedman's test in Iman and Davenport's form and %s, α = %g.", digits.Count(s.Blocks, "data set"),
		map[string]string{Holm: "Holm's procedure against " + b.Baseline, Bayes: "the Bayesian signed-rank test against " + b.Baseline}[b.Ranks]+ifAny(b.Ranks != Holm && b.Ranks != Bayes, "Nemenyi's test"), b.Alpha)}
	if len(s.left) > 0 {
		g.Warnings = []string{"left out of the ranks, because results are missing: " + strings.Join(s.left, ", ")}
	}
	return g, nil
}

// fillGrid writes the mean ranks, from best to worst, and the p-values against one algorithm.
func (s *standings) fillGrid(g *table.Grid, order []int, control int, p []float64, method string) {
	g.Columns = []string{"mean rank of " + s.metric, "p, " + method + " against " + s.algorithms[control]}
	best, last := s.Mean[order[0]], s.Mean[order[len(order)-1]]
	for _, i := range order {
		rank := table.Slot{Text: digits.Decimals(2).Number(s.Mean[i]), Best: s.Mean[i] == best && best < last, Caveats: s.caveats[i]}
		against := table.Slot{Text: digits.Missing}
		if i != control {
			against.Text = digits.P(p[i])
		}
		g.Rows = append(g.Rows, table.Row{Label: s.algorithms[i], Slots: []table.Slot{rank, against}})
	}
}

// posteriors compares each algorithm with the baseline. Differences are in units of the margin on their data set, if there is one.
func (s *standings) posteriors(margin paired.Margin) ([]ranks.Posterior, error) {
	all, rope := make([]ranks.Posterior, len(s.algorithms)), 0.0
	if margin.Given() {
		rope = 1
	}
	for a := range s.algorithms {
		differences := make([]float64, len(s.scores))
		for d, block := range s.scores {
			differences[d] = block[a] - block[s.control]
			if !s.higher {
				differences[d] = -differences[d]
			}
			if unit := margin.Of(block[s.control]); margin.Given() && unit > 0 {
				differences[d] /= unit
			} else if margin.Given() { // a margin of zero: any difference is beyond it
				differences[d] *= math.MaxFloat32
			}
		}
		var err error
		if all[a], err = ranks.SignedRank(differences, rope); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// fillPosteriors writes the mean ranks, from best to worst, and the probability that an algorithm is better than the baseline.
func (s *standings) fillPosteriors(g *table.Grid, order []int, all []ranks.Posterior, margin paired.Margin) {
	control := s.algorithms[s.control]
	g.Columns = []string{"mean rank of " + s.metric, "P(better than " + control + ")", "P(equal)", "P(worse)"}
	best, last := s.Mean[order[0]], s.Mean[order[len(order)-1]]
	for _, i := range order {
		slots := []table.Slot{{Text: digits.Decimals(2).Number(s.Mean[i]), Best: s.Mean[i] == best && best < last, Caveats: s.caveats[i]}}
		for _, p := range []float64{all[i].Better, all[i].Equal, all[i].Worse} {
			text := digits.Missing
			if i != s.control {
				text = digits.Decimals(3).Number(p)
			}
			slots = append(slots, table.Slot{Text: text})
		}
		g.Rows = append(g.Rows, table.Row{Label: s.algorithms[i], Slots: slots})
	}
	equal := "equal: no difference at all, as no margin is given"
	switch {
	case margin.Absolute != nil:
		equal = fmt.Sprintf("equal: within %g of the baseline", *margin.Absolute)
	case margin.Relative != nil:
		equal = fmt.Sprintf("equal: within %g %% of the baseline", 100**margin.Relative)
	}
	g.Legend = append(g.Legend, "P: posterior probability that on a further data set this is what holds, by the Bayesian signed-rank test (Benavoli et al. 2017); "+equal+".")
}

// markDifferent marks the algorithms that differ from the baseline, and names the test.
func (s *standings) markDifferent(g *table.Grid, order []int, p []float64, alpha float64) {
	some := false
	for row, i := range order {
		better, worse := p[i] < alpha && s.Mean[i] < s.Mean[s.control], p[i] < alpha && s.Mean[i] > s.Mean[s.control]
		g.Rows[row].Slots[0].Mark = markText(better, worse)
		some = some || better || worse
	}
	if some {
		g.Legend = append(g.Legend, "v better, * worse than "+s.algorithms[s.control]+".")
	}
}

// friedmanText reports the result of Friedman's test.
func (s *standings) friedmanText(alpha float64) string {
	finds := "does not find a difference"
	if s.PF < alpha {
		finds = "finds that not all are equal"
	}
	f := "F = ∞"
	if results.Finite(s.F) {
		f = fmt.Sprintf("F = %.3g", s.F)
	}
	return fmt.Sprintf("The Friedman test of %s on %s %s (χ² = %.3g, %s; Iman and Davenport's %s, %s; α = %g).",
		digits.Count(s.Treatments, "algorithm"), digits.Count(s.Blocks, "data set"), finds, s.ChiSquare, digits.PIs(s.PChiSquare), f, digits.PIs(s.PF), alpha)
}

// nemenyiText says which algorithms differ, by Nemenyi's test.
func (s *standings) nemenyiText(order []int, alpha float64) string {
	cd := s.CriticalDifference(alpha)
	lead := fmt.Sprintf("Two algorithms differ where their mean ranks are %.3g or more apart (critical difference of Nemenyi, α = %g). ", cd, alpha)
	groups := s.Groups(cd)
	switch {
	case len(groups) == 0:
		return lead + "All of them do."
	case len(groups) == 1 && len(groups[0]) == len(order):
		return lead + "No two of them do."
	}
	texts := make([]string, len(groups))
	for i, g := range groups {
		texts[i] = "among " + s.namesOf(g)
		if len(g) == 2 {
			texts[i] = "between " + s.namesOf(g)
		}
	}
	return lead + "There is no significant difference " + strings.Join(texts, "; ") + ". All other pairs differ."
}

// againstControl says which algorithms differ from the baseline.
func (s *standings) againstControl(p []float64, order []int, alpha float64) string {
	var better, worse, same []int
	for _, i := range order {
		switch {
		case i == s.control:
		case p[i] >= alpha:
			same = append(same, i)
		case s.Mean[i] < s.Mean[s.control]:
			better = append(better, i)
		default:
			worse = append(worse, i)
		}
	}
	var parts []string
	for _, part := range []struct {
		members []int
		what    string
	}{{better, "better"}, {worse, "worse"}, {same, "not significantly different"}} {
		if len(part.members) > 0 {
			parts = append(parts, part.what+": "+s.namesOf(part.members))
		}
	}
	return fmt.Sprintf("Against %s, by mean ranks with Holm's correction (α = %g): %s.", s.algorithms[s.control], alpha, strings.Join(parts, "; "))
}

func (s *standings) namesOf(members []int) string {
	names := make([]string, len(members))
	for i, j := range members {
		names[i] = s.algorithms[j]
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return names[0]
}
