// Package classweight has the weights of the levels of a class: how much the rows of each count in fits.
package classweight

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// The words of experiment files.
const (
	None     = "none"
	AllAlike = "balanced"
)

// Weights say how much the rows of each level of a class count in fits, beside the weights that they have. The zero value
// changes nothing.
type Weights struct {
	Balanced bool               // all levels that training rows have count the same
	Of       map[string]float64 // the factor of each level, 0 or more; 1 of those that are not there
}

// Validate refuses factors that are no weights.
func (c Weights) Validate() error {
	for _, level := range c.Named() {
		if w := c.Of[level]; !(w >= 0 && elementary.IsFinite(w)) {
			return fmt.Errorf("%s: %v, expected a number of 0 or more", level, w)
		}
	}
	return nil
}

// Named returns the levels that have a factor, sorted.
func (c Weights) Named() []string { return slices.Sorted(maps.Keys(c.Of)) }

// Zeros returns how many levels have the factor 0.
func (c Weights) Zeros() (n int) {
	for _, level := range c.Named() {
		if c.Of[level] == 0 {
			n++
		}
	}
	return n
}

// String returns the weights as experiment files have them: balanced, {ill: 2}, or none.
func (c Weights) String() string {
	switch {
	case c.Balanced:
		return AllAlike
	case len(c.Of) == 0:
		return None
	}
	var each []string
	for _, level := range c.Named() {
		name, err := json.Marshal(level)
		if err != nil || !strings.ContainsAny(level, `,:{}[]"' `) && level != "" {
			name = []byte(level)
		}
		each = append(each, fmt.Sprintf("%s: %v", name, c.Of[level]))
	}
	return "{" + strings.Join(each, ", ") + "}"
}

// MarshalText returns String: the weights are one parameter.
func (c Weights) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Factors returns the factor of each level. Balanced ones are Σw / (K·W), for the K levels that have a weight W of rows, and 0 for others:
// the weights of all rows keep their sum. weight and level are those of the rows.
func (c Weights) Factors(levels []string, weight sparse.Weights, level []int32) []float64 {
	factor := make([]float64, len(levels))
	if !c.Balanced {
		for k, name := range levels {
			w, named := c.Of[name]
			if factor[k] = w; !named {
				factor[k] = 1
			}
		}
		return factor
	}
	sum, total, present := make([]float64, len(levels)), 0.0, 0
	for i, l := range level {
		sum[l] += weight.Of(i)
		total += weight.Of(i)
	}
	for _, s := range sum {
		if s > 0 {
			present++
		}
	}
	for k, s := range sum {
		if s > 0 {
			factor[k] = total / float64(float64(present)*s)
		}
	}
	return factor
}

// Rows are those of a data set, whose levels weigh.
type Rows struct {
	By     Weights
	Levels []string
	Level  []int32 // by row; -1 where there is none
}

// String returns the weights as experiment files have them; "" for nil.
func (c *Rows) String() string {
	if c == nil {
		return ""
	}
	return c.By.String()
}

// Counted returns the places, rising, of rows that have a level whose factor is not 0.
func (c *Rows) Counted(rows []int32) (places []int32) {
	for k, i := range rows {
		if c.Level[i] < 0 {
			continue
		}
		if factor, named := c.By.Of[c.Levels[c.Level[i]]]; !named || factor > 0 {
			places = append(places, int32(k))
		}
	}
	return places
}

// At returns some of the rows.
func (c *Rows) At(rows []int32) *Rows {
	if c == nil {
		return nil
	}
	some := &Rows{By: c.By, Levels: c.Levels}
	for _, i := range rows {
		some.Level = append(some.Level, c.Level[i])
	}
	return some
}

// Weigh returns the weights of rows, nil for 1 each, times the factors of their levels. Balanced factors are those of these rows.
func (c *Rows) Weigh(weight sparse.Weights, rows []int32) sparse.Weights {
	all, known, level := make(sparse.Weights, len(rows)), sparse.Weights{}, []int32{}
	for i, row := range rows {
		if all[i] = weight.Of(i); c.Level[row] >= 0 {
			known, level = append(known, all[i]), append(level, c.Level[row])
		}
	}
	factor := c.By.Factors(c.Levels, known, level)
	for i, row := range rows {
		if l := c.Level[row]; l >= 0 {
			all[i] *= factor[l]
		}
	}
	return all
}
