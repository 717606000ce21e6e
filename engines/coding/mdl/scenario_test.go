package mdl

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/sparse"
)

// scenario is one of the published synthetic problems (JMLR 12, section 5.1): 100 rows, 2000 columns of N(0,1), 20
// targets Y = XB + ε with 4 coefficients of N(0,1) each and noise of variance 0.1, cut at their training means.
type scenario struct {
	x     [][]float64 // by column
	b     []map[int32]float64
	cut   []float64
	train *data.View
	rng   *rand.Rand
}

const (
	scenarioRows, scenarioColumns, scenarioTasks = 100, 2000, 20
	scenarioNoise                                = 0.1
)

func newScenario(kind string, seed uint64) *scenario {
	s := &scenario{rng: rand.New(rand.NewPCG(seed, 11))}
	for range scenarioColumns {
		s.x = append(s.x, s.normals(scenarioRows))
	}
	for t := range scenarioTasks {
		b := map[int32]float64{}
		for f, tasks := range map[string][]int{"partial": {20, 15, 10, 5}, "full": {20, 20, 20, 20}, "independent": {}}[kind] {
			if t < tasks {
				b[int32(f)] = s.rng.NormFloat64()
			}
		}
		for len(b) < 4 {
			j := int32(s.rng.IntN(scenarioColumns))
			if _, has := b[j]; !has && (kind != "partial" || j >= 4) {
				b[j] = s.rng.NormFloat64()
			}
		}
		s.b = append(s.b, b)
	}
	var targets []data.Target
	for t, y := range s.responses(s.x, scenarioRows) {
		s.cut = append(s.cut, dense.Sum(y)/scenarioRows)
		targets = append(targets, enginetest.Class(fmt.Sprint(t), 2, above(y, s.cut[t])...))
	}
	s.train = enginetest.View(enginetest.Dataset(fromColumns(s.x, scenarioRows), targets...), nil)
	return s
}

func (s *scenario) normals(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = s.rng.NormFloat64()
	}
	return v
}

// responses of rows with these columns.
func (s *scenario) responses(x [][]float64, rows int) [][]float64 {
	var out [][]float64
	for _, b := range s.b {
		y := make([]float64, rows)
		for _, j := range slices.Sorted(keys(b)) {
			dense.AddTo(y, x[j], b[j])
		}
		for i := range y {
			y[i] += math.Sqrt(scenarioNoise) * s.rng.NormFloat64()
		}
		out = append(out, y)
	}
	return out
}

func keys(b map[int32]float64) func(func(int32) bool) {
	return func(yield func(int32) bool) {
		for j := range b {
			if !yield(j) {
				return
			}
		}
	}
}

func above(y []float64, cut float64) []float64 {
	out := make([]float64, len(y))
	for i, v := range y {
		if v >= cut {
			out[i] = 1
		}
	}
	return out
}

func fromColumns(x [][]float64, rows int) *sparse.Matrix {
	var b sparse.Builder
	idx, row := make([]int32, len(x)), make([]float64, len(x))
	for j := range idx {
		idx[j] = int32(j)
	}
	for i := range rows {
		for j := range x {
			row[j] = 0
			if x[j] != nil {
				row[j] = x[j][i]
			}
		}
		if err := b.Add(idx, row); err != nil {
			panic(err)
		}
	}
	return b.Matrix(len(x))
}

// outcome is what the published table has: test error, precision and recall of coefficients (means over tasks; of those that
// have any coefficient) and of features.
type outcome struct{ err, precision, recall, featurePrecision, featureRecall float64 }

func (o outcome) String() string {
	return fmt.Sprintf("error %.3f, coefficients %.2f/%.2f, features %.2f/%.2f", o.err, o.precision, o.recall, o.featurePrecision, o.featureRecall)
}

func (s *scenario) judge(m engines.Model) outcome {
	selected := make([]map[int32]bool, scenarioTasks)
	truth, used := map[int32]bool{}, map[int32]bool{}
	for t := range selected {
		selected[t] = map[int32]bool{}
		for j := range s.b[t] {
			truth[j] = true
		}
	}
	for _, c := range m.Coefs() {
		selected[c.Output/2][int32(c.Feature)], used[int32(c.Feature)] = true, true
	}
	var o outcome
	with := 0.0
	for t, set := range selected {
		hits := 0.0
		for j := range set {
			if _, ok := s.b[t][j]; ok {
				hits++
			}
		}
		if len(set) > 0 {
			o.precision += hits / float64(len(set))
			with++
		}
		o.recall += hits / 4 / scenarioTasks
	}
	o.precision /= with
	hits := 0.0
	for j := range used {
		if truth[j] {
			hits++
		}
	}
	o.featurePrecision, o.featureRecall = hits/float64(len(used)), hits/float64(len(truth))
	o.err = s.testError(m, truth, used)
	return o
}

// testError on 2000 fresh rows, of which only the columns that matter are drawn.
func (s *scenario) testError(m engines.Model, truth, used map[int32]bool) float64 {
	const rows = 2000
	x := make([][]float64, scenarioColumns)
	for j := range x {
		if truth[int32(j)] || used[int32(j)] {
			x[j] = s.normals(rows)
		}
	}
	var targets []data.Target
	y := s.responses(x, rows)
	for t := range y {
		targets = append(targets, enginetest.Class(fmt.Sprint(t), 2, above(y[t], s.cut[t])...))
	}
	view := enginetest.View(enginetest.Dataset(fromColumns(x, rows), targets...), nil)
	p, wrong := predict(m, view), 0.0
	for i := range rows {
		for t := range y {
			if (p[(i*scenarioTasks+t)*2+1] >= p[(i*scenarioTasks+t)*2]) != (targets[t].Values[i] == 1) {
				wrong++
			}
		}
	}
	return wrong / float64(rows*scenarioTasks)
}

