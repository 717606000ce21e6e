package svm

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/sparse"
)

// trainingSet is the training rows.
type trainingSet struct {
	*points
	scale   *columnScaling
	columns int
	target  data.Target
	level   []int32      // by row
	weight  data.Weights // by row
	rows    [][]int32    // by level
}

// readTrainingSet reads the rows on which the target is defined. Two levels must have some.
func (e SVM) readTrainingSet(v *data.View) (*trainingSet, error) {
	v, level, err := v.LevelsOf(0)
	if err != nil {
		return nil, err
	}
	x := v.Matrix()
	s := &trainingSet{target: v.TargetInfo(0), columns: v.Columns(), weight: v.Weights(), level: level}
	s.rows = make([][]int32, len(s.target.Levels))
	for i, l := range level {
		s.rows[l] = append(s.rows[l], int32(i))
	}
	if present := s.presentLevels(); len(present) == 1 {
		return nil, s.target.RefuseOnly(float64(present[0]), len(level))
	}
	switch e.Scale {
	case toUnit:
		s.scale = learnUnit(x)
	case toDeviation:
		if s.scale, err = learnDeviations(x, s.weight); err != nil {
			return nil, err
		}
	}
	if x, err = s.scale.scaleMatrix(x); err != nil {
		return nil, err
	}
	k := kernel{form: kernelForm(e.Kernel), gamma: e.Gamma, coef0: e.Coef0, degree: e.Degree}
	if k.gamma == 0 && k.form != linear {
		k.gamma = 1 / float64(max(1, s.columns))
		if e.Width == byVariance {
			k.gamma = s.widthOf(x)
		}
	}
	s.points = newPoints(k, x, s.scale.shiftedOrigin())
	return s, nil
}

// widthOf returns gamma by the variance of all entries, zeros among them, of rows that the scale was applied to; 1 where all are equal.
func (s *trainingSet) widthOf(x *sparse.Matrix) float64 {
	rows, _ := x.Dims()
	move := s.scale.shiftedOrigin()
	if move == nil {
		move = make([]float64, s.columns)
	}
	total, sum := 0.0, 0.0               // weight of the rows; sum of the entries
	stored := make([]float64, s.columns) // weight of the rows with an entry, by column
	for i := range rows {
		m, row := s.weight.Of(i), x.Row(i)
		total += m
		for k, j := range row.Idx {
			stored[j] += m
			sum += float64(m * row.At(k))
		}
	}
	for _, v := range move {
		sum -= float64(total * v)
	}
	mean := sum / total / float64(max(1, s.columns))
	squares := 0.0
	for i := range rows {
		m, row := s.weight.Of(i), x.Row(i)
		for k, j := range row.Idx {
			d := row.At(k) - move[j] - mean
			squares += float64(m * float64(d*d))
		}
	}
	for j, v := range move {
		squares += float64(max(0, total-stored[j]) * float64((v+mean)*(v+mean)))
	}
	if gamma := total / squares; elementary.IsFinite(gamma) && gamma > 0 {
		return gamma
	}
	return 1
}

// presentLevels returns the levels that training rows have.
func (s *trainingSet) presentLevels() (levels []int) {
	for l, rows := range s.rows {
		if len(rows) > 0 {
			levels = append(levels, l)
		}
	}
	return levels
}

// binaryProblem has two sides: level a against level b, or against all others.
type binaryProblem struct{ a, b int }

const rest = -1

// binaryProblems returns those that the levels make. A target of two levels makes one, whose positive side is the positive level.
func (e SVM) binaryProblems(s *trainingSet) (problems []binaryProblem) {
	levels := s.presentLevels()
	switch {
	case len(s.rows) == 2:
		return []binaryProblem{{s.target.Positive, 1 - s.target.Positive}}
	case e.Scheme == oneVsRest:
		for _, l := range levels {
			problems = append(problems, binaryProblem{l, rest})
		}
		return problems
	}
	for k, a := range levels {
		for _, b := range levels[k+1:] {
			problems = append(problems, binaryProblem{a, b})
		}
	}
	return problems
}

// rowsOf returns the rows of the problem, rising; nil for all.
func (p binaryProblem) rowsOf(s *trainingSet) []int32 {
	if p.b == rest || len(s.rows) == 2 {
		return nil
	}
	rows := slices.Concat(s.rows[p.a], s.rows[p.b])
	slices.Sort(rows)
	return rows
}

// countRows returns the number of rows of the problem.
func (p binaryProblem) countRows(s *trainingSet) int {
	if p.b == rest {
		return len(s.level)
	}
	return len(s.rows[p.a]) + len(s.rows[p.b])
}

// newProblem returns the binary problem on the given rows.
func (e SVM) newProblem(s *trainingSet, levels binaryProblem, rows []int32) problem {
	p := problem{points: s.points}
	if rows != nil {
		p.points = s.subset(rows)
	}
	n := levels.countRows(s)
	p.y, p.c = make([]float64, n), make([]float64, n)
	for k := range n {
		i := k
		if rows != nil {
			i = int(rows[k])
		}
		p.y[k], p.c[k] = -1, float64(e.C*s.weight.Of(i))
		if int(s.level[i]) == levels.a {
			p.y[k] = 1
		}
	}
	return p
}

// trainMachines trains a machine for each problem. Machines do not depend on the number of workers.
func (e SVM) trainMachines(ctx context.Context, s *trainingSet, problems []binaryProblem, workers int) ([]machine, error) {
	workers = max(1, min(workers, len(problems)))
	largest := 0
	for _, p := range problems {
		largest = max(largest, p.countRows(s))
	}
	share := e.Cache / 8 / int64(workers)
	share = max(min(share, int64(largest)*int64(largest)), 2*int64(largest))
	machines, errs := make([]machine, len(problems)), make([]error, len(problems))
	var next atomic.Int64
	work := func() {
		room := make([]float64, share) // the system gives pages as they are used
		for ctx.Err() == nil {
			k := int(next.Add(1)) - 1
			if k >= len(problems) {
				return
			}
			machines[k], errs[k] = e.trainMachine(ctx, s, problems[k], room)
		}
	}
	var wait parallel.Group
	for range workers - 1 {
		wait.Go(work)
	}
	work()
	wait.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	for k, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("target %s, %s: %w", s.target.Name, problems[k].describe(s.target.Levels), err)
		}
	}
	return machines, nil
}

// trainMachine solves one problem.
func (e SVM) trainMachine(ctx context.Context, s *trainingSet, levels binaryProblem, room []float64) (machine, error) {
	rows := levels.rowsOf(s)
	p := e.newProblem(s, levels, rows)
	solved, err := solve(ctx, p, e.Tol, e.MaxIter, room)
	if err != nil {
		return machine{}, err
	}
	m := machine{outcome: solved.outcome, decision: decision{binaryProblem: levels, beta: sparse.Vec{Val: []float64{}}, bias: solved.bias}}
	for k, b := range solved.beta {
		if b == 0 {
			continue
		}
		i := int32(k)
		if rows != nil {
			i = rows[k]
		}
		m.beta.Idx, m.beta.Val = append(m.beta.Idx, i), append(m.beta.Val, b)
		if math.Abs(b) == p.c[k] {
			m.bounded++
		}
	}
	return m, nil
}

// describe names the problem, for people.
func (p binaryProblem) describe(levels []string) string {
	if p.b == rest {
		return levels[p.a] + " against the rest"
	}
	return levels[p.a] + " against " + levels[p.b]
}
