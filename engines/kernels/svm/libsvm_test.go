package svm

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/data/classweight"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
)

// peer is a fit of LIBSVM: the file tells version and commands.
type peer struct {
	Name   string
	Params struct {
		Kernel      string
		C, Gamma    float64
		Coef0       float64
		Degree      int
		Scale       string
		ClassWeight string `json:"class_weight"`
	}
	Levels         int
	Train, Test    side
	Objective      []float64 // of the dual, by machine
	Rho            []float64 // −bias
	SupportVectors int       `json:"support_vectors"`
}

type side struct {
	X            [][]float64
	Y, Predicted []float64
}

func (s side) view(levels int) *data.View {
	return enginetest.View(enginetest.Dataset(denseMatrix(s.X), enginetest.Class("y", levels, s.Y...)), nil)
}

// denseMatrix rows as a matrix as wide as they are, whatever the last columns hold.
func denseMatrix(rows [][]float64) *sparse.Matrix { return enginetest.Matrix(rows...) }

func peers(t *testing.T) []peer {
	raw, err := os.ReadFile("testdata/libsvm.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []peer }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) == 0 {
		t.Fatal("no case")
	}
	return file.Cases
}

func (p peer) engine() SVM {
	e := Kind.Defaults().(SVM)
	e.Scale, e.Kernel, e.C, e.Gamma, e.Coef0 = unscaled, p.Params.Kernel, p.Params.C, p.Params.Gamma, p.Params.Coef0
	e.Degree = max(1, p.Params.Degree)
	if e.Gamma == 0 {
		e.Width = byColumns
	}
	if p.Params.Scale != "" {
		e.Scale = p.Params.Scale
	}
	return e
}

// TestLIBSVM: predictions are LIBSVM's on training and test rows, at the usual tolerance and at a tight one. At the tight one,
// objectives and biases of all machines agree. LIBSVM keeps kernels in single precision, and svm-scale prints six digits.
func TestLIBSVM(t *testing.T) {
	for _, p := range peers(t) {
		t.Run(p.Name, func(t *testing.T) {
			train, test := p.Train.view(p.Levels).Weighted(classweight.Weights{Balanced: p.Params.ClassWeight != ""}), p.Test.view(p.Levels)
			e := p.engine()
			for _, tol := range []float64{1e-3, 1e-8} {
				e.Tol = tol
				model, err := e.Fit(context.Background(), engines.Run{Train: train, Workers: 2})
				if err != nil {
					t.Fatal(err)
				}
				same(t, model, train, p.Train.Predicted)
				same(t, model, test, p.Test.Predicted)
			}
			set, err := e.readTrainingSet(train)
			if err != nil {
				t.Fatal(err)
			}
			machines, err := e.trainMachines(context.Background(), set, e.binaryProblems(set), 1)
			if err != nil {
				t.Fatal(err)
			}
			if len(machines) != len(p.Objective) {
				t.Fatalf("%d machines, LIBSVM has %d", len(machines), len(p.Objective))
			}
			digits := 2e-6
			if e.Scale == toUnit {
				digits = 1e-4
			}
			sign := -1.0 // LIBSVM's first side is the first level, of two levels ours is the positive one, the second
			if p.Levels == 2 {
				sign = 1
			}
			for k, m := range machines {
				if !(math.Abs(m.dual-p.Objective[k]) <= digits*p.Objective[k]) {
					t.Errorf("machine %d: dual objective %v, LIBSVM has %v", k, m.dual, p.Objective[k])
				}
				// A bias is as exact as the kernels that it is a sum of.
				if rho := sign * m.bias; e.Scale == unscaled && !(math.Abs(rho-p.Rho[k]) <= 2e-4*max(1, e.C/10)) {
					t.Errorf("machine %d: bias %v, LIBSVM has %v", k, rho, p.Rho[k])
				}
			}
		})
	}
}

// same fails where the levels that a model predicts are not those expected.
func same(t *testing.T, m engines.Model, v *data.View, want []float64) {
	t.Helper()
	for i, got := range predicted(m, v) {
		if got != want[i] {
			t.Errorf("row %d: level %v, expected %v", i, got, want[i])
		}
	}
}

// predicted are the levels with the highest scores, the first of equals.
func predicted(m engines.Model, v *data.View) []float64 {
	width := m.Outputs()
	scores := make([]float64, v.Len()*width)
	m.Predict(scores, v.Inputs())
	var levels []float64
	for row := range slices.Chunk(scores, width) {
		levels = append(levels, float64(slices.Index(row, slices.Max(row))))
	}
	return levels
}
