package elementary

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"math"
	"math/big"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write tables.go anew")

const precision = 200

func number(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func fresh() *big.Float { return new(big.Float).SetPrec(precision) }

// bigExp is e^x by Taylor's series of x/2^k, squared k times.
func bigExp(x *big.Float) *big.Float {
	k := max(0, x.MantExp(nil)+20)
	small := fresh().SetMantExp(x, -k)
	sum, term := number(1), number(1)
	for n := 1; n < 40; n++ {
		term.Quo(term.Mul(term, small), number(float64(n)))
		sum.Add(sum, term)
	}
	for range k {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigLog is log x by Newton's steps on bigExp, from a double.
func bigLog(x *big.Float) *big.Float {
	mantissa := fresh()
	e := x.MantExp(mantissa)
	f, _ := mantissa.Float64()
	y := number(math.Log(f))
	one := number(1)
	for range 3 { // y += m·e^−y − 1, less half its square
		d := bigExp(fresh().Neg(y))
		d.Sub(d.Mul(d, mantissa), one)
		y.Add(y, d)
		y.Sub(y, d.Mul(d.Mul(d, d), number(0.5)))
	}
	return y.Add(y, fresh().Mul(number(float64(e)), bigLn2()))
}

func bigLn2() *big.Float { // Σ 1/(k 2^k)
	sum := fresh()
	for k := 1; k < precision+20; k++ {
		sum.Add(sum, fresh().SetMantExp(fresh().Quo(number(1), number(float64(k))), -k))
	}
	return sum
}

// TestTables: the tables are what 200 bits give.
func TestTables(t *testing.T) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "package elementary\n\n// Written by go test -update.\n\nvar powers = [steps]power{\n")
	ln2 := bigLn2()
	for j := range steps {
		v := bigExp(fresh().Quo(fresh().Mul(ln2, number(float64(j))), number(steps)))
		f, _ := v.Float64()
		rest, _ := fresh().Quo(fresh().Sub(v, number(f)), number(f)).Float64()
		if j == 0 {
			f, rest = 1, 0
		}
		fmt.Fprintf(&out, "{%x, %x},\n", f, rest)
	}
	fmt.Fprintf(&out, "}\n\nvar inverses = [steps]inverse{\n")
	for j := range steps {
		at := uint64(logFrom) + uint64(j)<<45
		low, high := math.Float64frombits(at), math.Float64frombits(at+1<<45)
		of := math.Round(512/((low+high)/2)) / 512
		if low == 1 || high == 1 {
			of = 1
		}
		v := fresh()
		if of != 1 {
			v.Neg(bigLog(number(of)))
		}
		f, _ := v.Float64()
		f = math.Round(f*0x1p42) / 0x1p42
		rest, _ := fresh().Sub(v, number(f)).Float64()
		fmt.Fprintf(&out, "{%x, %x, %x},\n", of, f, rest)
	}
	fmt.Fprintf(&out, "}\n")
	want, err := format.Source(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("tables.go", want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile("tables.go"); err != nil || !bytes.Equal(have, want) {
		t.Errorf("tables.go is not what the table of 200 bits gives (%v): go test -update", err)
	}
}
