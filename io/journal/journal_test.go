package journal

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tenfold/io/results"
)

const unit = "c0ffee"

// fill sets everything a value is made of to something that differs from its neighbours.
func fill(v reflect.Value, n *int) {
	*n++
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Unix(int64(*n), 123456789).UTC()))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for _, f := range v.Fields() {
			fill(f, n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 3, 3))
		for i := range 3 {
			fill(v.Index(i), n)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d ü", *n%7))
	case reflect.Float64:
		v.SetFloat(-float64(*n) / 3)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8:
		v.SetUint(uint64(*n % 256))
	default:
		v.SetInt(-int64(*n) * 1000)
	}
}

func full() *results.Outcome {
	o := new(results.Outcome)
	fill(reflect.ValueOf(o).Elem(), new(int))
	return o
}

func small() *results.Outcome {
	o := &results.Outcome{Schema: results.Schema, Status: results.OK, Attempts: 1, SecondsFit: 0.25, Started: time.Now().UTC()}
	for _, name := range []string{"test_mse", "train_mse", "nonzero", "selected", "seconds_fit"} {
		o.Scores = append(o.Scores, results.Score{Metric: name, Point: -1, Value: 1.5})
	}
	o.Selected = []results.Selected{{Feature: "a"}, {Rank: 1, Feature: "b"}}
	return o
}

