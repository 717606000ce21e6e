package survival

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"tenfold/engines/numeric/exact"
)

// measured is what R 4.2.2 with survival 3.5.3 says: testdata/measures.R.
type measured struct {
	TrainTime       []float64 `json:"train_time"`
	TrainEvent      []int8    `json:"train_event"`
	Time            []float64 `json:"time"`
	Event           []int8    `json:"event"`
	Risk            []float64 `json:"risk"`
	Group           []int     `json:"group"`
	At              []float64 `json:"at"`
	AUC             []float64 `json:"auc"`
	Horizon         float64   `json:"horizon"`
	IntegratedAUC   float64   `json:"integrated_auc"`
	LogRank         float64   `json:"logrank"`
	Eta             []float64 `json:"eta"`
	BaseTime        []float64 `json:"base_time"`
	BaseHazard      []float64 `json:"base_hazard"`
	Brier           []float64 `json:"brier"`
	IntegratedBrier float64   `json:"integrated_brier"`
	Calibration     []float64 `json:"calibration"`
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*max(1, math.Abs(want))) {
		t.Errorf("%s: %.17g, want %.17g", what, got, want)
	}
}

func TestMeasures(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/measures.json")
	if err != nil {
		t.Fatal(err)
	}
	var m measured
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	k := KnownOf(m.TrainTime, m.TrainEvent, nil, &Baseline{Time: exact.Floats(m.BaseTime), Hazard: exact.Floats(m.BaseHazard)})
	near(t, "horizon", k.Horizon, m.Horizon, 0)
	for q, at := range m.At {
		near(t, "AUC", AUC(m.Time, m.Event, nil, k.Censoring, at, m.Risk), m.AUC[q], 1e-12)
		near(t, "Brier", Brier(m.Time, m.Event, nil, k.Censoring, at, func(i int) float64 { return k.Baseline.Survival(at, m.Eta[i]) }), m.Brier[q], 1e-12)
		near(t, "calibration", k.Miscalibration(m.Time, m.Event, nil, m.Eta, at), m.Calibration[q], 1e-12)
	}
	near(t, "integrated AUC", IntegratedAUC(m.Time, m.Event, nil, k.Censoring, k.Horizon, m.Risk), m.IntegratedAUC, 1e-12)
	sum := 0.0
	for _, loss := range k.BrierLosses(m.Time, m.Event, m.Eta) {
		sum += loss / float64(len(m.Time))
	}
	near(t, "integrated Brier", sum, m.IntegratedBrier, 1e-12)
	chi2, degrees := LogRank(m.Time, m.Event, m.Group, 3)
	near(t, "log-rank", chi2, m.LogRank, 1e-10)
	if degrees != 2 {
		t.Errorf("%d degrees of freedom", degrees)
	}
}

// What cannot be said is no number: no case, no control, no baseline, a time that no row reaches, one group.
func TestUndefinedMeasures(t *testing.T) {
	t.Parallel()
	times, events, risk := []float64{1, 2, 3, 4}, []int8{1, 0, 1, 0}, []float64{3, 1, 2, 0}
	k := KnownOf(times, events, nil, nil)
	for name, v := range map[string]float64{
		"no case":          AUC(times, events, nil, k.Censoring, 0.5, risk),
		"no control":       AUC(times, events, nil, k.Censoring, 4, risk),
		"no event":         IntegratedAUC(times, []int8{0, 0, 0, 0}, nil, k.Censoring, 4, risk),
		"no baseline":      k.Miscalibration(times, events, nil, risk, 2),
		"beyond all times": KnownOf([]float64{1, 9}, []int8{1, 1}, nil, &Baseline{}).Miscalibration(times, events, nil, risk, 5),
	} {
		if !math.IsNaN(v) {
			t.Errorf("%s: %v", name, v)
		}
	}
	if chi2, _ := LogRank(times, events, make([]int, 4), 1); !math.IsNaN(chi2) {
		t.Errorf("one group: %v", chi2)
	}
	if k.BrierLosses(times, events, risk) != nil {
		t.Error("Brier losses without a baseline")
	}
	// Weights count as rows.
	g := KnownOf(times, events, nil, nil).Censoring
	twice := AUC([]float64{1, 2, 3, 4, 1}, []int8{1, 0, 1, 0, 1}, nil, g, 2.5, []float64{3, 1, 2, 0, 3})
	near(t, "weights", AUC(times, events, []float64{2, 1, 1, 1}, g, 2.5, risk), twice, 1e-15)
}
