package forest

import (
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/numeric/survival"
	"tenfold/engines/trees"
	"tenfold/engines/trees/bag"
)

// response of the training rows: levels, numbers, rates of counts, which are numbers as well, or times until an event.
type response struct {
	levels   int // 0: numbers, or times
	rates    bool
	level    []int32
	number   []float64
	survival *survivalTimes // of times, in place of numbers
	weight   data.Weights   // by which rows count out of the bag, nil: 1 each
	total    float64        // Σ weight
	bag      bag.Bag
}

// width returns how many numbers a prediction has.
func (y *response) width() int { return max(1, y.levels) }

func (y *response) levelOf(i int) int32 {
	if y.levels == 0 {
		return 0
	}
	return y.level[i]
}

// readResponse returns the rows where the only target is defined, and its values there. Trees on all rows, rather than on samples, take
// whole weights alone.
func readResponse(train *data.View, bootstrap bool) (*data.View, *response, error) {
	rows, values, level, weight, err := trees.Response(train)
	if err != nil {
		return nil, nil, err
	}
	info := train.TargetInfo(0)
	y := &response{levels: len(info.Levels), rates: info.Type == data.Count, number: values, level: level}
	if info.Type == data.Survival {
		if y.survival, y.number = newSurvivalTimes(values, rows.Events(0)), nil; len(y.survival.deaths) == 0 {
			return nil, nil, fmt.Errorf("target %s: %w", info.Name, survival.ErrNoEvent)
		}
	}
	y.weight, y.total = rows.TestWeights()
	const most = 1 << 31 // Q of splits are fractions of whole numbers, in 128 bits
	if y.bag, err = bag.New(rows, weight, y.total, bootstrap); err == nil && y.bag.Draws >= most {
		err = fmt.Errorf("the training rows count %d times, expected less than 2^31", y.bag.Draws)
	}
	return rows, y, err
}

// loss returns the loss of predicting row i by a value: 1 for a wrong level, the squared error of a number; none of a time.
func (y *response) loss(i int32, value []float64) float64 {
	switch {
	case y.survival != nil: // one row says nothing of how risks are ordered
		return 0
	case y.levels == 0:
		e := value[0] - y.number[i]
		return e * e
	}
	if likeliest(value) == int(y.level[i]) {
		return 0
	}
	return 1
}

// likeliest returns the level with the largest share, the first of equal ones.
func likeliest(share []float64) int {
	best := 0
	for k, s := range share {
		if s > share[best] {
			best = k
		}
	}
	return best
}
