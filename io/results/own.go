package results

import (
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"tenfold/io/flat"
	"tenfold/io/sealed"
)

// ownColumns lists the columns that an experiment adds: its grid parameters and its metrics, in order of appearance.
type ownColumns struct {
	params  []paramColumn
	metrics []string
	higher  map[string]bool // metrics of which more is better
	plain   []string        // metrics of a file that stand in columns of their own names
	scored  map[string]bool // metrics that some row has, of outputs or points as well
	apart   map[string]bool // metrics that cannot be plain, because some row has another value than the column
}

// plainMetrics lists the metrics with a column of their own in the row of every fit that ended well, such as the number of selected
// features.
var plainMetrics = map[string]struct {
	node   parquet.Node
	value  func(*Row) float64
	stored func(parquet.Value) float64
}{
	"selected":        {parquet.Int(32), func(r *Row) float64 { return float64(r.Features) }, ofInteger},
	"nonzero":         {parquet.Int(32), func(r *Row) float64 { return float64(r.Nonzero) }, ofInteger},
	"seconds_fit":     {parquet.Leaf(parquet.DoubleType), func(r *Row) float64 { return r.SecondsFit }, parquet.Value.Double},
	"seconds_predict": {parquet.Leaf(parquet.DoubleType), func(r *Row) float64 { return r.SecondsPredict }, parquet.Value.Double},
}

func ofInteger(v parquet.Value) float64 { return float64(v.Int32()) }

type paramColumn struct {
	name string // in the file: param_NAME, or data_NAME
	kind parquet.Kind
}

const (
	metricPrefix = "metric_"
	paramPrefix  = "param_"
	dataPrefix   = "data_" // also the prefix, in memory, of parameters of a data set's grid
)

func paramName(p string) string {
	if strings.HasPrefix(p, dataPrefix) {
		return p
	}
	return paramPrefix + p
}

// addRow adds the columns of parameters and metrics that a row needs.
func (o *ownColumns) addRow(r *Row) {
	for _, p := range r.Grid {
		name, kind := paramName(p.Name), kindOf(p.Value)
		k := slices.IndexFunc(o.params, func(c paramColumn) bool { return c.name == name })
		if k < 0 {
			o.params = append(o.params, paramColumn{name, kind})
		} else {
			o.params[k].kind = commonKind(o.params[k].kind, kind)
		}
	}
	for _, s := range r.Scores {
		if !o.scored[s.Metric] {
			if o.scored == nil {
				o.scored = map[string]bool{}
			}
			o.scored[s.Metric] = true
		}
		if s.isOverall() && !slices.Contains(o.metrics, s.Metric) {
			o.metrics = append(o.metrics, s.Metric)
		}
		if s.Higher && !o.higher[s.Metric] {
			if o.higher == nil {
				o.higher = map[string]bool{}
			}
			o.higher[s.Metric] = true
		}
	}
	for name, plain := range plainMetrics {
		v, ok := r.Metric(name)
		if (ok == (r.Status == OK) || r.Imported()) && (!ok || v == plain.value(r)) {
			continue
		}
		if o.apart == nil {
			o.apart = map[string]bool{}
		}
		o.apart[name] = true
	}
}

// splitPlain moves the metrics whose values are in a column of every fit, such as selected, from metrics to plain. It is called
// once, after all rows are added.
func (o *ownColumns) splitPlain() {
	o.metrics = slices.DeleteFunc(o.metrics, func(name string) bool {
		if _, known := plainMetrics[name]; !known || o.apart[name] {
			return false
		}
		o.plain = append(o.plain, name)
		return true
	})
}

func kindOf(v any) parquet.Kind {
	switch v.(type) {
	case float64:
		return parquet.Double
	case int64:
		return parquet.Int64
	}
	return parquet.ByteArray
}

// commonKind returns the type of a column that holds both: double for different numbers, string for all else.
func commonKind(a, b parquet.Kind) parquet.Kind {
	switch {
	case a == b:
		return a
	case a == parquet.ByteArray || b == parquet.ByteArray:
		return parquet.ByteArray
	}
	return parquet.Double
}

func (o *ownColumns) paramColumns() []sealed.Column[Row] {
	var out []sealed.Column[Row]
	for _, p := range o.params {
		out = append(out, p.asColumn())
	}
	return out
}

func (p paramColumn) asColumn() sealed.Column[Row] {
	node := parquet.Leaf(parquet.DoubleType)
	switch p.kind {
	case parquet.Int64:
		node = parquet.Int(64)
	case parquet.ByteArray:
		node = flat.Text()
	}
	name := strings.TrimPrefix(p.name, paramPrefix)
	return sealed.Column[Row]{
		Name: p.name, Node: parquet.Optional(node),
		Get: func(r *Row) parquet.Value {
			for _, g := range r.Grid {
				if g.Name == name {
					return p.encodeValue(g.Value)
				}
			}
			return parquet.NullValue()
		},
		Set: func(r *Row, v parquet.Value, t *sealed.Texts) {
			switch {
			case v.IsNull():
			case p.kind == parquet.ByteArray:
				r.Grid = append(r.Grid, Param{name, t.Intern(v)})
			case p.kind == parquet.Int64:
				r.Grid = append(r.Grid, Param{name, v.Int64()})
			default:
				r.Grid = append(r.Grid, Param{name, v.Double()})
			}
		},
	}
}

func (p paramColumn) encodeValue(v any) parquet.Value {
	if p.kind == parquet.ByteArray {
		return flat.TextValue(Exact(v))
	}
	switch x := v.(type) {
	case float64:
		return flat.NumberValue(x)
	case int64:
		if p.kind == parquet.Double {
			return parquet.DoubleValue(float64(x))
		}
		return parquet.Int64Value(x)
	}
	return parquet.NullValue() // cannot happen: kind is the widest of all rows
}

func (o *ownColumns) metricColumns() []sealed.Column[Row] {
	var out []sealed.Column[Row]
	for _, name := range o.metrics {
		out = append(out, sealed.Column[Row]{
			Name: metricPrefix + name, Node: flat.Number(),
			Get: func(r *Row) parquet.Value {
				v, _ := r.Metric(name)
				return flat.NumberValue(v)
			},
			Set: func(r *Row, v parquet.Value, _ *sealed.Texts) {
				if !v.IsNull() {
					if r.Scores == nil {
						r.Scores = make([]Score, 0, len(o.metrics))
					}
					r.Scores = append(r.Scores, Score{Metric: name, Point: -1, Value: v.Double(), Higher: o.higher[name]})
				}
			},
		})
	}
	return out
}

// plainColumns returns columns that read metrics from the columns of their own names, which are also read as what else they are.
func (o *ownColumns) plainColumns() []sealed.Column[Row] {
	var out []sealed.Column[Row]
	for _, name := range o.plain {
		plain := plainMetrics[name]
		out = append(out, sealed.Column[Row]{
			Name: name, Node: plain.node,
			Set: func(r *Row, v parquet.Value, _ *sealed.Texts) {
				if r.Status == OK && !v.IsNull() {
					r.Scores = append(r.Scores, Score{Metric: name, Point: -1, Value: plain.stored(v), Higher: o.higher[name]})
				}
			},
		})
	}
	return out
}
