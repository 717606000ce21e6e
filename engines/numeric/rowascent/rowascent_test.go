package rowascent

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines/enginetest"
)

// drawn is a problem with labels that depend on columns, and with weights.
func drawn(seed uint64, rows, columns, levels int, binary bool, bias []float64) Problem {
	rng := rand.New(rand.NewPCG(seed, 5))
	p := Problem{X: enginetest.Random(seed, rows, columns, 0.3, binary), Levels: levels, L2: 0.7, Bias: bias}
	for i := range rows {
		y := rng.IntN(levels)
		if row := p.X.Row(i); row.Len() > 0 && rng.IntN(3) > 0 {
			y = int(row.Idx[0]) % levels
		}
		p.Y = append(p.Y, int32(y))
		p.Weight = append(p.Weight, 0.5+rng.Float64())
	}
	return p
}

// dense is W(α), Σ m_i (e − α_i) for each level, and Σ m_i H(α_i), by their definitions.
func (a *Ascent) dense() (w [][]float64, sums []float64, entropy float64) {
	_, columns := a.p.X.Dims()
	w, sums = make([][]float64, columns), make([]float64, a.p.Levels)
	for j := range w {
		w[j] = make([]float64, a.p.Levels)
	}
	for i, y := range a.p.Y {
		row := a.p.X.Row(i)
		for l := range sums {
			u := a.LogShares()[i*a.p.Levels+l]
			r := -math.Exp(u)
			entropy += a.weightOf(i) * r * u
			if l == int(y) {
				r++
			}
			sums[l] += a.weightOf(i) * r
			for q, j := range row.Idx {
				w[j][l] += a.weightOf(i) * r * row.At(q) / a.p.L2
			}
		}
	}
	return w, sums, entropy
}

// After every pass, weights and biases are those of the shares, which are shares, and the dual is not less than before: of free
// biases that of the pass's own centres, after which these move. Rows at their labels are as far from the dual as their loss is.
func TestPass(t *testing.T) {
	for _, levels := range []int{3, 7, 8, 9, 20} {
		for name, bias := range map[string][]float64{"none": nil, "penalised": penalties(levels, 0.7), "free": penalties(levels, 0)} {
			for _, binary := range []bool{true, false} {
				a := New(drawn(uint64(levels), 200, 15, levels, binary, bias), rand.New(rand.NewPCG(1, 2)))
				before := math.Inf(-1)
				for pass := range 30 {
					told, err := a.Pass(t.Context(), 0)
					if err != nil {
						t.Fatal(err)
					}
					if pass == 0 && !(math.Abs(told.Gap-told.Loss) <= 1e-9*told.Loss) {
						t.Errorf("%d levels, %s bias: gap %v, loss %v", levels, name, told.Gap, told.Loss)
					}
					w, sums, entropy := a.dense()
					dual, penalty, kept := entropy, 0.0, make([]float64, 16*levels)
					a.Weights(kept)
					for j, of := range w {
						for l, v := range of {
							if got := kept[j*levels+l]; !(math.Abs(got-v) <= 1e-9) {
								t.Fatalf("%d levels, %s bias, pass %d: weight %d of column %d is %v, the shares give %v", levels, name, pass, l, j, got, v)
							}
							penalty += a.p.L2 / 2 * v * v
						}
					}
					dual -= penalty
					for l, v := range sums {
						if bias != nil && !(math.Abs(a.bias.sum[l]-v) <= 1e-9) {
							t.Fatalf("%d levels, %s bias, pass %d: sum %v, want %v", levels, name, pass, a.bias.sum[l], v)
						}
						if name == "penalised" {
							dual -= v * v / 2 / 0.7
						}
					}
					if name != "free" && dual < before-1e-9 {
						t.Errorf("%d levels, %s bias, pass %d: dual %v, before %v", levels, name, pass, dual, before)
					}
					before = dual
					if !(math.Abs(a.Penalty()-penalty) <= 1e-9) {
						t.Errorf("penalty %v, want %v", a.Penalty(), penalty)
					}
					if told.Gap < -1e-9 || told.Loss < 0 || pass == 29 && told.Gap > 1e-4*told.Loss {
						t.Errorf("%d levels, %s bias, pass %d: %+v", levels, name, pass, told)
					}
				}
			}
		}
	}
}

func penalties(levels int, strength float64) []float64 {
	out := make([]float64, levels)
	for l := range out {
		out[l] = strength
	}
	return out
}

