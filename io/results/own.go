package results

import (
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"tenfold/io/flat"
)

// ownColumns are the columns that an experiment brings: its grid parameters and its metrics, in order of appearance.
type ownColumns struct {
	params  []paramColumn
	metrics []string
	higher  map[string]bool // metrics of which more is better
}

type paramColumn struct {
	name string // in the file: param_NAME, or data_NAME
	kind parquet.Kind
}

const (
	metricPrefix = "metric_"
	paramPrefix  = "param_"
	dataPrefix   = "data_" // parameters of a data set's grid have it in memory too
)

func paramName(p string) string {
	if strings.HasPrefix(p, dataPrefix) {
		return p
	}
	return paramPrefix + p
}

// add learns from a row which columns there must be.
func (o *ownColumns) add(r *Row) {
	for _, p := range r.Grid {
		name, kind := paramName(p.Name), kindOf(p.Value)
		k := slices.IndexFunc(o.params, func(c paramColumn) bool { return c.name == name })
		if k < 0 {
			o.params = append(o.params, paramColumn{name, kind})
		} else {
			o.params[k].kind = wider(o.params[k].kind, kind)
		}
	}
	for _, s := range r.Scores {
		if s.overall() && !slices.Contains(o.metrics, s.Metric) {
			o.metrics = append(o.metrics, s.Metric)
		}
		if s.Higher && !o.higher[s.Metric] {
			if o.higher == nil {
				o.higher = map[string]bool{}
			}
			o.higher[s.Metric] = true
		}
	}
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

// wider is the type of a column that holds both: numbers mix as doubles, all else as strings.
func wider(a, b parquet.Kind) parquet.Kind {
	switch {
	case a == b:
		return a
	case a == parquet.ByteArray || b == parquet.ByteArray:
		return parquet.ByteArray
	}
	return parquet.Double
}

func (o *ownColumns) paramColumns() []column[Row] {
	var out []column[Row]
	for _, p := range o.params {
		out = append(out, p.column())
	}
	return out
}

func (p paramColumn) column() column[Row] {
	node := parquet.Leaf(parquet.DoubleType)
	switch p.kind {
	case parquet.Int64:
		node = parquet.Int(64)
	case parquet.ByteArray:
		node = flat.Text()
	}
	name := strings.TrimPrefix(p.name, paramPrefix)
	return column[Row]{
		name: p.name, node: parquet.Optional(node),
		get: func(r *Row) parquet.Value {
			for _, g := range r.Grid {
				if g.Name == name {
					return p.value(g.Value)
				}
			}
			return parquet.NullValue()
		},
		set: func(r *Row, v parquet.Value, t *texts) {
			switch {
			case v.IsNull():
			case p.kind == parquet.ByteArray:
				r.Grid = append(r.Grid, Param{name, t.of(v)})
			case p.kind == parquet.Int64:
				r.Grid = append(r.Grid, Param{name, v.Int64()})
			default:
				r.Grid = append(r.Grid, Param{name, v.Double()})
			}
		},
	}
}

func (p paramColumn) value(v any) parquet.Value {
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
	return parquet.NullValue() // kind is the widest of all rows: there is nothing else
}

func (o *ownColumns) metricColumns() []column[Row] {
	var out []column[Row]
	for _, name := range o.metrics {
		out = append(out, column[Row]{
			name: metricPrefix + name, node: flat.Number(),
			get: func(r *Row) parquet.Value {
				v, _ := r.Metric(name)
				return flat.NumberValue(v)
			},
			set: func(r *Row, v parquet.Value, _ *texts) {
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
