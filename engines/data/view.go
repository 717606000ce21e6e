package data

import (
	"fmt"
	"slices"
	"sync"

	"tenfold/engines/data/classweight"
	"tenfold/engines/data/memo"
	"tenfold/engines/numeric/sparse"
)

// View holds some rows of a prepared data set, numbered from 0 in the view's own order. It is read-only and safe for several
// goroutines. All engines on a fold share one view, and with it the column layout that is made on first use.
type View struct {
	from *Prepared
	rows []int32

	once       sync.Once
	x          *sparse.Matrix
	like       *View // has the same rows, and its matrix; nil for none
	parent     *View // has these rows among others, as parentRows; nil for none
	parentRows []int32

	fill   sync.Once
	filled *sparse.Matrix

	response []viewResponse // by target, filled on first use
	respond  sync.Once

	memo    *memo.Values
	classes *classweight.Rows // by which rows count as well; nil for none
}

type viewResponse struct {
	rows   []int32
	y      []float64
	events []int8 // of a survival target
}

// Inputs is a view without its targets, which is what a model sees when it predicts.
type Inputs struct{ v *View }

// Len returns the number of rows.
func (v *View) Len() int { return len(v.rows) }

// Memo returns what fits to the rows of an inner fold keep for each other. It is nil for the rows of a whole fold, which live as long as a run may
// take.
func (v *View) Memo() *memo.Values { return v.memo }

// Columns returns the number of columns.
func (v *View) Columns() int { return v.from.Columns() }

// Row returns row i, which shares the data set's storage.
func (v *View) Row(i int) sparse.Vec { return v.from.X.Row(int(v.rows[i])) }

// Matrix returns the view's rows as a matrix, made once. It shares the data set's storage if the rows are consecutive, else it is a copy.
func (v *View) Matrix() *sparse.Matrix {
	if v.like != nil {
		return v.like.Matrix()
	}
	v.once.Do(func() {
		if v.parent != nil {
			v.x = v.parent.Matrix().Subsample(v.parentRows)
		} else {
			v.x = v.from.X.Pick(v.rows)
		}
	})
	return v.x
}

// FilledMatrix returns Matrix with its zeros stored if they are not too many (sparse.Fills), made once. It is for engines that treat
// stored and missing zeros alike.
func (v *View) FilledMatrix() *sparse.Matrix {
	if v.like != nil {
		return v.like.FilledMatrix()
	}
	v.fill.Do(func() {
		if v.parent != nil {
			v.filled = v.Matrix().FilledOf(v.parent.FilledMatrix(), v.parentRows)
		} else {
			v.filled = v.Matrix().Filled()
		}
	})
	return v.filled
}

// Features returns the names and classes of the columns.
func (v *View) Features() *Features { return v.from.Features }

// Pooled reports whether some training response was counted over rows outside the training rows.
func (v *View) Pooled() bool {
	return slices.ContainsFunc(v.from.Targets, func(t Target) bool { return t.Pooled })
}

// Targets returns the number of targets.
func (v *View) Targets() int { return len(v.from.Targets) }

// TargetInfo returns target t without its values: name, group, type, levels.
func (v *View) TargetInfo(t int) Target {
	info := v.from.Targets[t]
	info.Values, info.Rows, info.Pairs, info.Numbers, info.Events = nil, nil, nil, nil, nil
	return info
}

// Target returns the rows of the view on which target t is defined (nil: every row), and its values there. Made once, shared.
func (v *View) Target(t int) (rows []int32, y []float64) {
	r := v.responseAt(t)
	return r.rows, r.y
}

// Events returns 1 for each of Target's values that is the time of an event, 0 for a censored one.
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
	r := viewResponse{rows: []int32{}}
	for i, row := range v.rows {
		if k, ok := where[row]; ok {
			r.rows = append(r.rows, int32(i))
			r.y = append(r.y, t.Values[k])
			if t.Events != nil {
				r.events = append(r.events, t.Events[k])
			}
		}
	}
	return r
}

