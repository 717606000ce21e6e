package tune

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"tenfold/engines"
	"tenfold/runner/metric"
)

// choice holds all candidates, with the values of their paths, and their scores.
type choice struct {
	progress    string      // what is searched, before the number of fits: "rung 1 of 3: "
	candidates  []Candidate // paths with their values
	along       []Path
	open        []bool // by candidate: whether its path has values beyond the last
	onward      [][]engines.PathPiece
	scored      []int    // by candidate, the number of its points with scores
	ended       [][]bool // by candidate and inner fold: whether the path ended; its last model then stands for all following values
	points      []pathPoint
	innerScores [][][]float64 // scores by metric, point and inner fold; NaN if undefined or the fit failed
	metric      string        // that decides
	scores      [][]float64   // in that metric
	seconds     [][]float64   // by point and inner fold
	plain       bool          // whether some model gives no probabilities
	errs        []error       // error of each point that failed
}

// pathPoint is a candidate at one value of its path.
type pathPoint struct{ candidate, value int }

// expand asks the engines for the values of paths that the file leaves to them. The values come from all training rows, because
// inner folds need the same ones. Of the resource of halving, there is one part of share.
func (e Engine) expand(run engines.Run, seed uint64, share int) (*choice, error) {
	n := len(e.Candidates)
	c := &choice{candidates: slices.Clone(e.Candidates), along: e.Along, open: make([]bool, n), onward: make([][]engines.PathPiece, n), scored: make([]int, n), ended: make([][]bool, n)}
	for i := range c.candidates {
		candidate := &c.candidates[i]
		if candidate.Path == "" {
			c.points = append(c.points, pathPoint{i, 0})
			continue
		}
		if candidate.Values == nil {
			run.Rand = random(seed)
			r, err := candidate.Engine.(engines.Pathed).PathValues(run)
			if err != nil {
				return nil, err
			}
			candidate.Values, c.onward[i], c.open[i] = r.Values, r.Onward, r.Open
		}
		if e.Resource == AlongPath {
			candidate.Values = candidate.Values[:max(1, len(candidate.Values)/share)]
		}
		candidate.Values = e.scaledValues(candidate.Engine, candidate.Path, candidate.Values, share)
		for k := range candidate.Values {
			c.points = append(c.points, pathPoint{i, k})
		}
	}
	return c, nil
}

// isLast reports whether a point is the last of its path.
func (c *choice) isLast(point int) bool {
	p := c.points[point]
	return p.value == len(c.candidates[p.candidate].Values)-1
}

// atEnd reports whether a point is the last of its path, which has values beyond.
func (c *choice) atEnd(point int) bool { return c.isLast(point) && c.open[c.points[point].candidate] }

// extend adds points without scores to the path of the best point, if that is near its end and there are more values. It reports
// whether it did.
func (c *choice) extend(best int) bool {
	i, value := c.points[best].candidate, c.points[best].value
	candidate := &c.candidates[i]
	if len(c.onward[i]) == 0 || value < len(candidate.Values)-c.onward[i][0].Near {
		return false
	}
	end := best - value + len(candidate.Values) // end of its points
	more := make([]pathPoint, len(c.onward[i][0].Values))
	for k := range more {
		more[k] = pathPoint{i, len(candidate.Values) + k}
	}
	candidate.Values, c.onward[i] = slices.Concat(candidate.Values, c.onward[i][0].Values), c.onward[i][1:]
	c.points = slices.Insert(c.points, end, more...)
	for m := range c.innerScores {
		c.innerScores[m] = slices.Insert(c.innerScores[m], end, make([][]float64, len(more))...)
	}
	c.seconds = slices.Insert(c.seconds, end, make([][]float64, len(more))...)
	c.errs = slices.Insert(c.errs, end, make([]error, len(more))...)
	return true
}

// engine returns the engine at a point.
func (c *choice) engine(point int) engines.Engine {
	p := c.points[point]
	candidate := c.candidates[p.candidate]
	if candidate.Path == "" {
		return candidate.Engine
	}
	return candidate.Engine.(engines.Pathed).AtValue(candidate.Values[p.value])
}

// label returns the label of a point.
func (c *choice) label(point int) string {
	p := c.points[point]
	candidate := c.candidates[p.candidate]
	if candidate.Path == "" {
		return candidate.Label
	}
	text := candidate.Path + "=" + strconv.FormatFloat(candidate.Values[p.value], 'g', 6, 64)
	if candidate.Label != "" {
		text = candidate.Label + ", " + text
	}
	return text
}

// decides returns the metric by which all candidates are compared: the first, or the second if the first is one of probabilities
// and some model gives none or no candidate has a finite loss.
func (c *choice) decides(ms []metric.Metric) metric.Metric {
	c.scores, c.metric = c.innerScores[0], ms[0].Name
	if len(ms) > 1 && (c.plain || c.best(bool(ms[0].Better)) < 0) {
		c.scores, c.metric = c.innerScores[1], ms[1].Name
		return ms[1]
	}
	return ms[0]
}

