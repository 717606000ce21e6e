package results

import (
	"slices"
	"time"

	"github.com/parquet-go/parquet-go"

	"tenfold/engines/data"
	"tenfold/io/flat"
	"tenfold/io/sealed"
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
		positive                    string
	}
)

func keyColumns[R any](field func(*R) *key) []sealed.Column[R] {
	return []sealed.Column[R]{
		sealed.String("cell", func(r *R) *string { return &field(r).Cell }),
		sealed.Int32("repeat", func(r *R) *int32 { return &field(r).Repeat }),
		sealed.Int32("fold", func(r *R) *int32 { return &field(r).Fold }),
	}
}

func metricColumns() []sealed.Column[metricLine] {
	return append(keyColumns(func(l *metricLine) *key { return &l.key }),
		sealed.OptionalText("output", func(l *metricLine) *string { return &l.Output }),
		sealed.Ordinal("point", func(l *metricLine) *int32 { return &l.Point }),
		sealed.String("metric", func(l *metricLine) *string { return &l.Metric }),
		sealed.Float("value", func(l *metricLine) *float64 { return &l.Value }),
	)
}

func selectionColumns() []sealed.Column[selectionLine] {
	return slices.Concat(keyColumns(func(l *selectionLine) *key { return &l.key }), []sealed.Column[selectionLine]{
		sealed.Ordinal("rank", func(l *selectionLine) *int32 { return &l.Rank }),
		sealed.String("feature", func(l *selectionLine) *string { return &l.Feature }),
		sealed.OptionalText("class", func(l *selectionLine) *string { return &l.Class }),
		sealed.OptionalText("unit", func(l *selectionLine) *string { return &l.Unit }),
		sealed.Bool("kept", func(l *selectionLine) *bool { return &l.Kept }),
		sealed.OptionalText("output", func(l *selectionLine) *string { return &l.Output }),
		sealed.Float("coefficient", func(l *selectionLine) *float64 { return &l.Coefficient }),
		sealed.Float("score", func(l *selectionLine) *float64 { return &l.Selected.Score }),
		bitsColumn("bits_saved", func(b *Bits) *float64 { return &b.Saved }),
		bitsColumn("bits_refined", func(b *Bits) *float64 { return &b.Refined }),
		bitsColumn("bits_class", func(b *Bits) *float64 { return &b.Class }),
		bitsColumn("bits_index", func(b *Bits) *float64 { return &b.Index }),
		bitsColumn("bits_subset", func(b *Bits) *float64 { return &b.Subset }),
		bitsColumn("bits_coefficient", func(b *Bits) *float64 { return &b.Coefficient }),
	})
}

