package forward

import (
	"context"
	"math"

	"tenfold/engines"
	"tenfold/engines/data"
	responses "tenfold/engines/model/response"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/growing"
	"tenfold/engines/numeric/tails"
)

// growingSquares is least squares that take columns: the model of engine mdl.
type growingSquares struct {
	*growing.LeastSquares
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
	weight, _ := r.Train.TestWeights()
	d, err := growing.NewDesign(ctx, r.Train.Matrix(), weight, run.Workers)
	if err != nil {
		return nil, err
	}
	g := growing.New(ctx, d, [][]float64{r.Each[0].Y})
	return &growingSquares{LeastSquares: g, Choose: e.Choose, train: run.Train, targets: r}, nil
}

func (s *growingSquares) size() int              { return len(s.Responses[0].Columns) }
func (s *growingSquares) columnsInside() []int32 { return s.Responses[0].Columns }
func (s *growingSquares) examined() int64        { return s.evaluated }
func (s *growingSquares) start() float64         { return s.Responses[0].TSS }
func (s *growingSquares) loss() float64          { return s.Responses[0].RSS / s.N }
func (s *growingSquares) logRows() float64       { return elementary.Log(s.N) }

func (s *growingSquares) full() bool {
	_, full := s.LeastSquares.SaturatedTask()
	return full
}

func (s *growingSquares) keep(ctx context.Context, j int32) (bool, error) {
	step := s.Directions(j, []int32{0})[0]
	if step.Q == nil {
		s.Exclude(0, j)
		return false, nil
	}
	return true, s.AddColumn(ctx, j, []growing.Direction{step})
}

// best returns the entrant that lowers RSS most.
func (s *growingSquares) best(ctx context.Context, units [][]int32) (entrant, error) {
	if units != nil {
		return s.bestUnit(ctx, units)
	}
	j, step, err := s.bestColumn(ctx)
	if j < 0 {
		return entrant{}, err
	}
	return entrant{columns: []int32{j}, gain: rssDecrease(step), known: []growing.Direction{step}}, err
}

// scanColumns returns the best column by the running sums, ties to the lowest index; −1 if none lowers RSS.
func (s *growingSquares) scanColumns() int32 {
	best, largest := int32(-1), 0.0
	for j := range int32(s.Columns()) {
		value := s.RSSDecrease(0, j)
		if value > 0 && s.Choose == chooseCorrelation {
			c := s.Correlation(0, j)
			value = c * c / s.Norm2[j]
		}
		if value > largest*(1+tieTolerance) {
			best, largest = j, value
		}
	}
	s.evaluated += int64(s.Columns())
	return best
}

// bestColumn returns the next column and its direction, computed from the column itself; −1 if there is none. If the running sums have
// drifted, it recomputes them and scans once more.
func (s *growingSquares) bestColumn(ctx context.Context) (int32, growing.Direction, error) {
	for again := true; ; {
		j := s.scanColumns()
		if ctx.Err() != nil {
			return -1, growing.Direction{}, context.Cause(ctx)
		}
		if j < 0 {
			return -1, growing.Direction{}, nil
		}
		step := s.Directions(j, []int32{0})[0]
		gain, guess := rssDecrease(step), s.RSSDecrease(0, j)
		if again && math.Abs(gain-guess) > growing.DriftTolerance*max(gain, guess) {
			s.Recompute(ctx)
			again = false
			continue
		}
		if gain > 0 {
			return j, step, nil
		}
		s.Exclude(0, j) // it depends on those in the model
	}
}

// rssDecrease returns by how much adding the direction lowers the residual sum of squares.
func rssDecrease(step growing.Direction) float64 {
	if step.Q == nil {
		return 0
	}
	return step.Along[0] * step.Along[0]
}

// drop returns by how much n·ln RSS falls.
func (s *growingSquares) drop(next entrant) float64 {
	u := s.Responses[0]
	return s.N * elementary.Log(u.RSS/max(u.RSS-next.gain, growing.SaturatedBelow*u.TSS))
}

// pValue returns that of the F test: F = (Δ/m)/((RSS − Δ)/ν) on m and ν = n − q − m − 1 degrees of freedom; 1 where none is left.
func (s *growingSquares) pValue(next entrant) float64 {
	u, m := s.Responses[0], float64(len(next.columns))
	nu := s.N - float64(len(u.Columns)) - m - 1
	if nu <= 0 {
		return 1
	}
	return tails.F(min(1, next.gain/u.RSS), min(1, max(0, u.RSS-next.gain)/u.RSS), m, nu)
}

func (s *growingSquares) add(ctx context.Context, next entrant) error {
	for k, j := range next.columns {
		steps := next.known
		if k >= len(steps) {
			steps = s.Directions(j, []int32{0})
		}
		if err := s.AddColumn(ctx, j, steps); err != nil {
			return err
		}
	}
	return nil
}

func (s *growingSquares) weights() (map[int32]float64, float64) { return s.LeastSquares.Weights(0) }

func (s *growingSquares) facts(parameters float64) []data.Fact {
	u := s.Responses[0]
	facts := []data.Fact{numberFact("residual sum of squares", u.RSS), numberFact("R²", 1-u.RSS/u.TSS)}
	if u.RSS > 0 {
		facts = append(facts,
			numberFact("AIC (n·ln(RSS/n) + 2·columns)", float64(s.N*elementary.Log(u.RSS/s.N))+float64(2*parameters)),
			numberFact("BIC (n·ln(RSS/n) + ln n·columns)", float64(s.N*elementary.Log(u.RSS/s.N))+float64(elementary.Log(s.N)*parameters)))
	}
	return append(facts, constantFact(s.Constant())...)
}

func (s *growingSquares) model(bias float64, coefs []engines.Coef, f engines.Fitted) engines.Model {
	return s.targets.Model([]float64{bias}, coefs, f)
}

// bestUnit returns the unit whose columns lower RSS most together, ties to the first. Each is projected on what the model leaves, so a
// scan is O(rows · columns in the model · columns of units).
func (s *growingSquares) bestUnit(ctx context.Context, units [][]int32) (best entrant, err error) {
	for _, columns := range units {
		if ctx.Err() != nil {
			return entrant{}, context.Cause(ctx)
		}
		if s.train.Competes(int(columns[0])) && !hasAny(s.Responses[0].Columns, columns) {
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
	independent, gain := s.JointDecrease(0, columns)
	if float64(s.size()+len(independent)) > s.N-2 {
		return entrant{}
	}
	return entrant{columns: independent, gain: gain}
}