func encoded(t testing.TB, o *results.Outcome) []byte {
	t.Helper()
	b, err := encodeCell(unit, o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func opened(t testing.TB) *Journal {
	t.Helper()
	j, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestRoundTrip(t *testing.T) {
	extreme := &results.Outcome{
		Attempts: math.MaxInt32, Nonzero: math.MinInt32, RowsTrain: math.MaxInt64, RowsTest: math.MinInt64,
		SecondsFit: math.Inf(1), SecondsPredict: math.Copysign(0, -1), Limit: math.MaxInt64,
	}
	timeout := &results.Outcome{Status: results.Timeout, Error: "too slow", Path: []results.Point{{Step: 10, Nonzero: 2}}}
	weights := &results.Outcome{Predictions: results.Predictions{Row: []string{"a", "b"}, Weight: []float64{0.5, 2}}}
	margins := &results.Outcome{Predictions: results.Predictions{Row: []string{"a", "b"}, Margin: []float64{-50, math.Inf(1)}, LogProbability: []float64{-5000, math.Inf(-1)}}}
	probabilities := &results.Outcome{Predictions: results.Predictions{Row: []string{"a"}, LogProbability: []float64{-1e-300}}}
	for name, want := range map[string]*results.Outcome{"every field": full(), "margins": margins, "log-probabilities": probabilities, "empty": {}, "extreme": extreme, "timeout": timeout, "weights": weights} {
		t.Run(name, func(t *testing.T) {
			j := opened(t)
			if err := j.Put(unit, want); err != nil {
				t.Fatal(err)
			}
			got, ok, err := j.Get(unit)
			if err != nil || !ok {
				t.Fatalf("Get: %v, %v", ok, err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if h, ok := j.Head(unit); !ok || h != want.Head() {
				t.Errorf("Head: %v %+v, want %+v", ok, h, want.Head())
			}
		})
	}
}

// What an outcome lacks it lacks when it is read again.
func TestAbsentParts(t *testing.T) {
	j := opened(t)
	for name, remove := range map[string]func(o *results.Outcome){
		"bits":       func(o *results.Outcome) { o.Selected[0].Bits, o.Selected[len(o.Selected)-1].Bits = nil, nil },
		"units":      func(o *results.Outcome) { o.Selected[0].Unit, o.Selected[0].Kept = "", false },
		"curves":     func(o *results.Outcome) { o.Predictions.Curves = nil },
		"margins":    func(o *results.Outcome) { o.Predictions.Margin, o.Predictions.LogProbability = nil, nil },
		"weights":    func(o *results.Outcome) { o.Predictions.Weight = nil },
		"parameters": func(o *results.Outcome) { o.Path[0].Parameter = "" },
		"artefact":   func(o *results.Outcome) { o.Artefact, o.Clusters = nil, nil },
	} {
		want := full()
		remove(want)
		if err := j.Put(unit, want); err != nil {
			t.Fatal(err)
		}
		if got, _, err := j.Get(unit); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("without %s: %v: %+v", name, err, got)
		}
	}
}

// TestFloats stores floats that no comparison tells from others, alone and between others, and wants their bits back.
func TestFloats(t *testing.T) {
	negative, nan := math.Copysign(0, -1), math.Float64frombits(0x7ff8000000000123)
	for _, x := range []float64{negative, 0, nan, math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64, -1} {
		for _, y := range []float64{negative, 1} {
			o := &results.Outcome{
				CPUSeconds:  x,
				Scores:      []results.Score{{Value: y}, {Value: x}, {}},
				Selected:    []results.Selected{{Coefficient: x, Score: y, Bits: &results.Bits{}}, {Bits: &results.Bits{Index: x}}, {Score: x}},
				Path:        []results.Point{{TrainError: y}, {ParameterValue: x, Seconds: y}},
				Clusters:    []results.Cluster{{Members: []results.Member{{Nearest: x}, {Nearest: y}}}},
				Predictions: results.Predictions{Truth: []float64{x, y, x}, Curves: []results.Curve{{Hazard: []float64{y, x}}}},
			}
			j := opened(t)
			if err := j.Put(unit, o); err != nil {
				t.Fatal(err)
			}
			got, _, err := j.Get(unit)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(floats(got), floats(o)) || (got.Selected[0].Bits == nil) {
				t.Errorf("%v, %v: got %x, want %x", x, y, floats(got), floats(o))
			}
		}
	}
}

// floats returns the bits of all floats of an outcome.
func floats(o *results.Outcome) (bits []uint64) {
	add := func(v float64) { bits = append(bits, math.Float64bits(v)) }
	eachFloat(reflect.ValueOf(o), func(v reflect.Value) { add(v.Float()) })
	for _, v := range slices.Concat(o.Predictions.Truth, o.Predictions.Curves[0].Hazard) {
		add(v)
	}
	return bits
}

// Slices without elements are read as nil, those of structs and numbers alike.
func TestEmptySlices(t *testing.T) {
	j := opened(t)
	want := small()
	o := small()
	want.Started, want.Clusters = o.Started, []results.Cluster{{Number: 1}}
	o.Notes, o.Path, o.Artefact, o.Predictions.Truth = []string{}, []results.Point{}, []byte{}, []float64{}
	o.Clusters = []results.Cluster{{Number: 1, Members: []results.Member{}}}
	if err := j.Put(unit, o); err != nil {
		t.Fatal(err)
	}
	if got, _, err := j.Get(unit); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: got %+v, want %+v", err, got, want)
	}
}

func TestAbsent(t *testing.T) {
	j := opened(t)
	if _, ok, err := j.Get(unit); ok || err != nil {
		t.Errorf("Get: %v, %v", ok, err)
	}
	if _, ok := j.Head(unit); ok {
		t.Error("Head found something")
	}
	if keys, err := j.Keys(); len(keys) > 0 || err != nil {
		t.Errorf("Keys: %v, %v", keys, err)
	}
	if err := j.Remove(unit); err != nil {
		t.Error(err)
	}
}

// TestPlace pins the layout that people rely on to delete one result.
func TestPlace(t *testing.T) {
	j := opened(t)
	for _, u := range []string{"c0ffee", "c0de", "ab12"} {
		if err := j.Put(u, small()); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(string(j.run), "cells", "c0", "c0de.cell")); err != nil {
		t.Fatal(err)
	}
	keys, err := j.Keys()
	if err != nil || !slices.Equal(keys, []string{"ab12", "c0ffee"}) {
		t.Errorf("Keys: %v, %v", keys, err)
	}
	if err := j.Remove("ab12"); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := j.Get("ab12"); ok || err != nil {
		t.Errorf("after Remove: %v, %v", ok, err)
	}
}

func TestKeys(t *testing.T) {
	j := opened(t)
	for _, bad := range []string{"", "a", "../x", "AB", "ab/cd", "xyz"} {
		if err := j.Put(bad, small()); err == nil {
			t.Errorf("key %q was accepted", bad)
		}
	}
}

// TestDamage cuts a stored outcome short everywhere and changes each of its bytes: nothing may pass for a result.
func TestDamage(t *testing.T) {
	j := opened(t)
	var warned int
	j.Warn = func(error) { warned++ }
	if err := j.Put(unit, small()); err != nil {
		t.Fatal(err)
	}
	name, _ := j.unitPath(unit)
	path := j.run.Path(name)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(b []byte, what string) {
		t.Helper()
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		before := warned
		_, ok, err := j.Get(unit)
		if ok || err == nil || !strings.Contains(err.Error(), path) {
			t.Fatalf("%s: Get: %v, %v", what, ok, err)
		}
		if _, ok := j.Head(unit); ok || warned != before+1 {
			t.Fatalf("%s: Head: %v, %d warnings", what, ok, warned-before)
		}
	}
	for n := range whole {
		flipped := slices.Clone(whole)
		flipped[n] ^= 0x10
		for what, b := range map[string][]byte{"cut there": whole[:n], "changed": flipped} {
			if _, err := checkCell(unit, b); err == nil {
				t.Fatalf("byte %d %s: no error", n, what)
			}
		}
	}
	refused(whole[:len(whole)/2], "half a file")
	refused(nil, "an empty file")
	refused(append(slices.Clone(whole), 0), "a byte too many")
	if err := j.Put(unit, small()); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := j.Get(unit); !ok || err != nil {
		t.Errorf("a damaged file was not replaced: %v, %v", ok, err)
	}
}

// TestOtherUnit: a file that was copied to another unit's name is not that unit's outcome.
func TestOtherUnit(t *testing.T) {
	j := opened(t)
	if err := j.Put(unit, small()); err != nil {
		t.Fatal(err)
	}
	of, _ := j.unitPath(unit)
	other, _ := j.unitPath("c0ffff")
	from, to := j.run.Path(of), j.run.Path(other)
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := j.Get("c0ffff"); ok || err == nil || !strings.Contains(err.Error(), unit) {
		t.Errorf("Get: %v, %v", ok, err)
	}
}

// TestConcurrent has several journals, as several processes would, write the same and other units while readers look.
func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			j, err := Open(dir)
			if err != nil {
				t.Error(err)
				return
			}
			for k := range 50 {
				if err := j.Put(fmt.Sprintf("aa%02x", k), small()); err != nil {
					t.Error(err)
				}
				if _, _, err := j.Get(fmt.Sprintf("aa%02x", (k+w)%50)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	j, _ := Open(dir)
	if keys, err := j.Keys(); len(keys) != 50 || err != nil {
		t.Errorf("%d keys, %v", len(keys), err)
	}
}

func TestUnwritable(t *testing.T) {
	j := opened(t)
	if err := j.Put("aa01", small()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(string(j.run), "cells", "bb"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := j.Put("bb01", small()); err == nil {
		t.Error("a file took the place of a folder, and Put saw nothing")
	}
	if _, ok, err := j.Get("aa01"); !ok || err != nil {
		t.Errorf("an earlier outcome is gone: %v, %v", ok, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file); err == nil {
		t.Error("a file was opened as a run's folder")
	}
}

// TestLeftovers: what killed writers left is never taken for an outcome, and goes when it is old.
func TestLeftovers(t *testing.T) {
	j := opened(t)
	if err := j.Put(unit, small()); err != nil {
		t.Fatal(err)
	}
	old, young := filepath.Join(string(j.run), "cells", "c0", ".tmp-1"), filepath.Join(string(j.run), ".tmp-2")
	oldTop := filepath.Join(string(j.run), ".tmp-3")
	for _, path := range []string{old, young, oldTop} {
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{old, oldTop} {
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-2*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	again, err := Open(string(j.run))
	if err != nil {
		t.Fatal(err)
	}
	for path, kept := range map[string]bool{old: false, oldTop: false, young: true} {
		if _, err := os.Stat(path); (err == nil) != kept {
			t.Errorf("%s: kept %v, want %v", path, err == nil, kept)
		}
	}
	if keys, err := again.Keys(); !slices.Equal(keys, []string{unit}) || err != nil {
		t.Errorf("Keys: %v, %v", keys, err)
	}
}

// FuzzDecode gives the decoder what a checksum would have refused.
func FuzzDecode(f *testing.F) {
	for _, o := range []*results.Outcome{full(), small(), {}} {
		f.Add(encoded(f, o)[header:])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := openCell(unit, b)
		if err != nil {
			return
		}
		o, err := c.decodeOutcome()
		if err != nil {
			return
		}
		again, err := openCell(unit, encoded(t, o)[header:])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := again.decodeOutcome(); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzCheck(f *testing.F) {
	f.Add(encoded(f, small()))
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, err := checkCell(unit, b); err == nil {
			_, _ = c.decodeOutcome()
		}
	})
}

func BenchmarkPutGet(b *testing.B) {
	j, o := opened(b), small()
	k := 0
	b.ReportAllocs()
	for b.Loop() {
		k++
		u := fmt.Sprintf("%02x%06x", k%256, k)
		if err := j.Put(u, o); err != nil {
			b.Fatal(err)
		}
		if _, ok, err := j.Get(u); !ok {
			b.Fatal(err)
		}
	}
}

func BenchmarkHead(b *testing.B) {
	j := opened(b)
	if err := j.Put(unit, small()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, ok := j.Head(unit); !ok {
			b.Fatal("absent")
		}
	}
}

// BenchmarkLarge is an outcome with 20,000 predictions and a path of 5,000 points.
func BenchmarkLarge(b *testing.B) {
	o := small()
	o.Path = make([]results.Point, 5000)
	for i := range 20000 {
		x := float64(i)
		p := &o.Predictions
		p.Row, p.Group, p.Output = append(p.Row, fmt.Sprint("row", i)), append(p.Group, fmt.Sprint(i/4)), append(p.Output, "")
		p.Truth, p.Prediction, p.Score = append(p.Truth, x*1.1), append(p.Prediction, x*1.2), append(p.Score, math.NaN())
	}
	for name, run := range map[string]func() error{
		"encode": func() error { _, err := encodeCell(unit, o); return err },
		"decode": func() error {
			c, err := checkCell(unit, encoded(b, o))
			if err == nil {
				_, err = c.decodeOutcome()
			}
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := run(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(encoded(b, o))), "bytes")
		})
	}
}
