package results

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
)

// Files of a run's folder.
const (
	ResultsFile     = "results.parquet"
	MetricsFile     = "metrics.parquet"
	SelectionsFile  = "selections.parquet"
	PathsFile       = "paths.parquet"
	PredictionsFile = "predictions.parquet"
	SummaryFile     = "metrics.json"
)

// key says which unit a line of the long tables belongs to.
type key struct {
	Cell         string
	Repeat, Fold int32
}

func (l *Label) key() key { return key{l.Cell, l.Repeat, l.Fold} }

// The lines of the long tables.
type (
	metricLine struct {
		key
		Score
	}
	selectionLine struct {
		key
		Selected
	}
	pathLine struct {
		key
		Point
	}
	predictionLine struct {
		key
		row, group, output          string
		truth, prediction, score    float64
		truthLabel, predictionLabel string
	}
)

func keyColumns[R any](at func(*R) *key) []column[R] {
	return []column[R]{
		text("cell", func(r *R) *string { return &at(r).Cell }),
		integer("repeat", func(r *R) *int32 { return &at(r).Repeat }),
		integer("fold", func(r *R) *int32 { return &at(r).Fold }),
	}
}

func metricColumns() []column[metricLine] {
	return append(keyColumns(func(l *metricLine) *key { return &l.key }),
		optionalText("output", func(l *metricLine) *string { return &l.Output }),
		ordinal("point", func(l *metricLine) *int32 { return &l.Point }),
		text("metric", func(l *metricLine) *string { return &l.Metric }),
		double("value", func(l *metricLine) *float64 { return &l.Value }),
	)
}

func selectionColumns() []column[selectionLine] {
	return append(keyColumns(func(l *selectionLine) *key { return &l.key }),
		ordinal("rank", func(l *selectionLine) *int32 { return &l.Rank }),
		text("feature", func(l *selectionLine) *string { return &l.Feature }),
		optionalText("class", func(l *selectionLine) *string { return &l.Class }),
		optionalText("output", func(l *selectionLine) *string { return &l.Output }),
		double("coefficient", func(l *selectionLine) *float64 { return &l.Coefficient }),
		double("score", func(l *selectionLine) *float64 { return &l.Selected.Score }),
	)
}

func pathColumns() []column[pathLine] {
	return append(keyColumns(func(l *pathLine) *key { return &l.key }),
		long("step", func(l *pathLine) *int64 { return &l.Step }),
		integer("nonzero", func(l *pathLine) *int32 { return &l.Nonzero }),
		double("train_error", func(l *pathLine) *float64 { return &l.TrainError }),
		double("test_error", func(l *pathLine) *float64 { return &l.TestError }),
		double("epsilon", func(l *pathLine) *float64 { return &l.Epsilon }),
		long("evaluations", func(l *pathLine) *int64 { return &l.Evaluations }),
		seconds("seconds", func(l *pathLine) *float64 { return &l.Seconds }),
		flag("best", func(l *pathLine) *bool { return &l.Best }),
	)
}

// predictionColumns: truth and prediction are numbers, for classes the index of the level; its name is in the labels.
func predictionColumns() []column[predictionLine] {
	return append(keyColumns(func(l *predictionLine) *key { return &l.key }),
		text("row", func(l *predictionLine) *string { return &l.row }),
		optionalText("group", func(l *predictionLine) *string { return &l.group }),
		optionalText("output", func(l *predictionLine) *string { return &l.output }),
		double("truth", func(l *predictionLine) *float64 { return &l.truth }),
		double("prediction", func(l *predictionLine) *float64 { return &l.prediction }),
		double("score", func(l *predictionLine) *float64 { return &l.score }),
		optionalText("truth_label", func(l *predictionLine) *string { return &l.truthLabel }),
		optionalText("prediction_label", func(l *predictionLine) *string { return &l.predictionLabel }),
	)
}

