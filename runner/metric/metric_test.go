package metric

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/suggest"
	"tenfold/io/results"
)

// The expected values of the two-class case were computed by hand from its confusion matrix: 3 true positives, 1 false
// negative, 2 false positives, 4 true negatives.
func TestTwoClasses(t *testing.T) {
	t.Parallel()
	truth := []float64{1, 1, 1, 1, 0, 0, 0, 0, 0, 0}
	p1 := []float64{0.9, 0.8, 0.7, 0.3, 0.6, 0.55, 0.4, 0.3, 0.2, 0.1}
	o := &Outcome{Type: data.Class, Levels: []string{"no", "yes"}, Positive: 1, Probabilities: true}
	for i, y := range truth {
		o.Test.Truth = append(o.Test.Truth, y)
		o.Test.Add(logs(1-p1[i], p1[i]), data.Class, nil)
	}
	o.Train.Truth = truth[:2]
	for _, p := range p1[:2] {
		o.Train.Add(logs(1-p, p), data.Class, nil)
	}
	logLoss := 0.0
	for i, y := range truth {
		if y == 1 {
			logLoss -= math.Log(p1[i]) / 10
		} else {
			logLoss -= math.Log(1-p1[i]) / 10
		}
	}
	check(t, o, map[string]float64{
		"accuracy": 0.7, "train_accuracy": 1, "error": 0.3, "balanced_accuracy": (0.75 + 4.0/6) / 2,
		"precision": 0.6, "recall": 0.75, "f1": 2 * 0.6 * 0.75 / 1.35, "f2": 5 * 0.6 * 0.75 / (4*0.6 + 0.75),
		"macro_f1": (2*0.6*0.75/1.35 + 2*0.8*(4.0/6)/(0.8+4.0/6)) / 2, "micro_f1": 0.7,
		"mcc":      (3*4 - 2*1) / math.Sqrt(5*4*6*5),
		"log_loss": logLoss, "log_likelihood": -10 * logLoss,
		"train_log_likelihood": math.Log(0.9) + math.Log(0.8), "train_log_loss": -math.Log(0.9)/2 - math.Log(0.8)/2,
		// Of 24 pairs, 3·6 rank right above all, the positive at 0.3 beats two negatives and ties with one.
		"roc_auc": (18 + 2 + 0.5) / 24,
		// Thresholds at the positives: 1/1, 2/2, 3/3, then 0.3 is reached with 8 rows seen.
		"pr_auc": (1 + 1 + 1 + 4.0/8) / 4,
		"f:0.5":  1.25 * 0.6 * 0.75 / (0.25*0.6 + 0.75),
	})
}

func logs(p ...float64) []float64 {
	for k, x := range p {
		p[k] = math.Log(x)
	}
	return p
}

// Probabilities that are all 1, or all 0, to the last bit, rank by their log-odds, and have the losses that these are.
func TestSureOfEverything(t *testing.T) {
	t.Parallel()
	o := &Outcome{Type: data.Class, Levels: []string{"no", "yes"}, Positive: 1, Probabilities: true}
	add := func(truth, odds float64) {
		o.Test.Truth = append(o.Test.Truth, truth)
		o.Test.Add([]float64{elementary.LogSigmoid(-odds), elementary.LogSigmoid(odds)}, data.Class, nil)
	}
	for _, r := range [][2]float64{{1, -40}, {0, -50}, {1, -1000}, {0, -2000}, {1, 60}, {0, 45}} {
		add(r[0], r[1])
	}
	// By falling odds yes, no, yes, no, yes, no: of nine pairs the first positive wins three, the second two, the third one.
	// Losses: 40, 0, 1000, 0, 0, 45, but for e⁻⁴⁰.
	check(t, o, map[string]float64{
		"roc_auc": 6. / 9, "pr_auc": (1 + 2./3 + 3./5) / 3, "log_loss": 1085. / 6, "log_likelihood": -1085, "accuracy": 3. / 6,
	})
	add(1, -40) // a tie of equal odds with a positive
	add(0, -50)
	check(t, o, map[string]float64{"roc_auc": (4. + 3 + 3 + 1) / 16})
	add(1, math.Inf(-1))
	if m, _ := Find("log_loss"); !math.IsInf(m.Score(o), 1) {
		t.Errorf("what is impossible and true has a loss of %v", m.Score(o))
	}
	check(t, o, map[string]float64{"roc_auc": (4. + 3 + 3 + 1) / 20})
}

