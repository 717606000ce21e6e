package mdl

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tenfold/engines/coding/codes"
	"tenfold/engines/coding/likelihood"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/growing"
)

// literal is stepwise selection as the specification words it: every candidate refitted by least squares from the data,
// every description length from its definition.
type literal struct {
	e       MDL
	x, y    [][]float64 // by column, by task
	classes []int32     // nil: none
	n       float64

	included []codes.Entry
	sets     [][]int32 // by task
	sigma    *mat.SymDense
	picks    []literalPick
}

type literalPick struct {
	column    int32
	tasks     []int32
	dse, paid float64
}

func (l *literal) h() int { return len(l.y) }

// residual of a vector on centred columns of x, by Householder's QR.
func (l *literal) residual(v []float64, set []int32) []float64 {
	v = enginetest.Centred(v)
	var independent [][]float64
	for _, j := range set {
		if z := l.outside(j, independent); enginetest.SumOfSquares(z) > growing.DependentBelow*enginetest.SumOfSquares(enginetest.Centred(l.x[j])) && !l.flat(j) {
			independent = append(independent, enginetest.Centred(l.x[j]))
		}
	}
	return enginetest.Regress(v, independent)
}

func (l *literal) flat(j int32) bool {
	return enginetest.SumOfSquares(enginetest.Centred(l.x[j])) <= 1e-12*enginetest.SumOfSquares(l.x[j])
}

func (l *literal) outside(j int32, columns [][]float64) []float64 {
	return enginetest.Regress(enginetest.Centred(l.x[j]), columns)
}

func (l *literal) residuals(sets [][]int32) [][]float64 {
	e := make([][]float64, l.h())
	for t := range e {
		e[t] = l.residual(l.y[t], sets[t])
	}
	return e
}

// estimate of the covariance from the residuals of sets.
func (l *literal) estimate(sets [][]int32) *mat.SymDense {
	e, h := l.residuals(sets), l.h()
	s := mat.NewSymDense(h, nil)
	lambda := map[string]float64{diagonal: 1, fullMatrix: 0, shrunk: l.e.Lambda}[l.e.Covariance]
	for a := range h {
		for b := range a + 1 {
			dot := 0.0
			for i := range e[a] {
				dot += e[a][i] * e[b][i]
			}
			df := float64(l.e.DF)
			if a != b {
				s.SetSym(a, b, (1-lambda)*dot/(l.n-df))
				continue
			}
			v := map[string]float64{
				likelihood.SigmaNull: dot / (l.n - df), likelihood.SigmaUnbiased: dot / (l.n - float64(len(sets[a])) - 1), likelihood.SigmaOwn: dot / l.n,
				likelihood.SigmaInitial: enginetest.SumOfSquares(enginetest.Centred(l.y[a])) / l.n, likelihood.SigmaFixed: l.e.Sigma2,
			}[l.e.Sigma]
			s.SetSym(a, a, v)
		}
	}
	return s
}

// bits is S_E of sets under a covariance, or where noise is a model's own, under the one of sets.
func (l *literal) bits(sets [][]int32, sigma *mat.SymDense) float64 {
	if l.e.Sigma == likelihood.SigmaOwn {
		sigma = l.estimate(sets)
	}
	e, h := l.residuals(sets), float64(l.h())
	var chol mat.Cholesky
	if !chol.Factorize(sigma) {
		panic("covariance is not positive definite")
	}
	quad := 0.0
	for i := range e[0] {
		row := mat.NewVecDense(l.h(), nil)
		for t := range e {
			row.SetVec(t, e[t][i])
		}
		var x mat.VecDense
		if err := chol.SolveVecTo(&x, row); err != nil {
			panic(err)
		}
		quad += mat.Dot(row, &x)
	}
	return (l.n*h*math.Log2(2*math.Pi) + l.n*chol.LogDet()/math.Ln2 + quad/math.Ln2) / 2
}

// literalLogStar returns lg k + lg lg k + … while positive.
func literalLogStar(k int) float64 {
	sum := 0.0
	for x := math.Log2(float64(k)); x > 0; x = math.Log2(x) {
		sum += x
	}
	return sum
}

// paid by a feature.
func (l *literal) paid(j int32, k int) float64 {
	m, h, lg := float64(len(l.x)), float64(l.h()), math.Log2
	if l.e.MCost == withIntercept {
		m++
	}
	choose := func() float64 {
		a, _ := math.Lgamma(h + 1)
		b, _ := math.Lgamma(float64(k) + 1)
		c, _ := math.Lgamma(h - float64(k) + 1)
		return (a - b - c) / math.Ln2
	}
	switch l.e.Code {
	case "aic":
		return 1 / math.Ln2
	case "bic":
		return lg(l.n) / 2
	case "ric":
		return lg(m)
	case "ric2":
		return lg(m) + 2
	case "mic-partial":
		norm := 0.0
		for i := 1; i <= l.h(); i++ {
			norm += math.Exp2(-literalLogStar(i))
		}
		return lg(m) + literalLogStar(k) + lg(norm) + choose() + 2*float64(k)
	case "mic-partial-logh":
		return lg(m) + lg(h) + choose() + 2*float64(k)
	case "mic-full":
		if k < l.h() {
			return math.Inf(1)
		}
		return lg(m) + 2*h
	}
	size, in := map[int32]int{}, map[int32]bool{}
	for _, c := range l.classes {
		size[c]++
	}
	for _, e := range l.included {
		in[l.classes[e.Column]] = true
	}
	c := l.classes[j]
	class := lg(float64(len(size)))
	if in[c] {
		class = lg(float64(len(in)))
	}
	if l.e.Code == "tpc-switch" {
		class++
	}
	return class + lg(float64(size[c])) + 2
}

