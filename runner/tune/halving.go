package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/ties"
	"tenfold/engines/registry"
	"tenfold/engines/searches"
	"tenfold/runner/inner"
	"tenfold/runner/metric"
)

// Successive halving (Jamieson & Talwalkar 2016): all candidates get a small part of a resource, and the best of them go on with more. The
// last rung has the whole resource, and is an ordinary search among the candidates that have come there.

// rung is a stage of the search.
type rung struct {
	power      int     // the resource is divided by this power of the factor
	resource   int     // in its unit
	candidates []int32 // by number, rising
}

// newRungs returns the rungs of n candidates, as many as halvings leave one candidate at least. Rungs with less of the resource than least
// are left out, but not the last, which has most.
func newRungs(n, factor, most, least int) (rungs []rung) {
	for power, share := 0, 1; ; power, share = power+1, share*factor {
		if r := (rung{power: power, resource: most / share}); power == 0 || r.resource >= least {
			rungs = append(rungs, r)
		}
		if share > n/factor {
			break
		}
	}
	slices.Reverse(rungs)
	for i := range int32(n) {
		rungs[0].candidates = append(rungs[0].candidates, i)
	}
	return rungs
}

// survivors returns which of some losses are the ⌈n/factor⌉ lowest, rising, and how many of the others tie with the last of them. Ties go to the
// first; infinite losses come after finite ones, missing ones (NaN) last.
func survivors(losses []float64, factor int) (best []int32, tied int) {
	order := func(has func(float64) bool) (some []int32) {
		for i, v := range losses {
			if has(v) {
				some = append(some, int32(i))
			}
		}
		return some
	}
	gains := make([]float64, len(losses))
	for i, v := range losses {
		gains[i] = -v
	}
	finite := order(func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) })
	ties.Sort(finite, gains)
	all := slices.Concat(finite, order(func(v float64) bool { return math.IsInf(v, 0) }), order(math.IsNaN))
	number := (len(losses) + factor - 1) / factor
	for _, i := range all[number:] {
		if last := gains[all[number-1]]; gains[i] == last || gains[i] >= ties.Threshold(last) {
			tied++
		}
	}
	best = all[:number]
	slices.Sort(best)
	return best, tied
}

// halve searches all rungs but the last, and returns the engine of that one, with what the others measured.
func (e Engine) halve(ctx context.Context, run engines.Run, folds []inner.Fold, ms []metric.Metric, seed uint64) (last Engine, stages []searches.Stage, err error) {
	most, least, unit := e.Most, 1, e.Resource
	var lines [][]int32
	switch e.Resource {
	case Rows:
		lines = rowLines(run, folds, seed)
		most = len(slices.MinFunc(lines, func(a, b []int32) int { return cmp.Compare(len(a), len(b)) }))
		least = max(minRungRows, 2*e.K*max(1, run.Train.Division().Targets[0].Strata()))
	case AlongPath:
		c, err := e.expand(run, seed, 1)
		if err != nil {
			return e, nil, err
		}
		for i, candidate := range c.candidates {
			if n := len(candidate.Values); i == 0 || n < most {
				most = n
			}
		}
		unit = "values of the path"
	}
	rungs := newRungs(len(e.Candidates), e.Factor, most, least)
	for i, r := range rungs[:len(rungs)-1] {
		share := pow(e.Factor, r.power)
		fewer := slices.Clone(folds)
		if e.Resource == Rows {
			for k := range fewer {
				fewer[k].Fitted = firstRows(run, lines[k], len(lines[k])/share)
			}
		}
		c, losses, failed, err := e.reduced(r.candidates, r.power).losses(ctx, run, fewer, ms, seed, share, fmt.Sprintf("rung %d of %d: ", i+1, len(rungs)))
		if err != nil {
			return e, nil, err
		}
		best, tied := survivors(losses, e.Factor)
		stage := c.stage(fewer)
		c.keep(&stage, best)
		stages = append(stages, stage)
		for _, b := range best {
			rungs[i+1].candidates = append(rungs[i+1].candidates, r.candidates[b])
		}
		if failed > 0 {
			run.Note(fmt.Sprintf("at %d %s, %d of %d candidates could not be fitted to all inner folds", r.resource, unit, failed, len(losses)))
		}
		if tied > 0 {
			run.Note(fmt.Sprintf("at %d %s, %d of the candidates that were left out tie with the last that went on: the earlier ones go on", r.resource, unit, tied))
		}
	}
	run.Say("halving", describeRungs(rungs, unit))
	if len(rungs) == 1 {
		run.Note(fmt.Sprintf("%d %s are too few for halving: every candidate has all of them", most, unit))
	}
	return e.reduced(rungs[len(rungs)-1].candidates, 0), stages, nil
}

// minRungRows is the number of rows that a rung has at least, with few folds and classes.
const minRungRows = 20

// describeRungs lists the rungs, with what they cost in fits with the whole resource.
func describeRungs(rungs []rung, unit string) string {
	var all []string
	effort, most := 0.0, float64(rungs[len(rungs)-1].resource)
	for i, r := range rungs {
		text := fmt.Sprintf("%d at %d", len(r.candidates), r.resource)
		if i == 0 {
			text = fmt.Sprintf("%d candidates at %d %s", len(r.candidates), r.resource, unit)
		}
		all = append(all, text)
		effort += float64(float64(len(r.candidates))*float64(r.resource)) / most
	}
	return fmt.Sprintf("%s: the work of %.3g fits on each inner fold", strings.Join(all, ", "), effort)
}

