package metric

import (
	"math"
	"slices"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/survival"
)

func TestOracleScores(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"scores": checkScores, "class_scores": checkClassScores, "missing_scores": checkMissingScores, "survival_scores": checkSurvivalScores, "kappa": checkKappa, "poisson_scores": checkPoissonScores})
}

func checkScores(t *testing.T, c oracle.Case) {
	var in struct {
		Y      []float64 `json:"y"`
		Yhat   []float64 `json:"yhat"`
		Labels int       `json:"n_labels"`
	}
	var opt struct {
		Beta float64 `json:"beta"`
	}
	var want struct {
		Accuracy   float64 `json:"accuracy"`
		MacroF1    float64 `json:"macro_f1"`
		MacroFbeta float64 `json:"macro_fbeta"`
		MicroF1    float64 `json:"micro_f1"`
		MicroFbeta float64 `json:"micro_fbeta"`
		PerClass   []struct {
			F1    float64 `json:"f1"`
			Fbeta float64 `json:"fbeta"`
			TP    float64 `json:"tp"`
			FP    float64 `json:"fp"`
			FN    float64 `json:"fn"`
		} `json:"per_class"`
	}
	c.Decode(t, c.Input, &in)
	c.Decode(t, c.Options, &opt)
	c.Decode(t, c.Expected, &want)
	o := &Outcome{Type: data.Class, Levels: make([]string, in.Labels), Test: Side{Truth: in.Y, Prediction: in.Yhat}}
	const tol = 1e-12
	for name, w := range map[string]float64{"accuracy": want.Accuracy, "macro_f1": want.MacroF1, "micro_f1": want.MicroF1} {
		m, _ := Find(name)
		oracle.Near(t, name, m.Score(o), w, tol)
	}
	oracle.Near(t, "micro F beta", confuse(o, &o.Test).accuracy(), want.MicroFbeta, tol)
	conf, macro := confuse(o, &o.Test), 0.0
	for k, w := range want.PerClass {
		oracle.Near(t, "tp", conf[k][k], w.TP, tol)
		oracle.Near(t, "fp", conf.column(k)-conf[k][k], w.FP, tol)
		oracle.Near(t, "fn", conf.row(k)-conf[k][k], w.FN, tol)
		oracle.Near(t, "F1", conf.f(k, 1), w.F1, tol)
		oracle.Near(t, "F beta", conf.f(k, opt.Beta), w.Fbeta, tol)
		macro += conf.f(k, opt.Beta) / float64(in.Labels)
	}
	oracle.Near(t, "macro F beta", macro, want.MacroFbeta, tol)
}

// checkClassScores checks what classes and probabilities are scored by. The Brier score of two classes is that of one of them there.
func checkClassScores(t *testing.T, c oracle.Case) {
	var in struct {
		Y, Yhat, Weights []float64
		Probabilities    [][]float64
	}
	want := map[string]*float64{} // nil: undefined
	c.Parts(t, &in, &struct{}{}, &want)
	levels := 1 + int(max(slices.Max(in.Y), slices.Max(in.Yhat)))
	if in.Probabilities != nil {
		levels = len(in.Probabilities[0])
	}
	o := &Outcome{Type: data.Class, Levels: make([]string, levels), Positive: 1, Probabilities: in.Probabilities != nil}
	o.Test = Side{Truth: in.Y, Prediction: in.Yhat, Weight: in.Weights}
	for _, row := range in.Probabilities {
		for _, p := range row {
			o.Test.Score = append(o.Test.Score, elementary.Log(p))
		}
	}
	if brier, ok := want["brier"]; ok {
		delete(want, "brier")
		if want["brier_score"] = brier; brier != nil && levels == 2 {
			*brier *= 2
		}
	}
	for name, w := range want {
		m, ok := Find(name)
		if !ok {
			t.Fatalf("no metric %s", name)
		}
		switch got := m.Score(o); {
		case w != nil:
			oracle.Near(t, name, got, *w, 1e-9)
		case got == got:
			t.Errorf("%s is %v, expected to be undefined", name, got)
		}
	}
}