func (l *literal) with(j int32, tasks []int32) [][]int32 {
	sets := slices.Clone(l.sets)
	for _, t := range tasks {
		sets[t] = append(slices.Clone(sets[t]), j)
	}
	return sets
}

// forward selection.
func (l *literal) forward() {
	l.n = float64(len(l.y[0]))
	l.sets = make([][]int32, l.h())
	l.sigma = l.estimate(l.sets)
	slack := 0.0
	for {
		for t, set := range l.sets {
			if len(set) >= len(l.y[0])-2 || enginetest.SumOfSquares(l.residual(l.y[t], set)) <= 1e-12*enginetest.SumOfSquares(enginetest.Centred(l.y[t])) {
				return
			}
		}
		now := l.bits(l.sets, l.sigma)
		best := literalPick{column: -1}
		most := math.Inf(-1)
		for _, j := range l.candidates(now) {
			for _, p := range l.grow(j, now) {
				if p.dse-p.paid > most+likelihood.TieBits {
					best, most = p, p.dse-p.paid
				}
			}
		}
		if best.column < 0 || !(most > -slack+likelihood.TieBits) {
			return
		}
		slices.Sort(best.tasks)
		l.picks = append(l.picks, best)
		l.included = append(l.included, codes.Entry{Column: best.column, Tasks: len(best.tasks)})
		l.sets = l.with(best.column, best.tasks)
		after := l.estimate(l.sets)
		if l.e.Accept == acceptCarry {
			slack = max(0, l.bits(l.sets, l.sigma)-l.bits(l.sets, after))
		}
		l.sigma = after
	}
}

// candidates are the unused columns that bring something, with joint noise the Top best in all tasks together, rising.
func (l *literal) candidates(now float64) []int32 {
	var list []int32
	all := map[int32]float64{}
	for j := range int32(len(l.x)) {
		used := slices.ContainsFunc(l.included, func(e codes.Entry) bool { return e.Column == j })
		grown := l.grow(j, now)
		if used || grown == nil {
			continue
		}
		list = append(list, j)
		all[j] = grown[len(grown)-1].dse
	}
	if l.e.Top > 0 && l.e.Covariance != diagonal && len(list) > l.e.Top {
		slices.SortStableFunc(list, func(a, b int32) int { return compare(all[b], all[a]) })
		list = list[:l.e.Top]
		slices.Sort(list)
	}
	return list
}

func compare(a, b float64) int {
	switch {
	case a < b-1e-9:
		return -1
	case a > b+1e-9:
		return 1
	}
	return 0
}

// grow gives a column to one task after the other, always to that with the lowest S_E then; nil where it adds nothing to any.
func (l *literal) grow(j int32, now float64) []literalPick {
	useful := false
	for t := range l.sets {
		z := l.residual(l.x[j], l.sets[t])
		useful = useful || !l.flat(j) && enginetest.SumOfSquares(z) > growing.DependentBelow*enginetest.SumOfSquares(enginetest.Centred(l.x[j]))
	}
	if !useful {
		return nil
	}
	var out []literalPick
	var tasks []int32
	for len(tasks) < l.h() {
		next, low := int32(-1), math.Inf(1)
		for t := range int32(l.h()) {
			if slices.Contains(tasks, t) {
				continue
			}
			if s := l.bits(l.with(j, append(slices.Clone(tasks), t)), l.sigma); s < low-likelihood.TieBits {
				next, low = t, s
			}
		}
		tasks = append(tasks, next)
		out = append(out, literalPick{column: j, tasks: slices.Clone(tasks), dse: now - low, paid: l.paid(j, len(tasks))})
	}
	return out
}