// The same of several classes, and of a loss that no exponential has.
func TestLossOfSeveralClasses(t *testing.T) {
	t.Parallel()
	o := &Outcome{Type: data.Class, Levels: []string{"a", "b", "c"}, Probabilities: true}
	for _, r := range [][]float64{{0, 0, -900, -2000}, {1, 0, -900, -2000}, {2, 0, -900, -2000}} {
		o.Test.Truth = append(o.Test.Truth, r[0])
		o.Test.Add(r[1:], data.Class, nil)
	}
	o.Test.Weight = []float64{1, 2, 1}
	check(t, o, map[string]float64{"log_loss": 3800. / 4, "log_likelihood": -3800})
}

func TestThreeClasses(t *testing.T) {
	t.Parallel()
	o := &Outcome{Type: data.Class, Levels: []string{"a", "b", "c"}}
	for _, r := range [][2]float64{{0, 0}, {0, 0}, {1, 1}, {1, 2}, {2, 2}, {2, 0}} {
		s := make([]float64, 3)
		s[int(r[1])] = 1
		o.Test.Truth = append(o.Test.Truth, r[0])
		o.Test.Add(s, data.Class, nil)
	}
	// R_K: c=4, s=6, Σ p·t = 2·3+2·1+2·2 = 12, Σp² = 14, Σt² = 12 (Gorodkin 2004).
	check(t, o, map[string]float64{
		"accuracy": 4.0 / 6, "balanced_accuracy": (1 + 0.5 + 0.5) / 3, "mcc": (24 - 12) / math.Sqrt((36-14)*(36-12)),
		"f1": math.NaN(), "roc_auc": math.NaN(), "log_loss": math.NaN(),
	})
}

// Areas of several classes, counted by hand: a class that no test row has, ties, weights, and what is undefined.
func TestAreasOfSeveralClasses(t *testing.T) {
	t.Parallel()
	o := &Outcome{Type: data.Class, Levels: []string{"a", "never", "b", "c"}}
	for _, r := range [][]float64{{0, 5, 9, 1, 0}, {0, 2, 9, 3, 2}, {2, 2, 0, 4, 1}, {2, 1, 0, 2, 1}, {3, 0, 0, 3, 3}} {
		o.Test.Truth = append(o.Test.Truth, r[0])
		o.Test.Add(r[1:], data.Class, nil)
	}
	// By the score of a: 5 and 2 of a, 2 and 1 of b, 0 of c. By that of b: 4 and 2 of b, 1 and 3 of a, 3 of c. By that of c: 3, 0 and 2, 1 and 1.
	ab, ba, ac, ca, bc, cb := 3.5/4, 3./4, 2./2, 2./2, 1./2, 2./2
	check(t, o, map[string]float64{
		"auc_hand_till": (ab + ba + ac + ca + bc + cb) / 6, "auc_ovr": (5.5/6 + 4./6 + 4./4) / 3, "roc_auc": math.NaN(), "pr_auc": math.NaN(),
	})
	o.Test.Weight = []float64{1, 2, 1, 3, 1} // a: 1 and 2; b: 1 and 3
	ab, ba = (1*4+2*(0.5+3))/12, (1*3+3*1)/12.
	ac, ca, bc, cb = 3./3, 3./3, 1./4, 4./4
	check(t, o, map[string]float64{
		"auc_hand_till": (ab + ba + ac + ca + bc + cb) / 6, "auc_ovr": ((4.+7+3)/(3*5) + (3.+3+1)/(4*4) + 1) / 3,
	})
	alone := &Outcome{Type: data.Class, Levels: []string{"no", "yes"}, Positive: 1, Test: Side{Truth: []float64{1, 1}, Prediction: []float64{1, 0}, Score: []float64{0, 1, 2, 1}}}
	check(t, alone, map[string]float64{"auc_hand_till": math.NaN(), "auc_ovr": math.NaN(), "roc_auc": math.NaN(), "pr_auc": 1})
	alone.Test.Truth = []float64{0, 0}
	check(t, alone, map[string]float64{"auc_hand_till": math.NaN(), "auc_ovr": math.NaN(), "pr_auc": math.NaN()})
	alone.Test.Truth = []float64{0, 1} // margins −1 of yes against 1 of no: the wrong way round
	check(t, alone, map[string]float64{"auc_hand_till": 0, "auc_ovr": 0, "roc_auc": 0, "pr_auc": 0.5})
	alone.Test.Score = nil
	check(t, alone, map[string]float64{"auc_hand_till": math.NaN(), "auc_ovr": math.NaN(), "roc_auc": math.NaN(), "pr_auc": math.NaN()})
}