// mean outcome of a method over seeds.
func scenarioMean(t testing.TB, kind string, e MDL, seeds int) outcome {
	t.Helper()
	var err, precision, recall, featurePrecision, featureRecall []float64
	for seed := range seeds {
		s := newScenario(kind, uint64(seed))
		m, failed := e.Fit(context.Background(), engines.Run{Train: s.train, Workers: 1})
		if failed != nil {
			t.Fatal(failed)
		}
		one := s.judge(m)
		err, recall, featureRecall = append(err, one.err), append(recall, one.recall), append(featureRecall, one.featureRecall)
		if len(m.Coefs()) > 0 {
			precision, featurePrecision = append(precision, one.precision), append(featurePrecision, one.featurePrecision)
		}
	}
	mean := func(v []float64) float64 { return dense.Sum(v) / float64(len(v)) }
	return outcome{mean(err), mean(precision), mean(recall), mean(featurePrecision), mean(featureRecall)}
}

func authors(e *MDL) { e.Accept, e.DF, e.MCost = acceptCarry, 1, withIntercept }

// TestScenarios: two data sets of the Partial scenario give what the reference implementation measured on five,
// by the strict rule and by the authors'.
func TestScenarios(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		e    MDL
		want outcome
	}{
		{"partial", with(func(e *MDL) { e.Code = "mic-partial" }), outcome{0.116, 0.83, 0.76, 1, 0.49}},
		{"partial, carry", with(func(e *MDL) { authors(e); e.Code = "mic-partial" }), outcome{0.103, 0.84, 0.79, 1, 0.57}},
		{"ric", with(func(*MDL) {}), outcome{0.132, 0.99, 0.51, 0.97, 0.59}},
	} {
		got := scenarioMean(t, "partial", c.e, 2)
		for what, d := range map[string]float64{
			"error": (got.err - c.want.err) / 0.03, "coefficient precision": (got.precision - c.want.precision) / 0.1, "coefficient recall": (got.recall - c.want.recall) / 0.1,
			"feature precision": (got.featurePrecision - c.want.featurePrecision) / 0.1, "feature recall": (got.featureRecall - c.want.featureRecall) / 0.15,
		} {
			if !(math.Abs(d) <= 1) {
				t.Errorf("%s: %s is off: %v, the reference: %v", c.name, what, got, c.want)
			}
		}
	}
}

// BenchmarkScenarios is the whole table, five data sets a scenario.
func BenchmarkScenarios(b *testing.B) {
	for _, kind := range []string{"partial", "full", "independent"} {
		for _, code := range []string{"mic-partial", "mic-full", "ric2"} {
			for _, rule := range []string{acceptStrict, acceptCarry} {
				b.Run(fmt.Sprintf("%s/%s/%s", kind, code, rule), func(b *testing.B) {
					var o outcome
					for b.Loop() {
						o = scenarioMean(b, kind, with(func(e *MDL) {
							if rule == acceptCarry {
								authors(e)
							}
							e.Code = code
						}), 5)
					}
					b.ReportMetric(o.err, "error")
					b.ReportMetric(o.precision, "precision")
					b.ReportMetric(o.recall, "recall")
					b.ReportMetric(o.featurePrecision, "feature-precision")
					b.ReportMetric(o.featureRecall, "feature-recall")
				})
			}
		}
	}
}

// TestClassScenario: 7 features of one class of 12, beside three classes of the other 988 columns, 100 rows, unit weights and
// noise of deviation 1.7 (JMLR 12, section 5.2, Set 1; the reference's three-part coding finds 6.98 and 0.12 spurious ones, with
// the switch 6.88 and 0.06, ric2 1.80 and 0.02).
func TestClassScenario(t *testing.T) {
	t.Parallel()
	const runs, rows, columns, good = 8, 100, 1000, 7
	right, wrong := map[string]float64{}, map[string]float64{}
	for seed := range uint64(runs) {
		s := &scenario{rng: rand.New(rand.NewPCG(seed, 5))}
		class, y := make([]int32, columns), make([]float64, rows)
		for j := range columns {
			s.x = append(s.x, s.normals(rows))
			if j >= 12 {
				class[j] = int32(1 + j%3)
			}
			if j < good {
				dense.AddTo(y, s.x[j], 1)
			}
		}
		dense.AddTo(y, s.normals(rows), 1.7)
		set := enginetest.Dataset(fromColumns(s.x, rows), enginetest.Real("y", y...))
		set.Features = set.Features.WithClasses(class, []string{"good", "a", "b", "c"})
		view := enginetest.View(set, nil)
		for _, code := range []string{"tpc", "tpc-switch", "ric2"} {
			_, f, err := fit(t, with(func(e *MDL) { e.Code = code }), view)
			if err != nil {
				t.Fatal(err)
			}
			for _, j := range f.columnsOf(0) {
				if j < good {
					right[code] += 1. / runs
				} else {
					wrong[code] += 1. / runs
				}
			}
		}
	}
	for code, want := range map[string][2]float64{"tpc": {6.98, 0.12}, "tpc-switch": {6.88, 0.06}, "ric2": {1.8, 0.02}} {
		if !(math.Abs(right[code]-want[0]) <= 1.2) || !(math.Abs(wrong[code]-want[1]) <= 0.4) {
			t.Errorf("%s: %v right and %v wrong features, the reference has %v", code, right[code], wrong[code], want)
		}
	}
}