// randomCase is a small problem with what is awkward: repeated, constant and nearly dependent columns, large means, sparse
// columns, signals that tasks share.
func randomCase(rng *rand.Rand) (x, y [][]float64, classes []int32) {
	n, m, h := 12+rng.IntN(24), 4+rng.IntN(8), 1+rng.IntN(4)
	sparse := rng.IntN(2) == 0
	for j := range m {
		col := make([]float64, n)
		for i := range col {
			switch {
			case sparse && rng.Float64() < 0.6:
			case sparse && j%2 == 0:
				col[i] = 1
			default:
				col[i] = rng.NormFloat64()
			}
		}
		if j > 0 {
			switch rng.IntN(14) {
			case 0:
				copy(col, x[j-1])
			case 1:
				for i := range col {
					col[i] = 3
				}
			case 2:
				for i := range col {
					col[i] = x[j-1][i] + 1e-2*col[i]
				}
			case 3:
				for i := range col {
					col[i] += 1000
				}
			}
		}
		x = append(x, col)
		classes = append(classes, int32(rng.IntN(3)))
	}
	for t := range h {
		v := make([]float64, n)
		for j := range m {
			if rng.IntN(3) == 0 || j == 1 && t < 2 {
				b := rng.NormFloat64()
				for i := range v {
					v[i] += b * x[j][i]
				}
			}
		}
		for i := range v {
			v[i] += 0.7 * rng.NormFloat64()
		}
		y = append(y, v)
	}
	return x, y, classes
}

func viewOf(x, y [][]float64, classes []int32) *data.View {
	rows := make([][]float64, len(x[0]))
	for i := range rows {
		for _, col := range x {
			rows[i] = append(rows[i], col[i])
		}
	}
	var targets []data.Target
	for t, v := range y {
		targets = append(targets, enginetest.Real(fmt.Sprintf("y%d", t), v...))
	}
	d := enginetest.Dataset(enginetest.Matrix(rows...), targets...)
	if classes != nil {
		d.Features = d.Features.WithClasses(classes, []string{"a", "b", "c"})
	}
	return enginetest.View(d, nil)
}

// TestLiteral: the incremental route takes the same features, for the same tasks, at the same bits, as refitting every
// candidate.
func TestLiteral(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(20, 9))
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	features := 0
	for k := range 250 {
		x, y, classes := randomCase(rng)
		e := with(func(e *MDL) {
			e.Code = pick(codesAlone()...)
			e.Accept, e.DF = pick(acceptStrict, acceptCarry), rng.IntN(2)
			e.MCost = pick(allColumns, withIntercept)
			e.Sigma = pick(likelihood.SigmaNull, likelihood.SigmaNull, likelihood.SigmaNull, likelihood.SigmaUnbiased, likelihood.SigmaOwn, likelihood.SigmaInitial, likelihood.SigmaFixed)
			if e.Sigma2 = 0; e.Sigma == likelihood.SigmaFixed {
				e.Sigma2 = 0.5
			}
			if e.Sigma != likelihood.SigmaNull {
				e.DF = 0
				if e.Sigma != likelihood.SigmaUnbiased {
					e.Accept = acceptStrict
				}
			}
			if !e.chosenCode().Columns {
				e.MCost = allColumns
			}
			top := []int{0, 3, 75}[rng.IntN(3)]
			if strings.HasPrefix(e.Code, "mic") && e.Sigma == likelihood.SigmaNull {
				if e.Covariance = pick(diagonal, fullMatrix, shrunk); e.Covariance == shrunk {
					e.Lambda = rng.Float64()
				}
				if e.Covariance != diagonal {
					e.Top = top
				}
			}
		})
		_, f, err := fit(t, e, viewOf(x, y, classes))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range f.done {
			l := literal{e: e, x: x, classes: classes}
			for _, task := range s.tasks {
				l.y = append(l.y, y[task.number])
			}
			l.forward()
			features += len(l.picks)
			if err := same(s, &l); err != nil {
				t.Fatalf("case %d, %+v\n%d × %d: %v", k, e, len(x[0]), len(x), err)
			}
		}
	}
	if features < 600 {
		t.Errorf("only %d features in all: the cases show little", features)
	}
}

func same(s *selection, l *literal) error {
	for k := range max(len(s.picks), len(l.picks)) {
		if k >= len(s.picks) || k >= len(l.picks) {
			return fmt.Errorf("%d features, literally %d (stop: %s)", len(s.picks), len(l.picks), s.stop)
		}
		p, q := s.picks[k], l.picks[k]
		if p.column != q.column || !slices.Equal(p.tasks, q.tasks) {
			return fmt.Errorf("feature %d: column %d for %v at %v, literally %d for %v at %v", k, p.column, p.tasks, p.netBits(), q.column, q.tasks, q.dse-q.paid)
		}
		if !(math.Abs(dense.Sum(p.saved)-q.dse) <= 1e-7*max(1, q.dse)) || !(math.Abs(p.price.Paid()-q.paid) <= 1e-9) {
			return fmt.Errorf("feature %d: saves %v and costs %v, literally %v and %v", k, dense.Sum(p.saved), p.price.Paid(), q.dse, q.paid)
		}
	}
	got, want := dense.Sum(s.like.Bits()), l.bits(l.sets, l.sigma)
	if !(math.Abs(got-want) <= 1e-6*max(1, math.Abs(want))) {
		return fmt.Errorf("S_E is %v, literally %v", got, want)
	}
	return nil
}
