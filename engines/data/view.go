package data

import (
	"fmt"
	"slices"
	"sync"

	"tenfold/engines/core/sparse"
)

// View is some rows of a prepared data set, numbered from 0 in the view's own order. It is read-only and safe for
// several goroutines; all engines on a fold share one, and with it the columns laid out on first use.
type View struct {
	from *Prepared
	rows []int32

	once sync.Once
	x    *sparse.Matrix
	like *View // has the same rows, and its matrix; nil for none
	of   *View // has these rows among others, at places; nil for none
	at   []int32

	fill   sync.Once
	filled *sparse.Matrix

	response []viewResponse // by target, filled on first use
	respond  sync.Once
}

type viewResponse struct {
	at     []int32
	y      []float64
	events []int8 // of a survival target
}

// Inputs is a view without its targets: what a model may see when it predicts.
type Inputs struct{ v *View }

// Len is the number of rows.
func (v *View) Len() int { return len(v.rows) }

// Columns is the number of columns.
func (v *View) Columns() int { return v.from.Columns() }

// Row i of the view, shared with the data set.
func (v *View) Row(i int) sparse.Vec { return v.from.X.Row(int(v.rows[i])) }

// Matrix of the view's rows, made once. Consecutive rows share the data set's storage; otherwise it is a copy.
func (v *View) Matrix() *sparse.Matrix {
	if v.like != nil {
		return v.like.Matrix()
	}
	v.once.Do(func() {
		if v.of != nil {
			v.x = v.of.Matrix().Subsample(v.at)
		} else {
			v.x = v.from.X.Pick(v.rows)
		}
	})
	return v.x
}

// FilledMatrix is Matrix with its zeros stored where they are not too many (sparse.Fills), made once: for engines to which a zero that is stored says
// what one says that is not.
func (v *View) FilledMatrix() *sparse.Matrix {
	if v.like != nil {
		return v.like.FilledMatrix()
	}
	v.fill.Do(func() {
		if v.of != nil {
			v.filled = v.Matrix().FilledOf(v.of.FilledMatrix(), v.at)
		} else {
			v.filled = v.Matrix().Filled()
		}
	})
	return v.filled
}

// Features of the columns.
func (v *View) Features() *Features { return v.from.Features }

// Pooled tells whether some training response was counted over rows outside the training rows.
func (v *View) Pooled() bool {
	return slices.ContainsFunc(v.from.Targets, func(t Target) bool { return t.Pooled })
}

// Targets is the number of targets.
func (v *View) Targets() int { return len(v.from.Targets) }

// TargetInfo is target t without its values: name, group, type, levels.
func (v *View) TargetInfo(t int) Target {
	info := v.from.Targets[t]
	info.Values, info.Rows, info.Pairs, info.Numbers, info.Events = nil, nil, nil, nil, nil
	return info
}

// Target t: the rows of the view where it is defined (nil: every row) and its values there. Made once, shared.
func (v *View) Target(t int) (at []int32, y []float64) {
	r := v.responseAt(t)
	return r.at, r.y
}

// Events of a survival target, one for each of Target's values: 1 where the time ended in the event, 0 where it was censored.
func (v *View) Events(t int) []int8 { return v.responseAt(t).events }

func (v *View) responseAt(t int) *viewResponse {
	v.respond.Do(func() {
		v.response = make([]viewResponse, len(v.from.Targets))
		for k := range v.response {
			v.response[k] = v.responseOf(&v.from.Targets[k])
		}
	})
	return &v.response[t]
}

func (v *View) responseOf(t *Target) viewResponse {
	if t.Rows == nil {
		y := make([]float64, len(v.rows))
		for i, row := range v.rows {
			y[i] = t.Values[row]
		}
		return viewResponse{y: y, events: ValuesAt(t.Events, v.rows)}
	}
	where := make(map[int32]int, len(t.Rows))
	for k, row := range t.Rows {
		where[row] = k
	}
	r := viewResponse{at: []int32{}}
	for i, row := range v.rows {
		if k, ok := where[row]; ok {
			r.at = append(r.at, int32(i))
			r.y = append(r.y, t.Values[k])
			if t.Events != nil {
				r.events = append(r.events, t.Events[k])
			}
		}
	}
	return r
}

// Defined is the rows of the view on which target t is defined, as a view, and its values there.
func (v *View) Defined(t int) (rows *View, y []float64) {
	at, y := v.Target(t)
	if at == nil {
		return v, y
	}
	return v.Sub(at), y
}

// LevelsOf is Defined of a class: the level of each of these rows. A target without any is an error.
func (v *View) LevelsOf(t int) (rows *View, level []int32, err error) {
	rows, y := v.Defined(t)
	if len(y) == 0 {
		return nil, nil, fmt.Errorf("target %s has no training row", v.TargetInfo(t).Name)
	}
	level = make([]int32, len(y))
	for i, l := range y {
		level[i] = int32(l)
	}
	return rows, level, nil
}

// Weights are how often rows count; nil: once each.
type Weights []float64

// Of row i.
func (w Weights) Of(i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}

// Weights of the rows, nil when every row counts once.
func (v *View) Weights() Weights {
	if v.from.Set.Weight == nil {
		return nil
	}
	w := make(Weights, len(v.rows))
	for i, row := range v.rows {
		w[i] = v.from.Set.Weight[row]
	}
	return w
}

// Groups of the rows, nil when the data has none. Keys are shared with the data set, Of is numbered by the view's rows.
func (v *View) Groups() *Groups {
	g := v.from.Set.Groups
	if g == nil {
		return nil
	}
	of := make([]int32, len(v.rows))
	for i, row := range v.rows {
		of[i] = g.Of[row]
	}
	return &Groups{Name: g.Name, Of: of, Key: g.Key}
}

// Origin is the row of the data set behind row i of the view.
func (v *View) Origin(i int) int32 { return v.rows[i] }

// ID is the id of row i in the data set.
func (v *View) ID(i int) string { return v.from.Set.RowID(int(v.rows[i])) }

// Sub is some rows of the view, for inner folds. It shares the preparation, which was fitted on all training rows.
func (v *View) Sub(rows []int32) *View {
	pick := make([]int32, len(rows))
	for k, i := range rows {
		pick[k] = v.rows[i]
	}
	return &View{from: v.from, rows: pick}
}

// Subsample is Sub of rising rows, one of many from the same view: they share the columns that are laid out for it.
func (v *View) Subsample(rows []int32) *View {
	s := v.Sub(rows)
	s.of, s.at = v, rows
	return s
}

// Inputs of the view.
func (v *View) Inputs() Inputs { return Inputs{v} }

// Len is the number of rows.
func (in Inputs) Len() int { return in.v.Len() }

// Row i.
func (in Inputs) Row(i int) sparse.Vec { return in.v.Row(i) }

// Matrix of the rows.
func (in Inputs) Matrix() *sparse.Matrix { return in.v.Matrix() }