// reduced returns the engine of some candidates with a part of the resource.
func (e Engine) reduced(candidates []int32, power int) Engine {
	whole, place := e, map[int]int{}
	e.Candidates, e.Along = nil, nil
	for n, i := range candidates {
		c := whole.Candidates[i]
		if power > 0 && c.Partial != nil {
			c.Engine = c.Partial[power-1]
		}
		e.Candidates = append(e.Candidates, c)
		place[int(i)] = n
	}
	for _, p := range whole.Along {
		part := Path{Points: p.Points}
		part.Points.Values = nil
		for k, i := range p.Of {
			if n, alive := place[i]; alive {
				part.Of, part.Points.Values = append(part.Of, n), append(part.Points.Values, p.Points.Values[k])
			}
		}
		if len(part.Of) > 1 {
			part.Engine = e.Candidates[part.Of[0]].Engine.(engines.Pathed)
			part.Points.Values = e.scaledValues(part.Engine, part.Points.Parameter, part.Points.Values, pow(e.Factor, power))
			e.Along = append(e.Along, part)
		}
	}
	return e
}

// scaledValues returns values of a parameter on a share of the rows: penalties beside sums over rows fall with these.
func (e Engine) scaledValues(base engines.Engine, parameter string, values []float64, share int) []float64 {
	if e.Resource != Rows || share == 1 {
		return values
	}
	scaled := slices.Clone(values)
	for _, p := range registry.Params(base, base) {
		if p.Name == parameter && p.Rows != "" {
			for i := range scaled {
				scaled[i] = p.OnShare(scaled[i], 1/float64(share))
			}
		}
	}
	return scaled
}

// losses fits all candidates to the inner folds. It returns the choice, and by candidate, the mean of the metric that decides, of its best point if it has a
// path, such that lower is better: infinite if it is, NaN where the candidate cannot be compared; and how many failed.
func (e Engine) losses(ctx context.Context, run engines.Run, folds []inner.Fold, ms []metric.Metric, seed uint64, share int, progress string) (c *choice, losses []float64, failed int, err error) {
	c, err = e.expand(run, seed, share)
	if err != nil {
		return nil, nil, 0, err
	}
	c.progress = progress
	if err := c.score(ctx, ctx, run, folds, ms, seed); err != nil {
		return nil, nil, 0, err
	}
	higher := bool(c.decides(ms).Better)
	comparable := map[int]bool{}
	for _, point := range c.compared() {
		comparable[point] = true
	}
	losses = slices.Repeat([]float64{math.NaN()}, len(e.Candidates))
	failures := map[int]bool{}
	for point, p := range c.points {
		loss, _ := c.mean(point)
		switch {
		case c.errs[point] != nil:
			failures[p.candidate] = true
			continue
		case math.IsInf(loss, 0):
			loss = math.Inf(1)
		case !comparable[point]:
			continue
		case higher:
			loss = -loss
		}
		if before := losses[p.candidate]; math.IsNaN(before) || loss < before {
			losses[p.candidate] = loss
		}
	}
	return c, losses, len(failures), nil
}

// rowLines returns, for each inner fold, its rows to fit in the order in which rungs take them, so that the rows of a rung are among those of
// the next.
func rowLines(run engines.Run, folds []inner.Fold, seed uint64) (lines [][]int32) {
	set := run.Train.Division()
	for k, f := range folds {
		rng := rand.New(rand.NewPCG(seed+uint64(k)+1, 0x68616c76))
		if g := wholeGroups(run, set); g != nil {
			lines = append(lines, groupLine(f.Fitted, g, rng))
			continue
		}
		order := slices.Clone(f.Fitted)
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		stratum := func(int32) int { return 0 }
		if t := set.Targets[0]; t.Strata() > 0 && t.Rows == nil {
			stratum = func(row int32) int { return t.Stratum(int(row)) }
		}
		lines = append(lines, rowLine(order, stratum))
	}
	return lines
}

// rowLine puts the q-th row of n in its stratum at (q − ½)/n, rows at one place by stratum: the first rows of the line have of each stratum
// its share, to one row.
func rowLine(order []int32, stratum func(row int32) int) []int32 {
	type place struct {
		row     int32
		stratum int
		q       int // odd: 2q − 1
	}
	count := map[int]int{}
	places := make([]place, len(order))
	for i, row := range order {
		s := stratum(row)
		count[s]++
		places[i] = place{row, s, 2*count[s] - 1}
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.q*count[b.stratum], b.q*count[a.stratum]), cmp.Compare(a.stratum, b.stratum))
	})
	line := make([]int32, len(order))
	for i, p := range places {
		line[i] = p.row
	}
	return line
}

// wholeGroups returns the groups whose rows stay together; nil if they need not.
func wholeGroups(run engines.Run, set *data.Dataset) *data.Groups {
	if run.Inner.By || run.Train.Starts() != nil {
		return set.Groups
	}
	return nil
}

// groupLine returns rows by group, the groups in the order of a shuffle.
func groupLine(rows []int32, g *data.Groups, rng *rand.Rand) []int32 {
	place := make([]int, len(g.Key))
	for i, group := range rng.Perm(len(g.Key)) {
		place[group] = i
	}
	line := slices.Clone(rows)
	slices.SortStableFunc(line, func(a, b int32) int { return cmp.Compare(place[g.Of[a]], place[g.Of[b]]) })
	return line
}

// firstRows returns the first rows of a line, rising, with the rest of the last one's group where groups stay whole.
func firstRows(run engines.Run, line []int32, number int) []int32 {
	if g := wholeGroups(run, run.Train.Division()); g != nil {
		for number > 0 && number < len(line) && g.Of[line[number-1]] == g.Of[line[number]] {
			number++
		}
	}
	rows := slices.Clone(line[:number])
	slices.Sort(rows)
	return rows
}

func pow(base, exponent int) int {
	out := 1
	for range exponent {
		out *= base
	}
	return out
}
