package elementary

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// function is one of the package's, beside the standard library's and one of 200 bits.
type function struct {
	name      string
	of, std   func(float64) float64
	big       func(*big.Float) *big.Float
	low, high float64
	ulp       float64
}

func functions() []function {
	minusOne := func(x *big.Float) *big.Float { return x.Sub(x, number(1)) }
	over := func(f func(*big.Float) *big.Float, d float64) func(*big.Float) *big.Float {
		by := bigLog(number(d))
		return func(x *big.Float) *big.Float { return fresh().Quo(f(x), by) }
	}
	ln2 := bigLn2()
	return []function{
		{"Exp", Exp, math.Exp, bigExp, -745, 709.78, 0.53}, // below the normal numbers it is rounded twice
		{"Exp", Exp, math.Exp, bigExp, -1, 1, 0.52},
		{"Exp2", Exp2, math.Exp2, func(x *big.Float) *big.Float { return bigExp(fresh().Mul(x, ln2)) }, -1074, 1023.9, 0.76},
		{"Expm1", Expm1, math.Expm1, func(x *big.Float) *big.Float { return minusOne(bigExp(x)) }, -1, 1, 0.75},
		{"Expm1", Expm1, math.Expm1, func(x *big.Float) *big.Float { return minusOne(bigExp(x)) }, -40, 100, 0.75},
		{"Log", Log, math.Log, bigLog, 1e-10, 4, 0.53},
		{"Log", Log, math.Log, bigLog, 0.97, 1.03, 0.53},
		{"Log", Log, math.Log, bigLog, 0, 1e300, 0.53},
		{"Log1p", Log1p, math.Log1p, func(x *big.Float) *big.Float { return bigLog(fresh().Add(x, number(1))) }, -0.999, 1, 0.55},
		{"Log1p", Log1p, math.Log1p, func(x *big.Float) *big.Float { return bigLog(fresh().Add(x, number(1))) }, -1e-9, 1e-9, 0.55},
		{"Log2", Log2, math.Log2, over(bigLog, 2), 0.5, 2, 0.52},
		{"Log2", Log2, math.Log2, over(bigLog, 2), 0, 1e6, 0.52},
		{"Log10", Log10, math.Log10, over(bigLog, 10), 0, 1e6, 0.52},
	}
}

// apart is the distance of a double from the exact value, in units of its last place.
func apart(have float64, want *big.Float) float64 {
	near, _ := want.Float64()
	if have == near && (math.IsInf(near, 0) || near == 0) {
		return 0
	}
	unit := math.Nextafter(math.Abs(near), math.Inf(1)) - math.Abs(near)
	d, _ := fresh().Quo(fresh().Sub(number(have), want), number(unit)).Float64()
	return math.Abs(d)
}

// TestWithinOneUlp: the error of each function, over its range, is below what is written here.
func TestWithinOneUlp(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 300
	}
	for _, f := range functions() {
		rng, worst, at := rand.New(rand.NewPCG(1, 2)), 0.0, 0.0
		for range n {
			x := f.low + rng.Float64()*(f.high-f.low)
			if e := apart(f.of(x), f.big(number(x))); e > worst {
				worst, at = e, x
			}
		}
		if worst > f.ulp {
			t.Errorf("%s on %g to %g: %.3f units in the last place at %g (%x), expected at most %g", f.name, f.low, f.high, worst, at, at, f.ulp)
		}
		t.Logf("%s on %g to %g: at most %.3f units in the last place", f.name, f.low, f.high, worst)
	}
}

// TestPow: within one unit in the last place, on bases and exponents of all sizes.
func TestPow(t *testing.T) {
	rng, worst := rand.New(rand.NewPCG(3, 4)), 0.0
	for range 2000 {
		x := math.Ldexp(1+rng.Float64(), rng.IntN(200)-100)
		y := (rng.Float64() - 0.5) * 1400 / math.Max(1, math.Abs(math.Log(x)))
		want := bigExp(fresh().Mul(number(y), bigLog(number(x))))
		worst = max(worst, apart(Pow(x, y), want))
	}
	if worst > 0.6 {
		t.Errorf("%.3f units in the last place", worst)
	}
	for x := -12; x <= 22; x++ {
		if x >= 0 && Pow(10, float64(x)) != math.Pow10(x) {
			t.Errorf("10^%d is %g", x, Pow(10, float64(x)))
		}
		if p := Log10(math.Pow10(x)); x >= 0 && p != float64(x) {
			t.Errorf("log10 of 10^%d is %g", x, p)
		}
	}
}

// TestHypotErfc: they agree with the standard library to a unit or two in the last place.
func TestHypotErfc(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	near := func(name string, have, want, within float64) {
		if !(math.Abs(have-want) <= within*0x1p-52*math.Abs(want)+5e-324) {
			t.Errorf("%s: %g, the standard library has %g", name, have, want)
		}
	}
	for range 20000 {
		x, y := math.Ldexp(rng.Float64(), rng.IntN(1200)-600), math.Ldexp(rng.Float64(), rng.IntN(1200)-600)
		near("hypot", Hypot(x, y), math.Hypot(x, y), 2)
		z := rng.Float64()*34 - 7
		near("erfc", Erfc(z), math.Erfc(z), 4)
		u := 2*rng.Float64() - 1
		near("erfinv", Erfinv(u), math.Erfinv(u), 4)
		u = 1 - math.Ldexp(1+rng.Float64(), -1-rng.IntN(51))
		near("erfinv", Erfinv(-u), math.Erfinv(-u), 4)
	}
}

