package laws

import (
	"fmt"

	"tenfold/engines/data"
)

// lawsOfData returns the laws about data that occur in practice and break programs.
func lawsOfData() []law {
	return []law{
		{name: "order", expects: "training rows in another order give the same predictions, or columns, within 1 % of their spread", judge: judgeOrder},
		{name: "selection", expects: "predictions depend on selected columns alone", judge: judgeSelection},
		{name: "coefficients", expects: "coefficients and predictions are of one model", judge: judgeCoefficients},
		{name: "constant", expects: "a column of one value is no reason to fail", judge: func(t *trial) (Verdict, string) {
			return t.manages(t.rows.withColumn("one", func(int) float64 { return 1 }).withColumn("none", func(int) float64 { return 0 }))
		}},
		{name: "duplicates", expects: "equal columns are no reason to fail", judge: func(t *trial) (Verdict, string) {
			return t.manages(t.rows.withColumn("x0 again", func(i int) float64 { return t.rows.x[i][0] }).withColumn("x0 a third time", func(i int) float64 { return t.rows.x[i][0] }))
		}},
		{name: "sparse", expects: "a matrix of which most is not stored, with more columns than rows, is no reason to fail", judge: func(t *trial) (Verdict, string) {
			return t.manages(newTable(t.method, t.response, 3, usualRows, usualTests, 2*usualRows, 0.1, len(t.rows.levels)))
		}},
		{name: "scale", expects: "columns of very different size have finite answers, and classes that can be told apart without a mistake", judge: judgeScale},
		{name: "rare", expects: "a level with one training row is no reason to fail", judge: func(t *trial) (Verdict, string) { return t.withRare(1) }},
		{name: "absent", expects: "a level without a training row is predicted as the others are", judge: func(t *trial) (Verdict, string) { return t.withRare(0) }},
		{name: "levels", expects: "three levels are no reason to fail", judge: judgeLevels},
		{name: "responses", expects: "several responses are no reason to fail, with tasks: true", judge: judgeResponses},
		{name: "empty", expects: "no rows to predict have no predictions", judge: judgeEmpty},
	}
}

// manages reports whether the method fits and predicts the rows.
func (t *trial) manages(rows table) (Verdict, string) {
	a, failed := t.fitTable(rows, way{})
	if failed != "" {
		return Fails, failed
	}
	return Passes, fmt.Sprintf("%d of %d columns selected", len(a.selected()), len(rows.names))
}

func judgeScale(t *trial) (Verdict, string) {
	if t.method.Binary {
		return Skipped, "its columns are 0 and 1"
	}
	size := []float64{1e6, 1, 1e-6}
	if t.method.Counts {
		size = []float64{1000, 1, 10}
	}
	scaled := t.rows.changed(func(_, j int, v float64) float64 { return v * size[j%len(size)] })
	if t.response == data.Class {
		scaled.y = make([]float64, len(t.rows.y))
		for i, row := range t.rows.x {
			scaled.y[i] = t.rows.level(row, 0)
		}
	}
	return t.manages(scaled)
}

// withRare tries a table of three levels, of which the last has n training rows.
func (t *trial) withRare(n int) (Verdict, string) {
	if t.response != data.Class {
		return Skipped, "numbers have no levels"
	}
	rows := t.rows
	rows.levels = append([]string{}, t.rows.levels...)
	rows.y = append([]float64{}, t.rows.y...)
	rows.levels = append(rows.levels, "rare")
	rare := float64(len(rows.levels) - 1)
	for i := range n {
		rows.y[i] = rare
	}
	rows.y[usualRows] = rare // a test row has it
	return t.manages(rows)
}

func judgeLevels(t *trial) (Verdict, string) {
	if t.response != data.Class {
		return Skipped, "numbers have no levels"
	}
	_, failed := t.fitTable(newTable(t.method, t.response, 4, usualRows, usualTests, usualColumns, 0.9, 3), way{})
	if failed != "" {
		return Noted, failed + " (multiclass: one-vs-rest beside the engine makes a model a level)"
	}
	return Passes, "three levels"
}

func judgeResponses(t *trial) (Verdict, string) {
	if !t.method.Tasks {
		return Skipped, "it takes one response"
	}
	rows := t.rows
	rows.another = make([]float64, len(rows.y))
	for i := range rows.y {
		rows.another[i] = rows.y[len(rows.y)-1-i]
	}
	return t.manages(rows)
}

func judgeEmpty(t *trial) (Verdict, string) {
	if !t.answersRows() {
		return Skipped, "it is not asked for predictions"
	}
	rows := t.rows
	rows.x, rows.y, rows.tests = rows.x[:usualRows], rows.y[:usualRows], 0
	return t.manages(rows)
}
