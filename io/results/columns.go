package results

import (
	"slices"
	"time"

	"github.com/parquet-go/parquet-go"

	"tenfold/engines/data"
	"tenfold/io/flat"
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

// key identifies the unit that a line of the long tables belongs to.
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
		stringColumn("cell", func(r *R) *string { return &at(r).Cell }),
		int32Column("repeat", func(r *R) *int32 { return &at(r).Repeat }),
		int32Column("fold", func(r *R) *int32 { return &at(r).Fold }),
	}
}

func metricColumns() []column[metricLine] {
	return append(keyColumns(func(l *metricLine) *key { return &l.key }),
		optionalText("output", func(l *metricLine) *string { return &l.Output }),
		ordinalColumn("point", func(l *metricLine) *int32 { return &l.Point }),
		stringColumn("metric", func(l *metricLine) *string { return &l.Metric }),
		floatColumn("value", func(l *metricLine) *float64 { return &l.Value }),
	)
}

func selectionColumns() []column[selectionLine] {
	return slices.Concat(keyColumns(func(l *selectionLine) *key { return &l.key }), []column[selectionLine]{
		ordinalColumn("rank", func(l *selectionLine) *int32 { return &l.Rank }),
		stringColumn("feature", func(l *selectionLine) *string { return &l.Feature }),
		optionalText("class", func(l *selectionLine) *string { return &l.Class }),
		optionalText("unit", func(l *selectionLine) *string { return &l.Unit }),
		boolColumn("kept", func(l *selectionLine) *bool { return &l.Kept }),
		optionalText("output", func(l *selectionLine) *string { return &l.Output }),
		floatColumn("coefficient", func(l *selectionLine) *float64 { return &l.Coefficient }),
		floatColumn("score", func(l *selectionLine) *float64 { return &l.Selected.Score }),
		bitsColumn("bits_saved", func(b *Bits) *float64 { return &b.Saved }),
		bitsColumn("bits_refined", func(b *Bits) *float64 { return &b.Refined }),
		bitsColumn("bits_class", func(b *Bits) *float64 { return &b.Class }),
		bitsColumn("bits_index", func(b *Bits) *float64 { return &b.Index }),
		bitsColumn("bits_subset", func(b *Bits) *float64 { return &b.Subset }),
		bitsColumn("bits_coefficient", func(b *Bits) *float64 { return &b.Coefficient }),
	})
}

// bitsColumn returns a column of ledgers, NULL for features without one.
func bitsColumn(name string, at func(*Bits) *float64) column[selectionLine] {
	c := nullWhere(func(l *selectionLine) bool { return l.Bits == nil }, floatColumn(name, func(l *selectionLine) *float64 { return at(l.Bits) }))
	set := c.set
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
		int64Column("step", func(l *pathLine) *int64 { return &l.Step }),
		int32Column("nonzero", func(l *pathLine) *int32 { return &l.Nonzero }),
		floatColumn("train_error", func(l *pathLine) *float64 { return &l.TrainError }),
		floatColumn("test_error", func(l *pathLine) *float64 { return &l.TestError }),
		optionalText("parameter", func(l *pathLine) *string { return &l.Parameter }),
		parameterValue(),
		int64Column("evaluations", func(l *pathLine) *int64 { return &l.Evaluations }),
		secondsColumn("seconds", func(l *pathLine) *float64 { return &l.Seconds }),
		boolColumn("best", func(l *pathLine) *bool { return &l.Best }),
	)
}

// parameterValue returns the column in which the 0 of points without a parameter is NULL.
func parameterValue() column[pathLine] {
	return nullWhere(func(l *pathLine) bool { return l.Parameter == "" && l.ParameterValue == 0 },
		valueColumn("parameter_value", flat.Number(), func(l *pathLine) *float64 { return &l.ParameterValue }, 0, flat.NumberValue, parquet.Value.Double))
}

// predictionColumns returns the columns of predictions. Truth and prediction are numbers, for classes the index of the level, whose
// name is in the label columns.
func predictionColumns() []column[predictionLine] {
	return append(keyColumns(func(l *predictionLine) *key { return &l.key }),
		stringColumn("row", func(l *predictionLine) *string { return &l.row }),
		optionalText("group", func(l *predictionLine) *string { return &l.group }),
		optionalText("output", func(l *predictionLine) *string { return &l.output }),
		floatColumn("truth", func(l *predictionLine) *float64 { return &l.truth }),
		floatColumn("prediction", func(l *predictionLine) *float64 { return &l.prediction }),
		floatColumn("score", func(l *predictionLine) *float64 { return &l.score }),
		optionalText("truth_label", func(l *predictionLine) *string { return &l.truthLabel }),
		optionalText("prediction_label", func(l *predictionLine) *string { return &l.predictionLabel }),
		floatColumn("weight", func(l *predictionLine) *float64 { return &l.weight }),
		floatColumn("margin", func(l *predictionLine) *float64 { return &l.margin }),
		floatColumn("log_probability", func(l *predictionLine) *float64 { return &l.logProbability }),
	)
}

