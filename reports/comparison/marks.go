package comparison

import (
	"math"
	"slices"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/judge"
)

// decideRivals decides which places may be compared: by data sets, in the metric by which they are.
func (b *builder) decideRivals() {
	type key struct{ metric, datasets string }
	together := map[key][]*place{}
	for p := range b.byRow {
		k := key{p.primary, p.datasetNames()}
		together[k] = append(together[k], p)
	}
	for k, ps := range together {
		values := make([][]float64, len(ps))
		for i, p := range ps {
			values[i] = cells.ByFold(b.in.Source, p.cells, k.metric)
		}
		for i, yes := range results.Compete(values) {
			ps[i].competes = yes
		}
	}
}

// markBest marks the best of each set of comparable places, and those that are not significantly worse. Such a set is a column, or
// a row if the algorithms are the columns or nothing else is comparable, with the same metric on the same data sets.
func (b *builder) markBest() {
	type key struct {
		line             int
		metric, datasets string
	}
	var order []key
	contests := map[key][]*place{}
	across := slices.Contains(b.columnDims, "algorithm") ||
		!slices.ContainsFunc(b.rowDims, func(d string) bool { return d != "dataset" && d != "metric" })
	for p := range b.byRow {
		if !b.isContested(p) || math.IsNaN(p.comparedValue()) {
			continue
		}
		k := key{line: p.column, metric: p.primary, datasets: p.datasetNames()}
		if across {
			k.line = p.row
		}
		if contests[k] == nil {
			order = append(order, k)
		}
		contests[k] = append(contests[k], p)
	}
	var all []*judge.Comparison
	var bests []*place // of each set
	for _, k := range order {
		best := markBest(contests[k])
		if best == nil || !b.testsBest(best) {
			continue
		}
		for _, p := range contests[k] {
			if !p.best && p.onlyCell() != nil {
				b.contenders, bests = append(b.contenders, p), append(bests, best)
				all = append(all, b.judge.Compare(p.cells[0], best.cells[0], best.primary))
			}
		}
	}
	b.rivals = b.judge.DecideFamilies(all, func(i int) judge.Family {
		return judge.Family{Metric: bests[i].primary, Datasets: bests[i].datasetNames()}
	})
	for i, p := range b.contenders {
		v, worse := &b.rivals[i], b.rivals[i].Worse
		switch mine, its := p.against, bests[i].against; { // two cells have one verdict, whichever is the baseline
		case mine != nil && mine.Other == v.Other:
			v, worse = mine, mine.Worse
		case its != nil && its.Other == v.Cell:
			v, worse = its, its.Better
		}
		p.similar = v.IsInformative() && !worse
	}
}

// testsBest reports whether others are compared with a best one.
func (b *builder) testsBest(best *place) bool {
	c := best.onlyCell()
	return c != nil && b.Test != None && !cells.OfCell(best.primary) && (c.Folds > 1 || b.wantsTest())
}

// markBest marks the places with the best value and returns the first; nil if nothing is best (results.BestOf).
func markBest(rivals []*place) *place {
	means, compete := make([]float64, len(rivals)), make([]bool, len(rivals))
	for i, p := range rivals {
		means[i], compete[i] = p.comparedValue(), p.competes
	}
	var first *place
	for _, i := range results.BestOf(means, compete, rivals[0].cells[0].Higher(rivals[0].primary)) {
		rivals[i].best = true
		if first == nil {
			first = rivals[i]
		}
	}
	return first
}