// rowColumns are the columns of results.parquet in their order.
func rowColumns(own ownColumns) []column[Row] {
	return slices.Concat([]column[Row]{
		integer("schema_version", func(r *Row) *int32 { return &r.Schema }),
		text("experiment", func(r *Row) *string { return &r.Experiment }),
		text("dataset", func(r *Row) *string { return &r.Dataset }),
		text("algorithm", func(r *Row) *string { return &r.Algorithm }),
		text("engine", func(r *Row) *string { return &r.Engine }),
		text("cell", func(r *Row) *string { return &r.Cell }),
		text("params", func(r *Row) *string { return &r.Params }),
	}, own.paramColumns(), []column[Row]{
		integer("repeat", func(r *Row) *int32 { return &r.Repeat }),
		integer("fold", func(r *Row) *int32 { return &r.Fold }),
		text("fold_digest", func(r *Row) *string { return &r.FoldDigest }),
		text("dataset_digest", func(r *Row) *string { return &r.DatasetDigest }),
		long("seed", func(r *Row) *int64 { return &r.Seed }),
		text("status", func(r *Row) *string { return (*string)(&r.Status) }),
		optionalText("error", func(r *Row) *string { return &r.Error }),
	}, own.metricColumns(), []column[Row]{
		integer("selected", func(r *Row) *int32 { return &r.Features }),
		text("selected_digest", func(r *Row) *string { return &r.SelectedSum }),
		long("rows_train", func(r *Row) *int64 { return &r.RowsTrain }),
		long("rows_test", func(r *Row) *int64 { return &r.RowsTest }),
		long("columns", func(r *Row) *int64 { return &r.Columns }),
		seconds("seconds_fit", func(r *Row) *float64 { return &r.SecondsFit }),
		seconds("seconds_predict", func(r *Row) *float64 { return &r.SecondsPredict }),
		double("cpu_seconds", func(r *Row) *float64 { return &r.CPUSeconds }),
		moment("started", func(r *Row) *time.Time { return &r.Started }),
		text("machine", func(r *Row) *string { return &r.Machine }),
		text("version", func(r *Row) *string { return &r.Version }),
		text("commit", func(r *Row) *string { return &r.Commit }),
		flag("dirty", func(r *Row) *bool { return &r.Dirty }),
		integer("revision", func(r *Row) *int32 { return &r.Revision }),
		text("unit", func(r *Row) *string { return &r.Unit }),
		integer("attempts", func(r *Row) *int32 { return &r.Attempts }),
		integer("nonzero", func(r *Row) *int32 { return &r.Nonzero }),
		duration("limit_seconds", func(r *Row) *time.Duration { return &r.Limit }),
		optionalText("stop", func(r *Row) *string { return &r.Stop }),
		flag("optimistic", func(r *Row) *bool { return &r.Optimistic }),
		document("notes", func(r *Row) *[]string { return &r.Notes }),
		document("facts", func(r *Row) *[]Fact { return &r.Facts }),
	})
}

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

// overall tells whether a score is of the final model and all outputs: a column of results.parquet.
func (s *Score) overall() bool { return s.Output == "" && s.Point < 0 }

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
		node = stringNode()
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
		set: func(r *Row, v parquet.Value, t texts) {
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
		return textValue(plain(v))
	}
	switch x := v.(type) {
	case float64:
		return doubleValue(x)
	case int64:
		if p.kind == parquet.Double {
			return parquet.DoubleValue(float64(x))
		}
		return parquet.Int64Value(x)
	}
	return parquet.NullValue() // kind is the widest of all rows: there is nothing else
}

// plain writes a parameter as text; numbers exactly.
func plain(v any) string {
	if x, ok := v.(float64); ok {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

func (o *ownColumns) metricColumns() []column[Row] {
	var out []column[Row]
	for _, name := range o.metrics {
		out = append(out, column[Row]{
			name: metricPrefix + name, node: parquet.Optional(parquet.Leaf(parquet.DoubleType)),
			get: func(r *Row) parquet.Value {
				for _, s := range r.Scores {
					if s.Metric == name && s.overall() {
						return doubleValue(s.Value)
					}
				}
				return parquet.NullValue()
			},
			set: func(r *Row, v parquet.Value, _ texts) {
				if !v.IsNull() {
					r.Scores = append(r.Scores, Score{Metric: name, Point: -1, Value: v.Double(), Higher: o.higher[name]})
				}
			},
		})
	}
	return out
}