// With an L1 penalty weights are the shrunken sums of the shares around the centre, wherever that has moved, and in the limit what
// is left of the columns' slopes meets the conditions of the minimum.
func TestSparsen(t *testing.T) {
	for _, binary := range []bool{true, false} {
		const l1 = 3
		p := drawn(4, 300, 12, 6, binary, nil)
		pull := p.L2
		a := New(p, rand.New(rand.NewPCG(1, 2)))
		a.Sparsen(l1)
		var slopes [][]float64
		for pass := range 600 {
			if _, err := a.Pass(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
			slopes, _, _ = a.dense() // times L2
			for j, of := range slopes {
				for l, v := range of {
					at := j*a.stride + l
					u := a.sparse.centre[at] + v
					want := math.Copysign(max(0, math.Abs(u)-l1/pull), u)
					if !(math.Abs(a.weights[at]-want) <= 1e-8) {
						t.Fatalf("pass %d: weight %d of column %d is %v, want %v", pass, l, j, a.weights[at], want)
					}
					of[l] *= pull
				}
			}
			if pass%5 == 4 {
				pull = max(0.05, 0.8*pull)
				a.Recentre(pull)
			}
		}
		nonzero := 0
		for j, of := range slopes {
			for l, slope := range of {
				w := a.weights[j*a.stride+l]
				if w != 0 {
					nonzero++
				}
				if !(math.Abs(slope) <= l1*(1+1e-3)) || !(math.Abs(w) <= 1e-3) && !(math.Abs(slope-math.Copysign(l1, w)) <= 1e-2) {
					t.Errorf("level %d of column %d: weight %v, slope %v", l, j, w, slope)
				}
			}
		}
		if nonzero == 0 || nonzero == 72 {
			t.Errorf("%d weights of 72", nonzero)
		}
	}
}

// A row's step ends where its equation u + q·α(u) = s + q·a holds, after some steps, and never lowers what it is to raise.
func TestStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for n := range 400 {
		levels := 2 + n%9
		a := New(Problem{X: enginetest.Matrix([]float64{math.Exp(3*rng.Float64() - 1)}), Y: []int32{0}, Levels: levels, L2: 0.5}, rng)
		k, u := levels, a.shares
		for l := range k {
			u[l], a.score[l] = 4*rng.NormFloat64(), 4*rng.NormFloat64()
		}
		normalise(u)
		normalise(a.score[:k])
		start := make([]float64, k)
		for l, v := range u {
			start[l] = math.Exp(v)
		}
		a.started = true
		q, value := a.length[0]/0.5, math.Inf(-1)
		for range 40 {
			copy(a.old, start)
			direction(a, u, q, start)
			now := rowValue(u, a.score, start, q)
			if now < value-1e-12 {
				t.Fatalf("%d: value %v, before %v", n, now, value)
			}
			value = now
		}
		residual, mean := make([]float64, k), 0.0
		for l, v := range u {
			residual[l] = a.score[l] - v - q*(math.Exp(v)-start[l])
			mean += residual[l] / float64(k)
		}
		for l, r := range residual {
			if math.Exp(u[l]) > 1e-6 && !(math.Abs(r-mean) <= 1e-5) {
				t.Errorf("%d: level %d of %d is off by %v", n, l, k, r-mean)
			}
		}
	}
}

// direction takes a step of the row from shares u towards the best, with respect to the shares that it started from: scores are
// moved, as the weights would be.
func direction(a *Ascent, u []float64, q float64, start []float64) {
	was := append([]float64{}, a.score...)
	for l, v := range u {
		a.old[l] = math.Exp(v)
		a.score[l] -= q * (a.old[l] - start[l])
	}
	a.step(0)
	copy(a.score, was)
}

func normalise(u []float64) {
	sum := 0.0
	for _, v := range u {
		sum += math.Exp(v)
	}
	for l := range u {
		u[l] -= math.Log(sum)
	}
}

func rowValue(u, s, start []float64, q float64) (value float64) {
	for l, v := range u {
		share := math.Exp(v)
		value += share*(s[l]-v) - q/2*(share-start[l])*(share-start[l])
	}
	return value
}

// A fit that is cancelled ends with the cause.
func TestCancelled(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	a := New(drawn(1, 300, 10, 4, true, nil), nil)
	if _, err := a.Pass(ctx, 0); !errors.Is(err, cause) {
		t.Errorf("%v", err)
	}
}

// The sums over columns are those of plain loops, whatever the number of columns and levels.
func TestKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for entries := range 10 {
		for _, levels := range []int{1, 3, 8, 17} {
			for _, binary := range []bool{true, false} {
				row := enginetest.Random(uint64(entries), 1, entries+1, 1, binary).Row(0)
				weights, s, d := normals(rng, (entries+1)*levels), normals(rng, levels), normals(rng, levels)
				wantS, wantW := append([]float64{}, s...), append([]float64{}, weights...)
				for q, j := range row.Idx {
					for l := range levels {
						wantS[l] += row.At(q) * weights[int(j)*levels+l]
						wantW[int(j)*levels+l] -= row.At(q) * d[l]
					}
				}
				addColumns(s, weights, row)
				takeFromColumns(weights, d, row)
				if far(s, wantS) || far(weights, wantW) {
					t.Error(fmt.Sprint(entries, levels, binary))
				}
			}
		}
	}
}

func normals(rng *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for k := range out {
		out[k] = rng.NormFloat64()
	}
	return out
}

func far(a, b []float64) bool {
	for k := range a {
		if !(math.Abs(a[k]-b[k]) <= 1e-12) {
			return true
		}
	}
	return false
}
