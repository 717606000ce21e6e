package prepare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/engines/data"
)

// fitResponses fills in missing responses, cuts numeric ones into two levels, and leaves out those that do not vary, all as learned
// from the training rows. Gaps without a rule to fill them, which Check refuses, stay.
func (r Recipe) fitResponses(p *data.Prepared, train []int32) error {
	if !r.shapesResponses(p.Targets) {
		return nil
	}
	p.Targets = slices.Clone(p.Targets)
	filled, cut := 0, 0
	for t := range p.Targets {
		target := &p.Targets[t]
		known := trainingSampleOf(p, target, train)
		if r.Impute != "" {
			n, err := fillGaps(target, known)
			if err != nil {
				return err
			}
			filled += n
		}
		if target.Numbers == nil {
			continue
		}
		target.Values, _ = data.Cut(target.Numbers, known.mean(target.Numbers))
		cut++
	}
	if filled > 0 {
		p.AddFact("responses filled in with the mean of the training rows", fmt.Sprint(filled))
	}
	if cut > 0 {
		p.AddFact("responses cut at the mean of the training rows", fmt.Sprint(cut))
	}
	return r.fitConstant(p, train)
}

func (r Recipe) shapesResponses(targets []data.Target) bool {
	return r.Constant != "" || slices.ContainsFunc(targets, func(t data.Target) bool { return t.Numbers != nil || r.Impute != "" && t.CountGaps() > 0 })
}

// acceptsResponses returns an error for gaps without a rule to fill them.
func (r Recipe) acceptsResponses(d *data.Dataset, targets []data.Target) error {
	if r.Impute != "" {
		return nil
	}
	for t := range targets {
		target := &targets[t]
		k := slices.IndexFunc(target.Values, func(y float64) bool { return y != y })
		if k < 0 {
			continue
		}
		others := -1
		for u := range targets {
			others += targets[u].CountGaps()
		}
		return fmt.Errorf("row %s, target %s: the value is missing%s; say what to do with target: {missing: drop-rows | mean}",
			d.NameRow(target.RowOf(k)), target.Name, andOthers(others))
	}
	return nil
}

// fillGaps puts the mean of the known values into the gaps.
func fillGaps(t *data.Target, known trainingSample) (cells int, err error) {
	if cells = t.CountGaps(); cells == 0 {
		return 0, nil
	}
	mean := known.mean(t.Values)
	if mean != mean {
		return 0, fmt.Errorf("target %s: no training row has a value, so there is no mean to fill in", t.Name)
	}
	t.Values = slices.Clone(t.Values)
	for k, y := range t.Values {
		if y != y {
			t.Values[k] = mean
		}
	}
	return cells, nil
}

// named is the maximum number of left-out responses that are named.
const named = 20

// fitConstant leaves out the responses that have one value in all training rows, if the recipe says so. Otherwise a response that
// was cut must not be constant: a cut with all rows on one side is an error.
func (r Recipe) fitConstant(p *data.Prepared, train []int32) error {
	var out []string
	var kept []int32
	for t := range p.Targets {
		target := &p.Targets[t]
		switch varies := trainingSampleOf(p, target, train).varies(target.Values); {
		case varies || r.Constant == "" && target.Numbers == nil:
			kept = append(kept, int32(t))
		case r.Constant == "":
			return fmt.Errorf("target %s is constant in the training rows, so no cut divides it; leave such responses out with target: {constant: drop}", target.Name)
		default:
			out = append(out, target.Name)
		}
	}
	if len(out) == 0 {
		return nil
	}
	if len(kept) == 0 {
		return fmt.Errorf("every response is constant in the training rows: %s", strings.Join(out, ", "))
	}
	p.Targets, p.Responses = data.ValuesAt(p.Targets, kept), kept
	p.AddFact("responses left out, constant in the training rows", fmt.Sprint(len(out)))
	for _, name := range out[:min(named, len(out))] { // a fact each: folds leave out different ones
		p.AddFact("response left out in some fold: "+name, "constant there")
	}
	return nil
}

// trainingSample holds the values of a target that belong to training rows, and the rows' weights.
type trainingSample struct {
	indices []int // indices of the target's values
	weight  []float64
}

func trainingSampleOf(p *data.Prepared, t *data.Target, train []int32) trainingSample {
	var s trainingSample
	isTraining := func(int) bool { return true }
	if train != nil {
		in := make([]bool, p.Set.Rows())
		for _, i := range train {
			in[i] = true
		}
		isTraining = func(i int) bool { return in[i] }
	}
	for k := range t.Values {
		i := t.RowOf(k)
		if !isTraining(i) {
			continue
		}
		s.indices = append(s.indices, k)
		s.weight = append(s.weight, data.Weights(p.Set.Weight).Of(i))
	}
	return s
}

// mean returns the mean of the known values; NaN if there is none.
func (s trainingSample) mean(values []float64) float64 {
	sum, n := 0.0, 0.0
	for q, k := range s.indices {
		if y := values[k]; y == y {
			sum += float64(s.weight[q] * y)
			n += s.weight[q]
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / n
}

func (s trainingSample) varies(values []float64) bool {
	return slices.ContainsFunc(s.indices, func(k int) bool { return values[k] != values[s.indices[0]] })
}