// Where metrics of classes have no value, and where they have one all the same.
func TestUndefinedMetricsOfClasses(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	outcome := func(truth, prediction, score []float64, probabilities bool) *Outcome {
		return &Outcome{
			Type: data.Class, Levels: []string{"no", "yes"}, Positive: 1, Probabilities: probabilities,
			Test: Side{Truth: truth, Prediction: prediction, Score: score},
		}
	}
	for name, c := range map[string]struct {
		of   *Outcome
		want map[string]float64
	}{
		"no probabilities":           {outcome([]float64{0, 1}, []float64{0, 1}, []float64{1, 0, 0, 1}, false), map[string]float64{"brier_score": nan, "log_loss": nan, "auc_ovr": 1}},
		"no scores":                  {outcome([]float64{0, 1}, []float64{0, 1}, nil, false), map[string]float64{"brier_score": nan, "auc_hand_till": nan, "auc_ovr": nan, "pr_auc": nan, "mcc": 1}},
		"a class is only predicted":  {outcome([]float64{1, 1, 1, 1}, []float64{1, 1, 1, 0}, nil, false), map[string]float64{"balanced_accuracy": 0.75, "mcc": nan}},
		"one class is predicted":     {outcome([]float64{0, 1}, []float64{1, 1}, nil, false), map[string]float64{"balanced_accuracy": 0.5, "mcc": 0}},
		"one class of the test rows": {outcome([]float64{0, 0}, []float64{0, 0}, []float64{1, 0, 1, 0}, false), map[string]float64{"auc_hand_till": nan, "auc_ovr": nan, "pr_auc": nan, "balanced_accuracy": 1, "mcc": nan, "kappa": nan, "recall": nan, "precision": nan, "f1": nan, "specificity": 1, "npv": 1, "macro_f1": 1}},
		"only positive rows":         {outcome([]float64{1, 1}, []float64{1, 0}, []float64{0, 1, 1, 0}, false), map[string]float64{"auc_hand_till": nan, "auc_ovr": nan, "pr_auc": 1}},
	} {
		t.Run(name, func(t *testing.T) { check(t, c.of, c.want) })
	}
}

// What scikit-learn calls the metrics is understood in an unknown name.
func TestNamesFromElsewhere(t *testing.T) {
	t.Parallel()
	for theirs, ours := range map[string]string{
		"roc_auc_score": "roc_auc", "sklearn.metrics.roc_auc_score": "roc_auc", "roc_auc_ovo": "auc_hand_till", "roc_auc_ovr": "auc_ovr",
		"average_precision_score": "pr_auc", "average_precision": "pr_auc", "brier_score_loss": "brier_score", "neg_brier_score": "brier_score", "brier": "brier_score",
		"matthews_corrcoef": "mcc", "balanced_accuracy_score": "balanced_accuracy", "neg_log_loss": "log_loss", "accuracy_score": "accuracy",
		"precision_score": "precision", "recall_score": "recall", "f1_score": "f1", "fbeta_score": "f1", "f1_macro": "macro_f1", "zero_one_loss": "error",
		"neg_mean_squared_error": "test_mse", "neg_root_mean_squared_error": "rmse", "neg_mean_absolute_error": "mae", "r2_score": "test_r2",
	} {
		if got := suggest.Nearest(theirs, Names()); got != ours {
			t.Errorf("%s: did you mean %q, want %q", theirs, got, ours)
		}
	}
}

func TestRegression(t *testing.T) {
	t.Parallel()
	o := &Outcome{Type: data.Real}
	o.Test = Side{Truth: []float64{1, 2, 4}, Prediction: []float64{1, 3, 2}, Weight: []float64{2, 1, 1}}
	o.Train = Side{Truth: []float64{5, 5}, Prediction: []float64{5, 4}}
	check(t, o, map[string]float64{
		"test_mse": 5.0 / 4, "rmse": math.Sqrt(1.25), "mae": 0.75, "test_r2": 1 - 1.25/1.5, "train_mse": 0.5, "train_r2": math.NaN(),
	})
}

// Test rows that do not vary have no R², though the mean of equal numbers may be another number by rounding.
func TestR2OfEqualTruths(t *testing.T) {
	s := Side{Truth: []float64{0.1, 0.1, 0.1}, Prediction: []float64{0.1, 0.2, 0.3}}
	if got := s.r2(); !math.IsNaN(got) {
		t.Errorf("R² %v", got)
	}
}