// checkMissingScores checks which scores have no value, and which are infinite.
func checkMissingScores(t *testing.T, c oracle.Case) {
	var in struct {
		Classes          int
		Y, Yhat, Weights []float64
		Probabilities    [][]float64
	}
	var options struct{ Positive int }
	want := map[string]any{} // nil: none
	c.Parts(t, &in, &options, &want)
	o := &Outcome{Type: data.Class, Levels: make([]string, in.Classes), Positive: options.Positive, Probabilities: in.Probabilities != nil}
	o.Test = Side{Truth: in.Y, Prediction: in.Yhat, Weight: in.Weights}
	for _, row := range in.Probabilities {
		for _, p := range row {
			o.Test.Score = append(o.Test.Score, elementary.Log(p))
		}
	}
	for name, w := range want {
		switch name {
		case "macro_classes":
			continue
		case "brier":
			name = "brier_score"
		}
		m, ok := Find(name)
		if !ok {
			t.Errorf("no metric %s", name)
			continue
		}
		got := m.Score(o)
		switch w := w.(type) {
		case nil:
			if got == got {
				t.Errorf("%s is %v, expected none", name, got)
			}
		case string:
			if !math.IsInf(got, 1) || w != "inf" {
				t.Errorf("%s is %v, expected %s", name, got, w)
			}
		case float64:
			oracle.Near(t, name, got, w, 1e-9)
		}
	}
}

func checkSurvivalScores(t *testing.T, c oracle.Case) {
	var in struct {
		Time, Risk []float64
		Event      []int8
		TrainTime  []float64 `json:"train_time"`
		TrainEvent []int8    `json:"train_event"`
		Survival   [][]float64
		Grid       []float64
	}
	var options struct{ Tau *float64 }
	var want struct {
		Harrell    struct{ C float64 }
		Uno        float64
		Brier      []float64
		Integrated float64 `json:"integrated_brier"`
	}
	c.Parts(t, &in, &options, &want)
	oracle.Near(t, "harrell", survival.Concordance(in.Time, in.Event, in.Risk, nil, nil), want.Harrell.C, 1e-12)
	g := survival.CensoringFunction(in.TrainTime, in.TrainEvent, nil)
	o := &Outcome{Test: Side{Truth: in.Time, Events: in.Event, Prediction: in.Risk}, Train: Side{Truth: in.TrainTime, Events: in.TrainEvent}}
	if options.Tau == nil {
		oracle.Near(t, "uno", unoConcordance(o), want.Uno, 1e-12)
	} else {
		oracle.Near(t, "uno", survival.Concordance(in.Time, in.Event, in.Risk, nil, func(i int) float64 {
			if in.Time[i] >= *options.Tau || g.Before(in.Time[i]) == 0 {
				return 0
			}
			return 1 / (g.Before(in.Time[i]) * g.Before(in.Time[i]))
		}), want.Uno, 1e-12)
	}
	for k, time := range in.Grid {
		brier := survival.Brier(in.Time, in.Event, nil, g, time, func(i int) float64 { return in.Survival[k][i] })
		oracle.Near(t, "brier", brier, want.Brier[k], 1e-12)
	}
	integral := 0.0
	for k := 1; k < len(in.Grid); k++ {
		integral += (in.Grid[k] - in.Grid[k-1]) * (want.Brier[k-1] + want.Brier[k]) / 2
	}
	oracle.Near(t, "integrated_brier", integral/(in.Grid[len(in.Grid)-1]-in.Grid[0]), want.Integrated, 1e-12)
}

// checkPoissonScores checks what counts are scored by, and which scores have no value or are infinite.
func checkPoissonScores(t *testing.T, c oracle.Case) {
	var in struct{ Y, Mu, Exposure, Weights []float64 }
	want := map[string]any{} // nil: none
	c.Parts(t, &in, &struct{}{}, &want)
	o := &Outcome{Type: data.Count, Test: Side{Truth: in.Y, Prediction: in.Mu, Exposure: in.Exposure, Weight: in.Weights}}
	delete(want, "null_deviance")
	for name, w := range want {
		m, ok := Find(name)
		if !ok || !m.Takes(data.Count) {
			t.Fatalf("no metric %s of counts", name)
		}
		got := m.Score(o)
		switch w := w.(type) {
		case nil:
			if got == got {
				t.Errorf("%s is %v, expected none", name, got)
			}
		case string:
			if sign := map[string]int{"inf": 1, "-inf": -1}[w]; !math.IsInf(got, sign) {
				t.Errorf("%s is %v, expected %s", name, got, w)
			}
		case float64:
			oracle.Near(t, name, got, w, 1e-9)
		}
	}
}