// bitsColumn returns a column of ledgers, NULL for features without one.
func bitsColumn(name string, field func(*Bits) *float64) sealed.Column[selectionLine] {
	c := sealed.NullWhere(func(l *selectionLine) bool { return l.Bits == nil }, sealed.Float(name, func(l *selectionLine) *float64 { return field(l.Bits) }))
	set := c.Set
	c.Set = func(l *selectionLine, v parquet.Value, t *sealed.Texts) {
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

func pathColumns() []sealed.Column[pathLine] {
	return append(keyColumns(func(l *pathLine) *key { return &l.key }),
		sealed.Int64("step", func(l *pathLine) *int64 { return &l.Step }),
		sealed.Int32("nonzero", func(l *pathLine) *int32 { return &l.Nonzero }),
		sealed.Float("train_error", func(l *pathLine) *float64 { return &l.TrainError }),
		sealed.Float("test_error", func(l *pathLine) *float64 { return &l.TestError }),
		sealed.OptionalText("parameter", func(l *pathLine) *string { return &l.Parameter }),
		parameterValue(),
		sealed.Int64("evaluations", func(l *pathLine) *int64 { return &l.Evaluations }),
		sealed.Seconds("seconds", func(l *pathLine) *float64 { return &l.Seconds }),
		sealed.Bool("best", func(l *pathLine) *bool { return &l.Best }),
	)
}

// parameterValue returns the column in which the 0 of points without a parameter is NULL.
func parameterValue() sealed.Column[pathLine] {
	return sealed.NullWhere(func(l *pathLine) bool { return l.Parameter == "" && l.ParameterValue == 0 },
		sealed.Value("parameter_value", flat.Number(), func(l *pathLine) *float64 { return &l.ParameterValue }, 0, flat.NumberValue, parquet.Value.Double))
}

// predictionColumns returns the columns of predictions. Truth and prediction are numbers, for classes the index of the level, whose
// name is in the label columns.
func predictionColumns() []sealed.Column[predictionLine] {
	return append(keyColumns(func(l *predictionLine) *key { return &l.key }),
		sealed.String("row", func(l *predictionLine) *string { return &l.row }),
		sealed.OptionalText("group", func(l *predictionLine) *string { return &l.group }),
		sealed.OptionalText("output", func(l *predictionLine) *string { return &l.output }),
		sealed.Float("truth", func(l *predictionLine) *float64 { return &l.truth }),
		sealed.Float("prediction", func(l *predictionLine) *float64 { return &l.prediction }),
		sealed.Float("score", func(l *predictionLine) *float64 { return &l.score }),
		sealed.OptionalText("truth_label", func(l *predictionLine) *string { return &l.truthLabel }),
		sealed.OptionalText("prediction_label", func(l *predictionLine) *string { return &l.predictionLabel }),
		sealed.Float("weight", func(l *predictionLine) *float64 { return &l.weight }),
		sealed.Float("margin", func(l *predictionLine) *float64 { return &l.margin }),
		sealed.Float("log_probability", func(l *predictionLine) *float64 { return &l.logProbability }),
		sealed.OptionalText("positive", func(l *predictionLine) *string { return &l.positive }),
	)
}

// factColumns returns columns that results.parquet has as well: facts are most of that file, and few of them are ever read.
func factColumns() []sealed.Column[factLine] {
	return append(keyColumns(func(l *factLine) *key { return &l.key }),
		sealed.JSON(factsColumn, func(l *factLine) *[]data.Fact { return &l.facts }, parseFacts),
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
func rowColumns(varying ownColumns) []sealed.Column[Row] {
	return slices.Concat([]sealed.Column[Row]{
		sealed.Int32("schema_version", func(r *Row) *int32 { return &r.Schema }),
		sealed.String("experiment", func(r *Row) *string { return &r.Experiment }),
		sealed.String("dataset", func(r *Row) *string { return &r.Dataset }),
		sealed.OptionalText("family", func(r *Row) *string { return &r.Family }),
		sealed.OptionalText("task", func(r *Row) *string { return &r.Task }),
		sealed.String("algorithm", func(r *Row) *string { return &r.Algorithm }),
		sealed.String("engine", func(r *Row) *string { return &r.Engine }),
		sealed.String("cell", func(r *Row) *string { return &r.Cell }),
		sealed.String("params", func(r *Row) *string { return &r.Params }),
	}, varying.paramColumns(), []sealed.Column[Row]{
		sealed.Int32("repeat", func(r *Row) *int32 { return &r.Repeat }),
		sealed.Int32("fold", func(r *Row) *int32 { return &r.Fold }),
		sealed.String("fold_digest", func(r *Row) *string { return &r.FoldDigest }),
		sealed.String("dataset_digest", func(r *Row) *string { return &r.DatasetDigest }),
		sealed.Int64("seed", func(r *Row) *int64 { return &r.Seed }),
		sealed.String("status", func(r *Row) *string { return (*string)(&r.Status) }),
		sealed.OptionalText("error", func(r *Row) *string { return &r.Error }),
	}, varying.metricColumns(), []sealed.Column[Row]{
		sealed.NullWhere(unknownSelection, sealed.Int32("selected", func(r *Row) *int32 { return &r.Features })),
		sealed.String("selected_digest", func(r *Row) *string { return &r.SelectedSum }),
		sealed.Int64("rows_train", func(r *Row) *int64 { return &r.RowsTrain }),
		sealed.Int64("rows_test", func(r *Row) *int64 { return &r.RowsTest }),
		sealed.Int64("columns", func(r *Row) *int64 { return &r.Columns }),
		sealed.NullWhere(isImported, sealed.Seconds("seconds_fit", func(r *Row) *float64 { return &r.SecondsFit })),
		sealed.NullWhere(isImported, sealed.Seconds("seconds_predict", func(r *Row) *float64 { return &r.SecondsPredict })),
		sealed.Float("cpu_seconds", func(r *Row) *float64 { return &r.CPUSeconds }),
		sealed.Time("started", func(r *Row) *time.Time { return &r.Started }),
		sealed.String("machine", func(r *Row) *string { return &r.Machine }),
		sealed.String("version", func(r *Row) *string { return &r.Version }),
		sealed.String("commit", func(r *Row) *string { return &r.Commit }),
		sealed.Bool("dirty", func(r *Row) *bool { return &r.Dirty }),
		sealed.Int32("revision", func(r *Row) *int32 { return &r.Revision }),
		sealed.String("unit", func(r *Row) *string { return &r.Unit }),
		sealed.Int32("attempts", func(r *Row) *int32 { return &r.Attempts }),
		sealed.NullWhere(unknownNonzero, sealed.Int32("nonzero", func(r *Row) *int32 { return &r.Nonzero })),
		sealed.Duration("limit_seconds", func(r *Row) *time.Duration { return &r.Limit }),
		sealed.OptionalText("stop", func(r *Row) *string { return &r.Stop }),
		sealed.Bool("optimistic", func(r *Row) *bool { return &r.Optimistic }),
		sealed.JSON("notes", func(r *Row) *[]string { return &r.Notes }, parseTexts),
		sealed.JSON("prepared", func(r *Row) *[]data.Fact { return &r.Prepared }, parseFacts),
		sealed.JSON(factsColumn, func(r *Row) *[]data.Fact { return &r.Facts }, parseFacts),
	})
}