// compared returns the points with a score on each inner fold on which some point has one: a point must not gain by lacking a score.
// Points with an infinite mean are not among them.
func (c *choice) compared() (points []int) {
	some := make([]bool, len(c.scores[0])) // by inner fold: some point has a score
	for point := range c.points {
		for f, v := range c.scores[point] {
			some[f] = some[f] || c.errs[point] == nil && !math.IsNaN(v)
		}
	}
	for point := range c.points {
		lacks := c.errs[point] != nil || !slices.Contains(some, true)
		for f, v := range c.scores[point] {
			lacks = lacks || some[f] && math.IsNaN(v)
		}
		if mean, _ := c.mean(point); !lacks && !math.IsInf(mean, 0) {
			points = append(points, point)
		}
	}
	return points
}

// dropped returns the number of inner folds on which no point has a score.
func (c *choice) dropped() (n int) {
	for f := range c.scores[0] {
		if !slices.ContainsFunc(c.scores, func(scores []float64) bool { return !math.IsNaN(scores[f]) }) {
			n++
		}
	}
	return n
}

// mean returns the mean of a point's scores, where they are defined, with its standard error.
func (c *choice) mean(point int) (mean, se float64) {
	sum, n := 0.0, 0.0
	for _, v := range c.scores[point] {
		if !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	mean = sum / n
	squares := 0.0
	for _, v := range c.scores[point] {
		if !math.IsNaN(v) {
			squares += float64((v - mean) * (v - mean))
		}
	}
	return mean, math.Sqrt(squares / (n - 1) / n)
}

// tie is the relative difference of means up to which they are equal.
const tie = 1e-9

// best returns the best point, the first on ties; -1 if no candidate has a score.
func (c *choice) best(higher bool) int {
	best, value := -1, math.NaN()
	for _, point := range c.compared() {
		v, _ := c.mean(point)
		if !higher {
			v = -v
		}
		if best < 0 || v > value+float64(tie*math.Abs(value)) {
			best, value = point, v
		}
	}
	return best
}

// simplestWithinSE returns the simplest point whose mean is within a standard error of the best, of those that equal the best in all
// parameters without simpler values (Breiman et al. 1984, section 3.4.3); among equals the first. If there are several best, the
// simplest of them is the best.
func (c *choice) simplestWithinSE(best int, higher bool) int {
	goal, _ := c.mean(best)
	simplest := func(from int, slack float64) int {
		out := from
		for _, point := range c.compared() {
			v, _ := c.mean(point)
			if c.candidates[c.points[point].candidate].Fixed == c.candidates[c.points[from].candidate].Fixed && (higher && v >= goal-slack || !higher && v <= goal+slack) && c.compareComplexity(point, out) < 0 {
				out = point
			}
		}
		return out
	}
	rounding := float64(tie * math.Abs(goal))
	best = simplest(best, rounding)
	_, se := c.mean(best)
	if math.IsNaN(se) {
		return best
	}
	return simplest(best, se+rounding)
}

// compareComplexity returns a number below 0 if point a is simpler than point b: by their parameters, then by their places on the path.
func (c *choice) compareComplexity(a, b int) int {
	p, q := c.points[a], c.points[b]
	return cmp.Or(slices.Compare(c.candidates[p.candidate].Complexity, c.candidates[q.candidate].Complexity), cmp.Compare(p.value, q.value))
}

// noneWorked returns an error that says why there is nothing to choose.
func (c *choice) noneWorked(name string) error {
	for point, err := range c.errs {
		if err != nil {
			return fmt.Errorf("tune: no candidate could be fitted to all inner folds; %s: %w", c.label(point), err)
		}
	}
	return fmt.Errorf("tune: %s is undefined for every candidate on the inner folds", name)
}

// late returns the number of points that the time of the search did not suffice for.
func (c *choice) late() (n int) {
	for _, err := range c.errs {
		if errors.Is(err, errLate) {
			n++
		}
	}
	return n
}

// tell reports what was chosen.
func (c *choice) tell(run engines.Run, name string, innerFolds, chosen, best int) {
	value := func(point int) string {
		mean, se := c.mean(point)
		if math.IsNaN(se) { // a single inner fold
			return fmt.Sprintf("%.6g", mean)
		}
		return fmt.Sprintf("%.6g ± %.2g", mean, se)
	}
	run.Say("tuned", c.label(chosen))
	run.Say("inner "+name, value(chosen))
	run.Say("tuned among", fmt.Sprintf("%d candidates on %d inner folds", len(c.points), innerFolds))
	if chosen != best {
		run.Say("best inner "+name, fmt.Sprintf("%s at %s", value(best), c.label(best)))
	}
	if n := c.dropped(); n > 0 {
		run.Note(fmt.Sprintf("%s has no value on %d of %d inner folds, which are left out", name, n, innerFolds))
	}
	failed := 0
	for _, err := range c.errs {
		if err != nil {
			failed++
		}
	}
	failed -= c.late()
	if failed > 0 {
		run.Note(fmt.Sprintf("%d of %d candidates could not be fitted to all inner folds", failed, len(c.points)))
	}
	switch {
	case c.atEnd(chosen):
		run.Note(fmt.Sprintf("%s was chosen "+engines.EndOfRange+": the path goes no further", c.label(chosen)))
	case c.atEnd(best):
		run.Note(fmt.Sprintf("the best inner value is that of %s, the last of the path, which goes no further", c.label(best)))
	}
	for _, end := range c.candidates[c.points[chosen].candidate].Ends {
		run.Note(fmt.Sprintf("%s, was chosen "+engines.EndOfRange, end))
	}
}
