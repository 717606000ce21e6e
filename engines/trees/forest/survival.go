package forest

import (
	"cmp"
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/survival"
)

// survivalTimes are times until an event, some of them censored (Ishwaran, Kogalur, Blackstone and Lauer, "Random survival forests", 2008).
type survivalTimes struct {
	time   []float64
	event  []int8
	place  []int32   // of each row in the order of rising times
	deaths []float64 // distinct times of events, rising
	later  []float64 // by row: how many of them are not before its time
}

func newSurvivalTimes(times []float64, events []int8) *survivalTimes {
	l := &survivalTimes{time: times, event: events, place: make([]int32, len(times)), later: make([]float64, len(times))}
	order := make([]int32, len(times))
	for i := range order {
		order[i] = int32(i)
		if events[i] != 0 {
			l.deaths = append(l.deaths, times[i])
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(times[a], times[b]) })
	for k, i := range order {
		l.place[i] = int32(k)
	}
	slices.Sort(l.deaths)
	l.deaths = slices.Compact(l.deaths)
	for i, t := range times {
		before, _ := slices.BinarySearch(l.deaths, t)
		l.later[i] = float64(len(l.deaths) - before)
	}
	return l
}

// score scores the rows of a node, by their counts: the log-rank scores δ_i − H(t_i) go to dst, H being the Nelson-Aalen estimate of the cumulative
// hazard in the node. Their sum over rows that go left is the numerator of the log-rank test of the two sides: events there, less those expected.
// What it returns is the node's mortality, Σ H(t) over all times of events: how many events there would be if all rows were like it.
func (l *survivalTimes) score(dst []float64, rows []int32, row []place, order []int32) (mortality float64, room []int32) {
	order = append(order[:0], rows...)
	slices.SortFunc(order, func(a, b int32) int { return int(l.place[a] - l.place[b]) })
	atRisk, hazard := 0.0, 0.0
	for _, i := range order {
		atRisk += float64(row[i].count)
	}
	for first := 0; first < len(order); {
		end, died, gone := first, 0.0, 0.0
		for ; end < len(order) && l.time[order[end]] == l.time[order[first]]; end++ {
			c := float64(row[order[end]].count)
			if gone += c; l.event[order[end]] != 0 {
				died += c
			}
		}
		hazard += died / atRisk
		mortality += float64(died / atRisk * l.later[order[first]])
		for _, i := range order[first:end] {
			dst[i] = float64(l.event[i]) - hazard
		}
		atRisk -= gone
		first = end
	}
	return mortality, order
}

// leastMortality is that of rows for which no tree knows of an event: their hazard has a logarithm.
const leastMortality = 1e-6

// risk returns the logarithm of a mortality.
func risk(mortality float64) float64 { return elementary.Log(max(mortality, leastMortality)) }

// outOfBag returns the risks of the rows that some tree has not seen, with what is to be known of them, and their weights.
func (v *votes) outOfBag() (risks, times []float64, events []int8, weight []float64) {
	for i := range v.voters {
		if p := v.mean(i); p != nil {
			risks, times, events = append(risks, risk(p[0])), append(times, v.y.survival.time[i]), append(events, v.y.survival.event[i])
			weight = append(weight, v.y.weight.Of(i))
		}
	}
	return risks, times, events, weight
}

// tellSurvival adds what is known of times: how well risks out of the bag order them, and the hazard that mortalities multiply (Breslow 1974)
// by these, so that probabilities are not those of rows that trees know.
func (f *forest) tellSurvival() (facts []data.Fact, baseline *survival.Baseline) {
	risks, times, events, weight := f.votes.outOfBag()
	if len(risks) == 0 {
		return nil, nil
	}
	if c := survival.Concordance(times, events, risks, weight, nil); c == c {
		facts = append(facts, data.Fact{Name: "concordance out of the bag", Value: fmt.Sprintf("%.6g, on %.6g of %.6g rows", c, dense.Sum(weight), f.y.total)})
	}
	l, err := survival.NewLikelihood(times, events, weight, false)
	if err != nil { // no event among them
		return facts, nil
	}
	var point survival.Point
	l.At(&point, risks)
	b := l.BaselineAt(&point, risks, times)
	return facts, &b
}
