package exact

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestFloats(t *testing.T) {
	for _, c := range []struct {
		list Floats
		text string
	}{
		{nil, `null`},
		{Floats{}, `[]`},
		{Floats{1, -2.5, 0.1}, `[1,-2.5,0.1]`},
		{Floats{0, math.Copysign(0, -1)}, `[0,-0]`},
		{Floats{math.NaN(), math.Inf(1), math.Inf(-1)}, `["NaN","Infinity","-Infinity"]`},
		{Floats{-math.MaxFloat64}, `[-1.7976931348623157e+308]`},
		{Floats{math.MaxFloat64, math.SmallestNonzeroFloat64, 1e6, 1e21, 1e-7}, `[1.7976931348623157e+308,5e-324,1e+06,1e+21,1e-07]`},
	} {
		text, err := json.Marshal(c.list)
		if err != nil || string(text) != c.text {
			t.Errorf("%v: written as %s (%v), want %s", c.list, text, err, c.text)
		}
		var back Floats
		if err := json.Unmarshal([]byte(" "+c.text+"\n"), &back); err != nil || !slices.EqualFunc(back, c.list, same) || (back == nil) != (c.list == nil) {
			t.Errorf("%s: read as %v (%v), want %v", c.text, back, err, c.list)
		}
		for _, x := range c.list {
			one, err := json.Marshal(Float(x))
			if err != nil {
				t.Fatal(err)
			}
			var y Float
			if err := json.Unmarshal(one, &y); err != nil || !same(x, float64(y)) {
				t.Errorf("%v became %s, and %v (%v)", x, one, y, err)
			}
		}
	}
}

func same(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y }

func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{}`, `found {}, expected a list of numbers`},
		{`"1"`, `found "1", expected a list of numbers`},
		{`[1,null]`, `found null, expected a number, "NaN", "Infinity" or "-Infinity"`},
		{`["1,2"]`, `found "1, expected a number, "NaN", "Infinity" or "-Infinity"`},
		{`["nan"]`, `found "nan", expected a number, "NaN", "Infinity" or "-Infinity"`},
		{`[[1]]`, `found [1], expected a number, "NaN", "Infinity" or "-Infinity"`},
		{`[1e999]`, `found 1e999, expected a number, "NaN", "Infinity" or "-Infinity"`},
	} {
		list := Floats{1}
		if err := json.Unmarshal([]byte(c.text), &list); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
	long := `["` + strings.Repeat("x", 60) + `"]`
	if err := new(Floats).UnmarshalJSON([]byte(long)); err == nil || err.Error() != `found "`+strings.Repeat("x", 39)+`…, expected a number, "NaN", "Infinity" or "-Infinity"` {
		t.Errorf("got %v", err)
	}
	var x, y float64
	if err := Unpack([]byte(`{}`), &x); err == nil {
		t.Error("an object was unpacked")
	}
	text, err := Pack(2, math.Inf(-1))
	if err != nil {
		t.Fatal(err)
	}
	if err := Unpack(text, &x, &y); err != nil || x != 2 || !math.IsInf(y, -1) {
		t.Errorf("%s: %v and %v (%v)", text, x, y, err)
	}
	if err := Unpack([]byte(`[1,2,3]`), &x, &y); err == nil || err.Error() != "found 3 numbers, expected 2" {
		t.Errorf("got %v", err)
	}
}

// Whatever is read is written so that it is read the same.
func FuzzFloats(f *testing.F) {
	f.Add([]byte(`[1, "NaN", -0, 1e-7]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var list, again Floats
		if json.Unmarshal(text, &list) != nil {
			return
		}
		out, err := json.Marshal(list)
		if err != nil {
			t.Fatalf("%v: %v", list, err)
		}
		if err := json.Unmarshal(out, &again); err != nil || !slices.EqualFunc(list, again, same) {
			t.Errorf("%s: %v, then %v (%v)", text, list, again, err)
		}
	})
}

func BenchmarkFloats(b *testing.B) {
	list := make(Floats, 1_000_000)
	for i := range list {
		list[i] = math.Sqrt(float64(i))
	}
	text, err := json.Marshal(list)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			if _, err := json.Marshal(list); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			var back Floats
			if err := json.Unmarshal(text, &back); err != nil {
				b.Fatal(err)
			}
		}
	})
}
