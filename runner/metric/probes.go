package metric

import (
	"cmp"
	"math"
	"slices"

	"tenfold/io/results"
)

// Probes holds what a model chose among p columns and m probes, which are columns known to be irrelevant.
type Probes struct {
	Columns int // p, the columns that could have had a probe
	Probes  int // m
	Chosen  []Chosen
}

// Chosen is a column or probe that a model selected.
type Chosen struct {
	Probe bool
	Rank  int     // of entry, from 0; -1 if there is none
	Score float64 // its size, at least 0; 0 if there is none
}

// count returns the numbers of real columns and of probes.
func count(chosen []Chosen) (columns, probes int) {
	for _, c := range chosen {
		if c.Probe {
			probes++
		} else {
			columns++
		}
	}
	return columns, probes
}

// hasOrder reports whether the chosen columns have an order: ranks of entry, or scores.
func (p *Probes) hasOrder() bool {
	return p.isRanked() || slices.ContainsFunc(p.Chosen, func(c Chosen) bool { return c.Score > 0 })
}

func (p *Probes) isRanked() bool {
	return !slices.ContainsFunc(p.Chosen, func(c Chosen) bool { return c.Rank < 0 })
}

// places returns the chosen columns in order, ties together: by rank of entry, or by score if some have no rank; without either,
// all tie. Engines break ties by column number, and probes have the highest; so neighbours in rank with the same score, to a
// relative 1e-9, tie as well.
func (p *Probes) places() (tied [][]Chosen) {
	chosen := slices.Clone(p.Chosen)
	ranked := p.isRanked()
	slices.SortStableFunc(chosen, func(a, b Chosen) int {
		if ranked {
			return cmp.Compare(a.Rank, b.Rank)
		}
		return cmp.Compare(b.Score, a.Score)
	})
	for k, c := range chosen {
		if k > 0 {
			last := chosen[k-1]
			alike := math.Abs(c.Score-last.Score) <= float64(1e-9*last.Score)
			if ranked && c.Rank == last.Rank || alike && (!ranked || last.Score > 0) {
				tied[len(tied)-1] = append(tied[len(tied)-1], c)
				continue
			}
		}
		tied = append(tied, []Chosen{c})
	}
	return tied
}

// falseShare returns (s_m/m)·p as a share of the s_r selected columns, at most 1: an estimate of the share of irrelevant columns
// among them, which is an upper one if an irrelevant column is as likely to be selected as one of the m probes. NaN without
// selected columns.
func (p *Probes) falseShare() float64 {
	columns, probes := count(p.Chosen)
	if columns == 0 {
		return math.NaN()
	}
	return min(1, float64(probes)/float64(p.Probes)*float64(p.Columns)/float64(columns))
}

// beforeFirst returns the number of columns in places before that of the first probe; NaN if they have no order.
func (p *Probes) beforeFirst() float64 {
	if !p.hasOrder() {
		return math.NaN()
	}
	before := 0
	for _, place := range p.places() {
		columns, probes := count(place)
		if probes > 0 {
			break
		}
		before += columns
	}
	return float64(before)
}

// area returns the probability that a column is in a place before that of a probe, over all pairs, ties ½; columns that are not
// selected tie in the last place.
func (p *Probes) area() float64 {
	selected, selectedProbes := count(p.Chosen)
	all := max(p.Columns, selected) // p leaves out constant columns, which may be selected, too
	ahead, halves := 0, 0           // columns ahead so far; pairs, doubled
	for _, place := range p.places() {
		columns, probes := count(place)
		halves += probes * (2*ahead + columns)
		ahead += columns
	}
	halves += (p.Probes - selectedProbes) * (2*ahead + all - ahead)
	return float64(halves) / (2 * float64(all) * float64(p.Probes))
}

// probes returns the metrics of the probes that a model selects; undefined if the data has none.
func probes() []Metric {
	m := func(name, axis, doc string, better Direction, properties Properties, score func(p *Probes) float64) Metric {
		properties.Axis, properties.None = axis, "none without probes, without selected columns, or without an order of them"
		return Metric{Name: name, Doc: doc + "; of data with probes", Better: better, Needs: SomeProbes, overall: true, choice: true, Properties: properties, Score: func(o *Outcome) float64 {
			if o.Probes == nil {
				return math.NaN()
			}
			return score(o.Probes)
		}}
	}
	size, share := Properties{Work: true}, Properties{Commensurable: true}
	return []Metric{
		m(results.ProbesMetric, "number of selected probes", "probes with a non-zero coefficient for some output", Lower, size, func(p *Probes) float64 {
			_, probes := count(p.Chosen)
			return float64(probes)
		}),
		m("probe_share", "share of probes among what is selected", "probes among all selected columns (undefined without any)", Lower, share, func(p *Probes) float64 {
			_, probes := count(p.Chosen)
			return float64(probes) / float64(len(p.Chosen))
		}),
		m("probe_fdp", "false discoveries estimated by probes", "share of selected features that are unrelated to the response, as estimated from the probes selected (undefined without selected features)", Lower, share, (*Probes).falseShare),
		m("first_probe", "number of features before the first probe", "features selected strictly ahead of the best probe, all of them where no probe is selected (undefined if a method gives them no order)", Higher, size, (*Probes).beforeFirst),
		m("probe_auc", "probability that a feature is ahead of a probe", "probability that a feature is ahead of a probe, over all pairs of both, ties ½, those not selected last; ½ as by chance", Higher, share, (*Probes).area),
	}
}