// factColumns returns columns that results.parquet has as well: facts are most of that file, and few of them are ever read.
func factColumns() []column[factLine] {
	return append(keyColumns(func(l *factLine) *key { return &l.key }),
		jsonColumn(factsColumn, func(l *factLine) *[]data.Fact { return &l.facts }, parseFacts),
	)
}

// Unknown for predictions that were made elsewhere.
func isImported(r *Row) bool       { return r.Imported() }
func unknownSelection(r *Row) bool { return r.Imported() && !r.hasOverall("selected") }
func unknownNonzero(r *Row) bool   { return r.Imported() && !r.hasOverall("nonzero") }

// hasOverall reports whether the final model has a value of the metric over all outputs.
func (r *Row) hasOverall(metric string) bool {
	_, ok := r.Metric(metric)
	return ok
}

// rowColumns returns the columns of results.parquet in their order. Facts are written only: Tables reads them by factColumns.
func rowColumns(own ownColumns) []column[Row] {
	return slices.Concat([]column[Row]{
		int32Column("schema_version", func(r *Row) *int32 { return &r.Schema }),
		stringColumn("experiment", func(r *Row) *string { return &r.Experiment }),
		stringColumn("dataset", func(r *Row) *string { return &r.Dataset }),
		optionalText("family", func(r *Row) *string { return &r.Family }),
		optionalText("task", func(r *Row) *string { return &r.Task }),
		stringColumn("algorithm", func(r *Row) *string { return &r.Algorithm }),
		stringColumn("engine", func(r *Row) *string { return &r.Engine }),
		stringColumn("cell", func(r *Row) *string { return &r.Cell }),
		stringColumn("params", func(r *Row) *string { return &r.Params }),
	}, own.paramColumns(), []column[Row]{
		int32Column("repeat", func(r *Row) *int32 { return &r.Repeat }),
		int32Column("fold", func(r *Row) *int32 { return &r.Fold }),
		stringColumn("fold_digest", func(r *Row) *string { return &r.FoldDigest }),
		stringColumn("dataset_digest", func(r *Row) *string { return &r.DatasetDigest }),
		int64Column("seed", func(r *Row) *int64 { return &r.Seed }),
		stringColumn("status", func(r *Row) *string { return (*string)(&r.Status) }),
		optionalText("error", func(r *Row) *string { return &r.Error }),
	}, own.metricColumns(), []column[Row]{
		nullWhere(unknownSelection, int32Column("selected", func(r *Row) *int32 { return &r.Features })),
		stringColumn("selected_digest", func(r *Row) *string { return &r.SelectedSum }),
		int64Column("rows_train", func(r *Row) *int64 { return &r.RowsTrain }),
		int64Column("rows_test", func(r *Row) *int64 { return &r.RowsTest }),
		int64Column("columns", func(r *Row) *int64 { return &r.Columns }),
		nullWhere(isImported, secondsColumn("seconds_fit", func(r *Row) *float64 { return &r.SecondsFit })),
		nullWhere(isImported, secondsColumn("seconds_predict", func(r *Row) *float64 { return &r.SecondsPredict })),
		floatColumn("cpu_seconds", func(r *Row) *float64 { return &r.CPUSeconds }),
		timeColumn("started", func(r *Row) *time.Time { return &r.Started }),
		stringColumn("machine", func(r *Row) *string { return &r.Machine }),
		stringColumn("version", func(r *Row) *string { return &r.Version }),
		stringColumn("commit", func(r *Row) *string { return &r.Commit }),
		boolColumn("dirty", func(r *Row) *bool { return &r.Dirty }),
		int32Column("revision", func(r *Row) *int32 { return &r.Revision }),
		stringColumn("unit", func(r *Row) *string { return &r.Unit }),
		int32Column("attempts", func(r *Row) *int32 { return &r.Attempts }),
		nullWhere(unknownNonzero, int32Column("nonzero", func(r *Row) *int32 { return &r.Nonzero })),
		durationColumn("limit_seconds", func(r *Row) *time.Duration { return &r.Limit }),
		optionalText("stop", func(r *Row) *string { return &r.Stop }),
		boolColumn("optimistic", func(r *Row) *bool { return &r.Optimistic }),
		jsonColumn("notes", func(r *Row) *[]string { return &r.Notes }, parseTexts),
		jsonColumn("prepared", func(r *Row) *[]data.Fact { return &r.Prepared }, parseFacts),
		jsonColumn(factsColumn, func(r *Row) *[]data.Fact { return &r.Facts }, parseFacts),
	})
}
