package results

import (
	"slices"
	"time"

	"github.com/parquet-go/parquet-go"

	"tenfold/engines/data"
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

const factsColumn = "facts"

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
	factLine struct {
		key
		facts []data.Fact
	}
	predictionLine struct {
		key
		row, group, output          string
		truth, prediction, score    float64
		margin, logProbability      float64
		truthLabel, predictionLabel string
		weight                      float64
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
	return slices.Concat(keyColumns(func(l *selectionLine) *key { return &l.key }), []column[selectionLine]{
		ordinal("rank", func(l *selectionLine) *int32 { return &l.Rank }),
		text("feature", func(l *selectionLine) *string { return &l.Feature }),
		optionalText("class", func(l *selectionLine) *string { return &l.Class }),
		optionalText("output", func(l *selectionLine) *string { return &l.Output }),
		double("coefficient", func(l *selectionLine) *float64 { return &l.Coefficient }),
		double("score", func(l *selectionLine) *float64 { return &l.Selected.Score }),
		bits("bits_saved", func(b *Bits) *float64 { return &b.Saved }),
		bits("bits_refined", func(b *Bits) *float64 { return &b.Refined }),
		bits("bits_class", func(b *Bits) *float64 { return &b.Class }),
		bits("bits_index", func(b *Bits) *float64 { return &b.Index }),
		bits("bits_subset", func(b *Bits) *float64 { return &b.Subset }),
		bits("bits_coefficient", func(b *Bits) *float64 { return &b.Coefficient }),
	})
}

// bits is a column of ledgers, NULL where a feature has none.
func bits(name string, at func(*Bits) *float64) column[selectionLine] {
	c := double(name, func(l *selectionLine) *float64 { return at(l.Bits) })
	get, set := c.get, c.set
	c.get = func(l *selectionLine) parquet.Value {
		if l.Bits == nil {
			return parquet.NullValue()
		}
		return get(l)
	}
	c.set = func(l *selectionLine, v parquet.Value, t *texts) {
		if v.IsNull() {
			return
		}
		if l.Bits == nil {
			l.Bits = new(Bits)
		}
		set(l, v, t)
	}
	return c
}

func pathColumns() []column[pathLine] {
	return append(keyColumns(func(l *pathLine) *key { return &l.key }),
		long("step", func(l *pathLine) *int64 { return &l.Step }),
		integer("nonzero", func(l *pathLine) *int32 { return &l.Nonzero }),
		double("train_error", func(l *pathLine) *float64 { return &l.TrainError }),
		double("test_error", func(l *pathLine) *float64 { return &l.TestError }),
		optionalText("parameter", func(l *pathLine) *string { return &l.Parameter }),
		parameterValue("parameter_value"),
		long("evaluations", func(l *pathLine) *int64 { return &l.Evaluations }),
		seconds("seconds", func(l *pathLine) *float64 { return &l.Seconds }),
		flag("best", func(l *pathLine) *bool { return &l.Best }),
	)
}

// storedPathColumns are those of a file. Older ones have a column epsilon, of which parameter it was they do not say.
func storedPathColumns(f *parquet.File) []column[pathLine] {
	columns := pathColumns()
	if f.Root().Column("epsilon") == nil {
		return columns
	}
	at := slices.IndexFunc(columns, func(c column[pathLine]) bool { return c.name == "parameter" })
	return slices.Replace(columns, at, at+2, parameterValue("epsilon"))
}

// parameterValue is a column in which the 0 of points without a parameter is NULL.
func parameterValue(name string) column[pathLine] {
	c := double(name, func(l *pathLine) *float64 { return &l.ParameterValue })
	get, set := c.get, c.set
	c.get = func(l *pathLine) parquet.Value {
		if l.Parameter == "" && l.ParameterValue == 0 {
			return parquet.NullValue()
		}
		return get(l)
	}
	c.set = func(l *pathLine, v parquet.Value, t *texts) {
		if l.ParameterValue = 0; !v.IsNull() {
			set(l, v, t)
		}
	}
	return c
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
		double("weight", func(l *predictionLine) *float64 { return &l.weight }),
		since(3, double("margin", func(l *predictionLine) *float64 { return &l.margin })),
		since(3, double("log_probability", func(l *predictionLine) *float64 { return &l.logProbability })),
	)
}

// factColumns are columns of results.parquet, too: facts are most of that file, and few of them are ever looked at.
func factColumns() []column[factLine] {
	return append(keyColumns(func(l *factLine) *key { return &l.key }),
		document(factsColumn, func(l *factLine) *[]data.Fact { return &l.facts }, parseFacts),
	)
}

// What is not known of predictions that were made elsewhere.
func imported(r *Row) bool         { return r.Imported() }
func unknownSelection(r *Row) bool { return r.Imported() && !r.has("selected") }
func unknownNonzero(r *Row) bool   { return r.Imported() && !r.has("nonzero") }

// has tells whether the final model has a metric over all outputs.
func (r *Row) has(metric string) bool {
	_, ok := r.Metric(metric)
	return ok
}

// rowColumns are the columns of results.parquet in their order. Facts are written only: Tables reads them by factColumns.
func rowColumns(own ownColumns) []column[Row] {
	return slices.Concat([]column[Row]{
		integer("schema_version", func(r *Row) *int32 { return &r.Schema }),
		text("experiment", func(r *Row) *string { return &r.Experiment }),
		text("dataset", func(r *Row) *string { return &r.Dataset }),
		optionalText("family", func(r *Row) *string { return &r.Family }),
		optionalText("task", func(r *Row) *string { return &r.Task }),
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
		unless(unknownSelection, integer("selected", func(r *Row) *int32 { return &r.Features })),
		text("selected_digest", func(r *Row) *string { return &r.SelectedSum }),
		long("rows_train", func(r *Row) *int64 { return &r.RowsTrain }),
		long("rows_test", func(r *Row) *int64 { return &r.RowsTest }),
		long("columns", func(r *Row) *int64 { return &r.Columns }),
		unless(imported, seconds("seconds_fit", func(r *Row) *float64 { return &r.SecondsFit })),
		unless(imported, seconds("seconds_predict", func(r *Row) *float64 { return &r.SecondsPredict })),
		double("cpu_seconds", func(r *Row) *float64 { return &r.CPUSeconds }),
		moment("started", func(r *Row) *time.Time { return &r.Started }),
		text("machine", func(r *Row) *string { return &r.Machine }),
		text("version", func(r *Row) *string { return &r.Version }),
		text("commit", func(r *Row) *string { return &r.Commit }),
		flag("dirty", func(r *Row) *bool { return &r.Dirty }),
		integer("revision", func(r *Row) *int32 { return &r.Revision }),
		text("unit", func(r *Row) *string { return &r.Unit }),
		integer("attempts", func(r *Row) *int32 { return &r.Attempts }),
		unless(unknownNonzero, integer("nonzero", func(r *Row) *int32 { return &r.Nonzero })),
		duration("limit_seconds", func(r *Row) *time.Duration { return &r.Limit }),
		optionalText("stop", func(r *Row) *string { return &r.Stop }),
		flag("optimistic", func(r *Row) *bool { return &r.Optimistic }),
		document("notes", func(r *Row) *[]string { return &r.Notes }, parseTexts),
		document("prepared", func(r *Row) *[]data.Fact { return &r.Prepared }, parseFacts),
		document(factsColumn, func(r *Row) *[]data.Fact { return &r.Facts }, parseFacts),
	})
}