// TestSpecialValues: as the standard library has them.
func TestSpecialValues(t *testing.T) {
	values := []float64{0, math.Copysign(0, -1), 1, -1, 2, -2, 0.5, -0.5, 3, -3, 1e-320, -1e-320, 5e-324, 1e-310, 1e308, -1e308, 709, 709.79, -745.13,
		-745.14, -708.5, 1023.999, 1024, -1074, -1075, -1076, 1e-20, -1e-20, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 28, -7, 0.84375, 1.25}
	same := func(name string, have, want float64, of ...float64) {
		if math.Abs(of[0]) < 0x1p-1022 && of[0] != 0 && (name[:3] == "Log" || name == "Pow") {
			return // math.Log of amd64 is wrong there
		}
		equal := math.Float64bits(have) == math.Float64bits(want) || have != have && want != want
		if !equal && (math.IsInf(want, 0) || !(math.Abs(have-want) <= 1e-14*math.Abs(want)+5e-324)) {
			t.Errorf("%s(%g): %g, expected %g", name, of, have, want)
		}
	}
	for _, x := range values {
		for _, f := range functions() {
			same(f.name, f.of(x), f.std(x), x)
		}
		same("Erfc", Erfc(x), math.Erfc(x), x)
		same("Erfinv", Erfinv(x), math.Erfinv(x), x)
		for _, y := range values {
			same("Pow", Pow(x, y), math.Pow(x, y), x, y)
			same("Hypot", Hypot(x, y), math.Hypot(x, y), x, y)
		}
	}
}

// TestSubnormal: logarithms and powers of numbers below the normal ones, where the standard library's are wrong on amd64.
func TestSubnormal(t *testing.T) {
	for _, x := range []float64{5e-324, 1e-320, 1.234e-310, 0x1p-1022} {
		for _, f := range functions() {
			if f.name == "Log" || f.name == "Log2" || f.name == "Log10" {
				if e := apart(f.of(x), f.big(number(x))); !(e <= 0.6) {
					t.Errorf("%s(%g): %.3f units in the last place", f.name, x, e)
				}
			}
		}
		for _, y := range []float64{0.5, -0.75, 1e-3} {
			if e := apart(Pow(x, y), bigExp(fresh().Mul(number(y), bigLog(number(x))))); !(e <= 0.6) {
				t.Errorf("%g^%v: %.3f units in the last place", x, y, e)
			}
		}
	}
}

// TestBits: the results have the same bits on every processor.
func TestBits(t *testing.T) {
	sum, rng := sha256.New(), rand.New(rand.NewPCG(7, 8))
	for range 100000 {
		u, v := rng.Float64(), rng.Float64()
		x := math.Ldexp(u, rng.IntN(60)-30)
		for _, y := range []float64{Exp(700 * (2*u - 1)), Exp(2*u - 1), Exp2(x - 10), Expm1(2 * (u - v)), Expm1(x), Log(x), Log(1 + v/50), Log1p(x), Log1p(-v),
			Log2(x), Log10(x), Pow(x, 20*(v-0.5)), Hypot(x, v), Erfc(8*u - 2), Erfinv(2*u - 1)} {
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(y))
			sum.Write(b[:])
		}
	}
	const want = "a5c9a65703713856d8bb80dda8b3baa2da30413bfa4ce42be8bcfec26f8b6cc2"
	if have := hex.EncodeToString(sum.Sum(nil)); have != want {
		t.Errorf("digest %s, expected %s", have, want)
	}
}

func BenchmarkScalar(b *testing.B) {
	args := make([]float64, 1024)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range args {
		args[i] = rng.Float64() * 4
	}
	seen := map[string]bool{}
	for _, f := range functions() {
		if seen[f.name] {
			continue
		}
		seen[f.name] = true
		for name, of := range map[string]func(float64) float64{"own": f.of, "math": f.std} {
			b.Run(f.name+"/"+name, func(b *testing.B) {
				s := 0.0
				for i := 0; b.Loop(); i++ {
					s += of(args[i&1023])
				}
				sink = s
			})
		}
	}
}

var sink float64

// Any bits stand for a finite number of the normal law, and bits turned over for its negative, but for rounding.
func TestNormalIsFinite(t *testing.T) {
	t.Parallel()
	for _, bits := range []uint64{0, 1 << 11, 1 << 63, math.MaxUint64 - 1<<11, math.MaxUint64} {
		if x := Normal(bits); !IsFinite(x) {
			t.Errorf("bits %x: %v", bits, x)
		}
	}
	if low, high := Normal(0), Normal(math.MaxUint64); !(math.Abs(low+high) <= 0.2) {
		t.Errorf("the ends are %v and %v", low, high)
	}
}
