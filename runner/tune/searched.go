package tune

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/searches"
	"tenfold/runner/inner"
)

// stage returns what was measured of all points, all of them kept.
func (c *choice) stage(innerFolds []inner.Fold) searches.Stage {
	out := searches.Stage{Metric: c.metric}
	for _, f := range innerFolds {
		out.Folds = append(out.Folds, searches.Rows{Fitted: int32(len(f.Fitted)), Held: int32(len(f.Held))})
	}
	for point := range c.points {
		out.Attempts = append(out.Attempts, searches.Attempt{
			Candidate: c.label(point), Number: c.number(point), Values: c.scores[point], Seconds: c.seconds[point], Kept: true,
		})
	}
	return out
}

// parameter returns the only parameter that varies, "" if there are several, or if it has a value that is no number.
func (e Engine) parameter() (name string) {
	for _, c := range e.Candidates {
		varied, value, _ := strings.Cut(c.Label, "=")
		if _, err := strconv.ParseFloat(value, 64); c.Path != "" {
			varied = c.Path
			if c.Label != "" {
				return ""
			}
		} else if err != nil {
			return ""
		}
		if name != "" && varied != name {
			return ""
		}
		name = varied
	}
	return name
}

// number returns the value of a point whose candidate has a single one, as label has it in full.
func (c *choice) number(point int) float64 {
	p := c.points[point]
	switch candidate := c.candidates[p.candidate]; {
	case candidate.Path == "":
		_, value, _ := strings.Cut(candidate.Label, "=")
		if v, err := strconv.ParseFloat(value, 64); err == nil {
			return v
		}
	case candidate.Label == "":
		return candidate.Values[p.value]
	}
	return math.NaN()
}

// mark says of the points of the last stage which is the best, which one-se takes, and which is chosen.
func (c *choice) mark(last *searches.Stage, best, chosen int, higher bool) {
	last.Attempts[best].Best, last.Attempts[chosen].Chosen = true, true
	last.Attempts[c.simplestWithinSE(best, higher)].OneSE = true
}

// keep says of the points of a rung which candidates go on.
func (c *choice) keep(rung *searches.Stage, survivors []int32) {
	for point, p := range c.points {
		_, rung.Attempts[point].Kept = slices.BinarySearch(survivors, int32(p.candidate))
	}
}