// Defined returns the rows on which target t is defined, as a view, and its values there.
func (v *View) Defined(t int) (rows *View, y []float64) {
	defined, y := v.Target(t)
	if defined == nil {
		return v, y
	}
	return v.Sub(defined), y
}

// LevelsOf returns what Defined does for a class target, with values as level numbers. A target without any value is an error.
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

// Weights holds the multiplicity of each row; nil: 1 each.
type Weights = sparse.Weights

// Weights returns the weights of the rows in fits, nil if each is 1: those of the data, times class weights where there are some.
func (v *View) Weights() Weights {
	if v.classes != nil {
		return v.classes.Weigh(v.CaseWeights(), v.rows)
	}
	return v.CaseWeights()
}

// CaseWeights returns the weights that the rows have in the data, nil if each is 1. Losses of rows that were not fitted are means by these.
func (v *View) CaseWeights() Weights {
	return ValuesAt(v.from.Set.Weight, v.rows)
}

// Exposures returns the exposures of the rows, nil if each is 1.
func (v *View) Exposures() []float64 {
	return ValuesAt(v.from.Set.Exposure, v.rows)
}

// TestWeights returns the weights by which tests count rows, nil if each is 1, and their sum. Numbers of equal rows count as they are.
// Otherwise only ratios of weights say anything, and they are scaled so that their sum is the number of rows; ratios alone are what class
// weights change, and exposures, which are weights of rates.
func (v *View) TestWeights() (w Weights, n float64) {
	w = v.Weights()
	if n = float64(v.Len()); v.from.Frequency {
		n = v.CaseWeights().Sum(v.Len())
	}
	exposure := v.Exposures()
	if exposure != nil {
		exposed := make(Weights, len(exposure))
		for i, t := range exposure {
			exposed[i] = float64(w.Of(i) * t)
		}
		w = exposed
	}
	if w == nil || v.from.Frequency && v.classes == nil && exposure == nil {
		return w, n
	}
	total := w.Sum(v.Len())
	for i := range w {
		w[i] *= n / total
	}
	return w, n
}

// Groups returns the groups of the rows, nil if the data has none. Keys are shared with the data set; Of is indexed by the view's rows.
func (v *View) Groups() *Groups {
	g := v.from.Set.Groups
	if g == nil {
		return nil
	}
	groupOf := make([]int32, len(v.rows))
	for i, row := range v.rows {
		groupOf[i] = g.Of[row]
	}
	return &Groups{Name: g.Name, Of: groupOf, Key: g.Key}
}

// Origin returns the row of the data set that is row i of the view.
func (v *View) Origin(i int) int32 { return v.rows[i] }

// IsBeside reports whether both views have rows of the same prepared data, to which Origin then refers.
func (v *View) IsBeside(w *View) bool { return v.from == w.from }

// ID returns the id of row i in the data set.
func (v *View) ID(i int) string { return v.from.Set.RowID(int(v.rows[i])) }

// Sub returns a view of some of the rows, for inner folds. It shares the preparation, which was fitted on all training rows.
func (v *View) Sub(rows []int32) *View {
	pick := make([]int32, len(rows))
	for k, i := range rows {
		pick[k] = v.rows[i]
	}
	return &View{from: v.from, rows: pick, memo: new(memo.Values), classes: v.classes}
}

// Subsample returns what Sub does for rising rows. Many subsamples of one view share its column layout.
func (v *View) Subsample(rows []int32) *View {
	s := v.Sub(rows)
	s.parent, s.parentRows = v, rows
	return s
}

// Inputs returns the view without its targets.
func (v *View) Inputs() Inputs { return Inputs{v} }

// Len returns the number of rows.
func (in Inputs) Len() int { return in.v.Len() }

// Row returns row i.
func (in Inputs) Row(i int) sparse.Vec { return in.v.Row(i) }

// Matrix returns the rows as a matrix.
func (in Inputs) Matrix() *sparse.Matrix { return in.v.Matrix() }
