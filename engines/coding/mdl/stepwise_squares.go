package mdl

import (
	"context"
	"math"

	"tenfold/engines"
	"tenfold/engines/data"
	responses "tenfold/engines/model/response"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/tails"
)

// growingSquares is least squares that take columns: the model of engine mdl.
type growingSquares struct {
	*leastSquares
	Choose    string
	train     *data.View
	targets   *responses.Responses
	evaluated int64
}

func (e Stepwise) newSquares(ctx context.Context, run engines.Run) (growingModel, error) {
	r, err := responses.Read(run.Train, responses.Squared)
	if err != nil {
		return nil, err
	}
	d, err := newDesign(ctx, r.Train.Matrix(), r.Train.Weights(), run.Workers)
	if err != nil {
		return nil, err
	}
	g := newLeastSquares(ctx, d, [][]float64{r.Each[0].Y})
	return &growingSquares{leastSquares: g, Choose: e.Choose, train: run.Train, targets: r}, nil
}

func (s *growingSquares) size() int              { return len(s.responses[0].columns) }
func (s *growingSquares) columnsInside() []int32 { return s.responses[0].columns }
func (s *growingSquares) examined() int64        { return s.evaluated }
func (s *growingSquares) start() float64         { return s.responses[0].tss }
func (s *growingSquares) loss() float64          { return s.responses[0].rss / s.N }
func (s *growingSquares) logRows() float64       { return elementary.Log(s.N) }

func (s *growingSquares) full() bool {
	_, full := s.leastSquares.saturatedTask()
	return full
}

func (s *growingSquares) keep(ctx context.Context, j int32) (bool, error) {
	step := s.directions(j, []int32{0})[0]
	if step.q == nil {
		s.exclude(0, j)
		return false, nil
	}
	return true, s.addColumn(ctx, j, []direction{step})
}

// best is the entrant that lowers RSS most.
func (s *growingSquares) best(ctx context.Context, units [][]int32) (entrant, error) {
	if units != nil {
		return s.bestUnit(ctx, units)
	}
	j, step, err := s.bestColumn(ctx)
	if j < 0 {
		return entrant{}, err
	}
	return entrant{columns: []int32{j}, gain: rssDecrease(step), known: []direction{step}}, err
}

// scanColumns is the best column by the running sums, ties to the lowest index; −1 if none lowers RSS.
func (s *growingSquares) scanColumns() int32 {
	best, most := int32(-1), 0.0
	for j := range int32(s.columns()) {
		value := s.rssDecrease(0, j)
		if value > 0 && s.Choose == chooseCorrelation {
			c := s.correlation(0, j)
			value = c * c / s.Norm2[j]
		}
		if value > most*(1+tieTolerance) {
			best, most = j, value
		}
	}
	s.evaluated += int64(s.columns())
	return best
}

// bestColumn is the next column and its direction, computed from the column itself; −1 if there is none. If the running sums have
// drifted, it recomputes them and scans once more.
func (s *growingSquares) bestColumn(ctx context.Context) (int32, direction, error) {
	for again := true; ; {
		j := s.scanColumns()
		if ctx.Err() != nil {
			return -1, direction{}, context.Cause(ctx)
		}
		if j < 0 {
			return -1, direction{}, nil
		}
		step := s.directions(j, []int32{0})[0]
		gain, guess := rssDecrease(step), s.rssDecrease(0, j)
		if again && math.Abs(gain-guess) > driftTolerance*max(gain, guess) {
			s.recompute(ctx)
			again = false
			continue
		}
		if gain > 0 {
			return j, step, nil
		}
		s.exclude(0, j) // it depends on those in the model
	}
}

// rssDecrease is by how much adding the direction lowers the residual sum of squares.
func rssDecrease(step direction) float64 {
	if step.q == nil {
		return 0
	}
	return step.along[0] * step.along[0]
}

// drop is by how much n·ln RSS falls.
func (s *growingSquares) drop(next entrant) float64 {
	u := s.responses[0]
	return s.N * elementary.Log(u.rss/max(u.rss-next.gain, saturatedBelow*u.tss))
}

// pValue is that of the F test: F = (Δ/m)/((RSS − Δ)/ν) on m and ν = n − q − m − 1 degrees of freedom; 1 where none is left.
func (s *growingSquares) pValue(next entrant) float64 {
	u, m := s.responses[0], float64(len(next.columns))
	nu := s.N - float64(len(u.columns)) - m - 1
	if nu <= 0 {
		return 1
	}
	return tails.F(min(1, next.gain/u.rss), min(1, max(0, u.rss-next.gain)/u.rss), m, nu)
}

func (s *growingSquares) add(ctx context.Context, next entrant) error {
	for k, j := range next.columns {
		steps := next.known
		if k >= len(steps) {
			steps = s.directions(j, []int32{0})
		}
		if err := s.addColumn(ctx, j, steps); err != nil {
			return err
		}
	}
	return nil
}

func (s *growingSquares) weights() (map[int32]float64, float64) { return s.leastSquares.weights(0) }

func (s *growingSquares) facts(parameters float64) []data.Fact {
	u := s.responses[0]
	facts := []data.Fact{numberFact("residual sum of squares", u.rss), numberFact("R²", 1-u.rss/u.tss)}
	if u.rss > 0 {
		facts = append(facts,
			numberFact("AIC (n·ln(RSS/n) + 2·columns)", float64(s.N*elementary.Log(u.rss/s.N))+float64(2*parameters)),
			numberFact("BIC (n·ln(RSS/n) + ln n·columns)", float64(s.N*elementary.Log(u.rss/s.N))+float64(elementary.Log(s.N)*parameters)))
	}
	return append(facts, constantFact(s.Constant())...)
}

func (s *growingSquares) model(bias float64, coefs []engines.Coef, f engines.Fitted) engines.Model {
	return s.targets.Model([]float64{bias}, coefs, f)
}

// bestUnit is the unit whose columns lower RSS most together, ties to the first. Each is projected on what the model leaves, so a scan is
// O(rows · columns in the model · columns of units).
func (s *growingSquares) bestUnit(ctx context.Context, units [][]int32) (best entrant, err error) {
	for _, columns := range units {
		if ctx.Err() != nil {
			return entrant{}, context.Cause(ctx)
		}
		if s.train.Competes(int(columns[0])) && !hasAny(s.responses[0].columns, columns) {
			if next := s.newEntrant(columns); next.gain > best.gain*(1+tieTolerance) {
				best = next
			}
		}
	}
	s.evaluated += int64(len(units))
	return best, nil
}

// newEntrant returns the columns of a unit that depend neither on the model nor on each other; none where they take all rows.
func (s *growingSquares) newEntrant(columns []int32) entrant {
	independent, gain := s.jointDecrease(0, columns)
	if float64(s.size()+len(independent)) > s.N-2 {
		return entrant{}
	}
	return entrant{columns: independent, gain: gain}
}
