package mdl

import (
	"context"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/coding/codes"
	"tenfold/engines/coding/likelihood"
	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/growing"
)

// fitting is the state of a fit of all targets.
type fitting struct {
	engine       MDL
	run          engines.Run
	code         codes.Code
	targets      []*task
	classes      *codes.Classes  // nil if neither code nor order uses them
	order        []int32         // of columns, for searches that offer them one after the other
	all          *growing.Design // of all rows; nil until a target needs it
	descriptions []*description
	notes        []string

	loss  []float64 // mean loss by target, for the trace
	steps int
}

// task is a target as numbers: 0 and 1 for the levels of a class.
type task struct {
	number int // of the target
	name   string
	class  bool
	rows   []int32   // those where it is defined; nil: all
	y      []float64 // by row of these
}

func (e MDL) newFitting(run engines.Run) (*fitting, error) {
	f := &fitting{engine: e, run: run, code: e.chosenCode()}
	if f.code.Donors {
		return nil, fmt.Errorf("code %s takes its prices from models of other tasks, of which this fit knows none; a data set with family has them, and without any the code is tpc", f.code.Name)
	}
	var err error
	if e.Needs().FeatureClasses {
		if f.classes, err = codes.ReadClasses(run.Train.Features(), e.ClassesTotal); err != nil {
			return nil, err
		}
		if f.classes.Note != "" {
			f.notes = append(f.notes, f.classes.Note)
		}
	}
	f.order = e.columnOrder(run, f.classes)
	if err := f.readTargets(); err != nil {
		return nil, err
	}
	return f, f.checkTogether()
}

func (f *fitting) readTargets() error {
	train, weight := f.run.Train, f.run.Train.Weights()
	for number := range train.Targets() {
		rows, y := train.Target(number)
		if len(y) == 0 {
			return fmt.Errorf("target %s has no training row", train.TargetInfo(number).Name)
		}
		t, err := f.readTarget(number, rows, y)
		if err != nil {
			return err
		}
		f.targets, f.loss = append(f.targets, t), append(f.loss, f.nullLoss(t, weight))
	}
	return nil
}

func (f *fitting) readTarget(number int, rows []int32, y []float64) (*task, error) {
	info := f.run.Train.TargetInfo(number)
	t := &task{number: number, name: info.Name, class: info.Type == data.Class, rows: rows, y: y}
	if t.class && len(info.Levels) != 2 {
		return nil, fmt.Errorf("target %s has %d levels; engine mdl takes numbers, or classes of two levels", info.Name, len(info.Levels))
	}
	binary := t.class || f.engine.Likelihood == logisticLoss || f.engine.Refit == logisticLoss
	for i, v := range y {
		if elementary.IsFinite(v) && (!binary || v == 0 || v == 1) {
			continue
		}
		row := int32(i)
		if rows != nil {
			row = rows[i]
		}
		expected := "a finite number"
		if binary {
			expected = "0 or 1, which logistic regressions take"
		}
		return nil, fmt.Errorf("row %s: target %s is %v, expected %s", f.run.Train.ID(int(row)), info.Name, v, expected)
	}
	if slices.Min(y) == slices.Max(y) {
		return nil, info.RefuseOnly(y[0], len(y))
	}
	return t, nil
}

// nullLoss returns the mean loss of a target without features: squared error, or nats.
func (f *fitting) nullLoss(t *task, weight data.Weights) float64 {
	n, mean, square := 0.0, 0.0, 0.0
	each := func(add func(m, y float64)) {
		for i, y := range t.y {
			if t.rows != nil {
				i = int(t.rows[i])
			}
			add(weight.Of(i), y)
		}
	}
	each(func(m, y float64) { n, mean = n+m, mean+float64(m*y) })
	mean /= n
	if f.engine.Likelihood == logisticLoss {
		return elementary.Entr(mean) + elementary.Entr(1-mean)
	}
	each(func(m, y float64) { square += float64(m * float64((y-mean)*(y-mean))) })
	return square / n
}

// checkTogether refuses targets on different rows if the code prices them together.
func (f *fitting) checkTogether() error {
	if !f.code.Together {
		return nil
	}
	for _, t := range f.targets {
		if first := f.targets[0]; (t.rows == nil) != (first.rows == nil) || !slices.Equal(t.rows, first.rows) {
			return fmt.Errorf("code %s prices a feature for all targets together, on the same rows, but %s and %s are defined on different ones (%d and %d); the codes without mic take each target by itself",
				f.code.Name, first.name, t.name, len(first.y), len(t.y))
		}
	}
	return nil
}

// problems returns all targets together, or each by itself, as the code prices them.
func (f *fitting) problems() []problem {
	size := 1
	if f.code.Together {
		size = len(f.targets)
	}
	var out []problem
	for tasks := range slices.Chunk(f.targets, size) {
		out = append(out, problem{engine: f.engine, code: f.code, classes: f.classes, tasks: tasks, order: f.order, designOf: f.design, trace: f.traceStep})
	}
	return out
}

// design returns the columns on the rows where a target is defined. That of all rows is kept; others serve one target each.
func (f *fitting) design(ctx context.Context, t *task) (*growing.Design, error) {
	train := f.run.Train
	if t.rows != nil {
		train = train.Sub(t.rows)
		return growing.NewDesign(ctx, train.Matrix(), train.Weights(), f.run.Workers)
	}
	var err error
	if f.all == nil {
		f.all, err = growing.NewDesign(ctx, train.Matrix(), train.Weights(), f.run.Workers)
	}
	return f.all, err
}

// likelihood returns that of the parameters, of a model without features.
func (p problem) likelihood(ctx context.Context, d *growing.Design) (likelihood.Likelihood, error) {
	e := p.engine
	var y [][]float64
	for _, t := range p.tasks {
		y = append(y, t.y)
	}
	if e.Likelihood == logisticLoss {
		return likelihood.NewLogistic(ctx, d, y, e.Ridge), nil
	}
	sigma := e.Sigma
	if e.Search == searchMixed {
		sigma = likelihood.SigmaOwn
	}
	if d.N <= 1 && (e.Sigma == likelihood.SigmaUnbiased || e.DF == 1) {
		return nil, fmt.Errorf("sigma %s with df %d takes a degree of freedom from the rows, but their weights sum to %v", e.Sigma, e.DF, d.N)
	}
	g := &likelihood.Gaussian{LeastSquares: growing.New(ctx, d, y), Noise: likelihood.Noise{Kind: sigma, DF: float64(e.DF), Fixed: e.Sigma2}}
	switch e.Covariance {
	case fullMatrix:
		return likelihood.NewCorrelated(g, 0)
	case shrunk:
		return likelihood.NewCorrelated(g, e.Lambda)
	}
	return g, nil
}

// traceStep traces a feature that entered, or the start.
func (f *fitting) traceStep(s *selection, moved engines.Coef) {
	if f.run.Trace == nil || moved.Feature < 0 && f.steps > 0 {
		return
	}
	step := engines.Step{Iter: f.steps, Changed: moved, Whole: true, Active: s.countCoefficients(), Evaluations: s.evaluated}
	f.steps++
	for _, d := range f.descriptions {
		step.Active += len(d.coefs)
		step.Evaluations += d.evaluated
	}
	for k, t := range s.tasks {
		f.loss[t.number] = s.like.Loss(k)
	}
	for _, loss := range f.loss {
		step.TrainError += loss / float64(len(f.loss))
	}
	if moved.Feature >= 0 {
		step.Changed.Output = f.outputOf(s.tasks[moved.Output].number)
	}
	f.run.Trace(step)
}
