package score

import (
	"context"
	"fmt"
	"testing"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/prepare"
	"tenfold/io/results"
)

// chosen is a model with given coefficients.
type chosen struct {
	outputs int
	coefs   []engines.Coef
}

func (m chosen) Outputs() int                          { return m.outputs }
func (m chosen) Coefs() []engines.Coef                 { return m.coefs }
func (m chosen) Predict(dst []float64, in data.Inputs) { clear(dst) }

func TestMeetingTheTruth(t *testing.T) {
	d := enginetest.Dataset(enginetest.Matrix([]float64{1, 1, 0, 1, 1}, []float64{1, 0, 0, 1, 2}),
		enginetest.Real("y", 1, 2), enginetest.Class("z", 2, 0, 1), enginetest.Real("w", 3, 4))
	d.Truth = []data.True{{Feature: 0, Target: 0, Value: 1}, {Feature: 2, Target: 0, Value: 1}, {Feature: 0, Target: 1, Value: 1}, {Feature: 4, Target: 2, Value: 1}}
	p, err := prepare.Recipe{Cutoff: 1}.Fit(d, nil) // column 2 is left out: it is true, and cannot be found
	if err != nil {
		t.Fatal(err)
	}
	view := p.View(nil)
	// Outputs are y, z=l0, z=l1, w: two coefficients of z on one column are one.
	m := chosen{4, []engines.Coef{{Feature: 0, Output: 0}, {Feature: 1, Output: 0}, {Feature: 0, Output: 1}, {Feature: 0, Output: 2}}}
	outputs, err := Predict(m, view, view, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := "{{2 2 1} {2 3 1}} {{1 1 1} {2 3 1}} {{0 1 0} {2 3 1}} "
	got := ""
	for _, o := range outputs {
		got += fmt.Sprint(*o.Truth) + " "
	}
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var o results.Outcome
	Add(&o, outputs, FinalPoint)
	scores := map[string]float64{}
	for _, s := range o.Scores {
		scores[s.Metric+" "+s.Output] = s.Value
	}
	for name, value := range map[string]float64{
		"coefficient_precision y": 0.5, "coefficient_precision z": 1, "coefficient_precision ": 0.75, // w has none
		"coefficient_recall ": 0.5, "feature_precision ": 0.5, "feature_recall ": 1.0 / 3,
	} {
		if got, ok := scores[name]; !ok || got != value {
			t.Errorf("%s: %v, want %v", name, got, value)
		}
	}
	for _, name := range []string{"coefficient_precision w", "feature_recall y"} {
		if v, ok := scores[name]; ok {
			t.Errorf("%s is %v, want none", name, v)
		}
	}
}

func TestOracleFindsTheTruth(t *testing.T) {
	d := enginetest.Dataset(enginetest.Random(1, 60, 9, 0.8, false), data.Target{Name: "y", Type: data.Real}, data.Target{Name: "none", Type: data.Real})
	d.Truth = []data.True{{Feature: 2, Value: 1.5}, {Feature: 5, Value: -2}}
	for i := range 60 {
		row := make([]float64, 9)
		d.X.Row(i).AddTo(row, 1)
		d.Targets[0].Values = append(d.Targets[0].Values, 7+1.5*row[2]-2*row[5])
		d.Targets[1].Values = append(d.Targets[1].Values, float64(i%2))
	}
	view := enginetest.View(d, nil)
	m, err := subset.OracleKind.Defaults().Fit(context.Background(), engines.Run{Train: view, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	outputs, err := Predict(m, view, view, 1)
	if err != nil {
		t.Fatal(err)
	}
	if s := outputs[0].Truth.Features; s.Chosen != 2 || s.Both != 2 {
		t.Errorf("support %+v", s)
	}
	for i, y := range outputs[0].Test.Truth {
		if p := outputs[0].Test.Prediction[i]; p-y > 1e-6 || y-p > 1e-6 {
			t.Fatalf("row %d: %v, want %v", i, p, y)
		}
		if p := outputs[1].Test.Prediction[i]; p != 0.5 {
			t.Fatalf("row %d: %v of a response without features, want the mean", i, p)
		}
	}
}