func check(t *testing.T, o *Outcome, want map[string]float64) {
	t.Helper()
	for name, w := range want {
		m, ok := Find(name)
		if !ok {
			t.Errorf("no metric %s", name)
			continue
		}
		if got := m.Score(o); math.IsNaN(got) != math.IsNaN(w) || !math.IsNaN(w) && !(math.Abs(got-w) <= 1e-12) {
			t.Errorf("%s: %v, want %v", name, got, w)
		}
	}
}

func TestDerive(t *testing.T) {
	t.Parallel()
	o := &results.Outcome{Scores: []results.Score{{Metric: "precision", Point: -1, Value: 0.6}, {Metric: "recall", Point: -1, Value: 0.75}}}
	want := 1.25 * 0.6 * 0.75 / (0.25*0.6 + 0.75)
	got := derive("f:0.5", o)
	if len(got) != 1 || !(math.Abs(got[0].Value-want) <= 1e-15) || got[0].Metric != "f:0.5" {
		t.Errorf("%+v, want %v", got, want)
	}
	for _, name := range []string{"accuracy", "0.5", "f:x", "f:", "auc:2", "auc:", "auc:-1", "brier:x"} {
		if got := derive(name, o); got != nil {
			t.Errorf("%s is derived: %+v", name, got)
		}
	}
	o.Scores = append(o.Scores, got...)
	if got := derive("f:0.5", o); got != nil {
		t.Errorf("what is there already is derived again: %+v", got)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"f:0", "f:-1", "f:x", "acuracy", "f:Inf"} {
		if _, ok := Find(name); ok {
			t.Errorf("%s was found", name)
		}
	}
	seen := map[string]bool{}
	for _, m := range All() {
		if seen[m.Name] || m.Doc == "" || (m.Score == nil) != (m.Work && !m.choice) || m.Training != strings.HasPrefix(m.Name, "train_") {
			t.Errorf("%s: twice, without documentation, without a score, or a name that is wrong about training rows", m.Name)
		}
		seen[m.Name] = true
	}
}

// What reports do with a metric follows from its properties.
func TestDescribed(t *testing.T) {
	t.Parallel()
	all := Described([]string{"f:0.5", "none"})
	for name, m := range all {
		if !strings.Contains(m.Axis, " ") || strings.Contains(m.Axis, "_") {
			t.Errorf("%s has no words for an axis (%q)", name, m.Axis)
		}
	}
	for _, c := range []struct {
		metric                             string
		contested, commensurable, rowMeans bool
	}{
		{"accuracy", true, true, true}, {"balanced_accuracy", true, true, false}, {"chunk_f1", true, true, false}, {"f:0.5", true, true, false}, {"f2", true, true, false},
		{"feature_recall", true, true, false}, {"mcc", true, true, false}, {"roc_auc", true, true, false}, {"test_r2", true, true, false}, {"stability", true, true, false},
		{"error", true, true, true}, {"train_accuracy", false, true, false}, {"train_r2", false, true, false}, {"micro_f1", true, true, true},
		{"test_mse", true, false, true}, {"train_mse", false, false, false}, {"mae", true, false, true}, {"rmse", true, false, false}, {"log_likelihood", true, false, false},
		{"log_loss", true, false, true}, {"brier_score", true, true, true}, {"ece", true, true, false}, {"nonzero", false, false, false}, {"selected", false, false, false}, {"seconds_fit", false, false, false}, {"iterations", false, false, false},
	} {
		if m, ok := all[c.metric]; !ok || m.Contested() != c.contested || m.Commensurable != c.commensurable || m.RowMean() != c.rowMeans {
			t.Errorf("%s: %+v", c.metric, m)
		}
	}
	if len(all) != len(Names())+1 {
		t.Errorf("%d metrics are described, of %d", len(all), len(Names())+1)
	}
	for target, want := range map[data.Type]string{data.Real: "test_mse test_r2", data.Class: "accuracy macro_f1"} {
		if got := strings.Join(Usual(target), " "); got != want {
			t.Errorf("%v: usual are %s, want %s", target, got, want)
		}
	}
}

// A metric of cells has a name and a direction, and no fold is scored by it.
func TestOfCells(t *testing.T) {
	t.Parallel()
	m, ok := Find("stability")
	if !ok || m.Better != Higher || m.Target != data.Any || m.Doc == "" || !slices.Contains(Names(), "stability") {
		t.Errorf("%+v", m)
	}
	for _, m := range All() {
		if m.Name == "stability" {
			t.Error("stability would be a score of a fold")
		}
	}
}
