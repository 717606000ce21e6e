package synthetic

import (
	"context"
	"errors"
	"fmt"
	"math"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
)

// Lifetimes are times until an event with proportional hazards, some of them censored: of rows with standard normal x,
//
//	η = Σ over the true features: ±weight · x,   T = (E/exp(η))^(1/shape),   C = E'/rate,
//
// E and E' exponential of mean 1. The time is the smaller of T and C, with an event where that is T: T has Weibull's distribution, of shape 1
// the exponential, and C, which does not depend on x, the rate with which a given share of rows is censored on average.
type Lifetimes struct {
	Rows     int     `yaml:"rows" doc:"rows, 2 to 1 million"`
	Columns  int     `yaml:"columns" doc:"features"`
	True     int     `yaml:"true" doc:"features with a weight, the first ones; signs alternate"`
	Weight   float64 `yaml:"weight" doc:"logarithm of the hazard ratio of one standard deviation of a true feature, above 0"`
	Shape    float64 `yaml:"shape" doc:"of Weibull's distribution, above 0: 1 has hazards that stay as they are, above 1 they rise with time"`
	Censored float64 `yaml:"censored" doc:"share of rows that are censored on average, at least 0, below 1"`
}

// Validate checks the parameters.
func (l Lifetimes) Validate() error {
	errs := []error{
		requireRange("lifetimes.rows", l.Rows, 2, 1e6), requireRange("lifetimes.columns", l.Columns, 1, 1e6), requireRange("lifetimes.true", l.True, 0, max(0, l.Columns)),
		notNegative("lifetimes.weight", l.Weight),
		param.Require("lifetimes.shape", l.Shape > 0 && elementary.IsFinite(l.Shape), "%v, expected a number above 0", l.Shape),
		param.Require("lifetimes.censored", l.Censored >= 0 && l.Censored < 1, "%v, expected a share of at least 0, below 1", l.Censored),
	}
	if int64(l.Rows)*int64(l.Columns) > mostValues {
		errs = append(errs, param.Errorf("lifetimes.columns", "%d rows × %d columns are more than %d values", l.Rows, l.Columns, int(mostValues)))
	}
	return errors.Join(errs...)
}

func (s Source) lifetimesDataset(ctx context.Context) (*data.Dataset, error) {
	l, seed := s.Lifetimes, uint64(s.Seed)
	x, err := drawNormals(ctx, seed, l.Rows, l.Columns)
	if err != nil {
		return nil, err
	}
	d := &data.Dataset{X: x.asMatrix(), Features: data.NewFeatures(numberedNames("x", l.Columns))}
	for j := range int32(l.True) {
		d.Truth = append(d.Truth, data.True{Feature: j, Value: math.Copysign(l.Weight, 0.5-float64(j%2))})
	}
	still := random(0) // no noise beside the lifetimes'
	lifetimes := x.responseOf(response, d.Truth, 0, &still).Values
	draw := random(hashNumbers(seed, forNoise))
	for i, eta := range lifetimes {
		lifetimes[i] = elementary.Pow(draw.drawExponential()*elementary.Exp(-eta), 1/l.Shape)
	}
	t := data.Target{Name: response, Type: data.Survival}
	rate := rateOf(lifetimes, l.Censored)
	for _, lived := range lifetimes {
		time, event := lived, int8(1)
		if until := draw.drawExponential() / rate; until < lived { // +Inf where nothing is censored
			time, event = until, 0
		}
		t.Values, t.Events = append(t.Values, max(math.Ceil(time*finest)/finest, 1.0/finest)), append(t.Events, event)
	}
	d.Targets = []data.Target{t}
	d.Facts = []data.Fact{{Name: "true coefficients", Value: fmt.Sprint(len(d.Truth))}}
	return d, nil
}

// finest is one over the unit of times.
const finest = 1 << 20

// drawExponential draws an exponential number of mean 1.
func (r *random) drawExponential() float64 {
	return -elementary.Log((float64(r.uint64()>>11) + 0.5) / (1 << 53))
}

// rateOf returns the rate of exponential times of censoring that are below these times with a probability of share on average: where the mean of
// 1 − exp(−rate·T) is the share. By bisection of its logarithm.
func rateOf(times []float64, share float64) float64 {
	if share == 0 {
		return 0
	}
	low, high := -60.0, 60.0
	for range 60 {
		mid, sum := (low+high)/2, 0.0
		rate := elementary.Exp(mid)
		for _, t := range times {
			sum += 1 - elementary.Exp(-rate*t)
		}
		if sum < share*float64(len(times)) {
			low = mid
		} else {
			high = mid
		}
	}
	return elementary.Exp(high)
}
