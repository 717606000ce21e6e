package figure

import (
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/drawing"
)

// A live chart says what is at each place of a path, as far as places can be told apart; a file has nothing of it.
func TestReadings(t *testing.T) {
	var points []results.Point
	for i := range int64(5000) {
		points = append(points, results.Point{Step: 10 * i, Nonzero: int32(i), TrainError: 2 / float64(i+1), TestError: 3 / float64(i+1), Best: i == 4000})
	}
	cell := &cells.Cell{Algorithm: "a <b>", Folds: 1}
	chart := PathOf(cell, &results.Row{}, points, true)
	var live, file bytes.Buffer
	if err := chart.Live(&live); err != nil {
		t.Fatal(err)
	}
	if err := chart.SVG(&file); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(file.String(), "reading") || !strings.Contains(file.String(), "<style>") {
		t.Error("a file has readings, or lacks its style")
	}
	text := live.String()
	if n := strings.Count(text, `<g class="reading">`); n < 200 || n > 400 {
		t.Errorf("%d readings", n)
	}
	for _, want := range []string{"step 0 · training error 2 · test error 3 · non-zero 0<", "step 49,", `<g class="readings">`} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q", want)
		}
	}
	if strings.Contains(text, "<style>") || strings.Contains(text, "style=") || strings.Contains(text, "<b>") {
		t.Error("a page's policy forbids what is in it")
	}
	for d := xml.NewDecoder(&live); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// Test errors that only the start has are no curve, and the axis says what the errors of a fit are.
func TestPathWithoutTestErrors(t *testing.T) {
	nan := math.NaN()
	points := []results.Point{{TrainError: 7, TestError: 71}, {Step: 1, Nonzero: 3, TrainError: 4, TestError: nan}}
	cell := &cells.Cell{Algorithm: "lasso", Folds: 1}
	row := &results.Row{}
	body := PathOf(cell, row, points, true).Body.(*drawing.Curves)
	if len(body.Series) != 2 || body.Left.Label != "mean squared error" || strings.Contains(body.Readings[0].Text, "test error") {
		t.Errorf("%d series, %q, %q", len(body.Series), body.Left.Label, body.Readings[0].Text)
	}
	row.Scores = []results.Score{{Metric: "log_loss", Point: -1, Value: nan}}
	if got := PathOf(cell, row, points, true).Body.(*drawing.Curves).Left.Label; got != "mean squared error" {
		t.Errorf("a model without probabilities: %q", got)
	}
	row.Scores[0].Value = 0.5
	if got := PathOf(cell, row, points, true).Body.(*drawing.Curves).Left.Label; got != "mean negative log-likelihood" {
		t.Errorf("a model with probabilities: %q", got)
	}
}
