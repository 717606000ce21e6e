package journal

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"tenfold/engines"
)

func sound() error { return nil }

// result returns a result with numbers that show whether all bits survive.
func result(k int, seconds float64) InnerResult {
	r := InnerResult{seconds, seconds / 2, engines.Yield{Values: []float64{float64(k), math.Copysign(0, -1), math.Inf(1)}}}
	if k%2 == 1 {
		r.Notes = []string{"one", "", "zwölf"}
	}
	return r
}

func innerKey(k int) InnerKey { return InnerKey{byte(k), 1, 15: byte(k >> 8)} }

// onlyLog returns the log of a run with one log.
func onlyLog(t *testing.T, run string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(run, innerFolder, "ab", "*"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	return paths[0]
}

// A log that is cut off anywhere, as by a kill, has the records before; one with a wrong byte has them, too, and the warning says where.
func TestInnerLogsAreCut(t *testing.T) {
	t.Parallel()
	run := t.TempDir()
	var warned []error
	j := At(run)
	j.Warn = func(err error) { warned = append(warned, err) }
	l := j.Inner("ab", sound)
	for k := range 5 {
		l.Put(innerKey(k), result(k, 1))
	}
	path := onlyLog(t, run)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	know := func(content []byte) (n int) {
		t.Helper()
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		l := j.Inner("ab", sound)
		for k := range 5 {
			if r, ok := l.Get(innerKey(k)); ok {
				if n++; !reflect.DeepEqual(r, result(k, 1)) {
					t.Fatalf("result %d: %v", k, r)
				}
			}
		}
		return n
	}
	for cut, before := 0, 0; cut <= len(content); cut++ {
		n := know(content[:cut])
		if n < before || n > before+1 || len(warned) > 0 {
			t.Fatalf("cut at %d: %d results, %d with a byte less; %v", cut, n, before, warned)
		}
		before = n
	}
	lengths := map[int]bool{} // bytes of lengths: with a larger one, a record looks cut off
	for start := len(innerMagic); start < len(content); start += 8 + int(binary.LittleEndian.Uint32(content[start:])) {
		for k := range 4 {
			lengths[start+k] = true
		}
	}
	for at := range content {
		damaged := append([]byte{}, content...)
		damaged[at] ^= 0x10
		warned = nil
		if n := know(damaged); n == 5 || len(warned) == 0 && !lengths[at] {
			t.Fatalf("a wrong byte at %d: %d results, %v", at, n, warned)
		}
	}
}

// Results of several goroutines and processes end in one log, and no other process loses what it has; neither unsound results are written
// nor such that are large for the time that they took.
func TestInnerLogsAreJoined(t *testing.T) {
	t.Parallel()
	run := t.TempDir()
	j := At(run)
	first, second := j.Inner("ab", sound), j.Inner("ab", sound)
	var work sync.WaitGroup
	for k := range 200 {
		work.Go(func() { first.Put(innerKey(k), result(k, 1e-4)) })
		work.Go(func() { second.Put(innerKey(1000+k), result(k, 1e-3)) })
	}
	work.Wait()
	first.Close()
	second.Close()
	j.Inner("ab", sound).Close()
	onlyLog(t, run)
	third := j.Inner("ab", func() error { return errors.New("the data changed") })
	for k := range 200 {
		for _, key := range []InnerKey{innerKey(k), innerKey(1000 + k)} {
			if _, ok := third.Get(key); !ok {
				t.Fatalf("result %d is lost", k)
			}
		}
	}
	third.Put(innerKey(9000), result(1, 1))
	third.Close()
	large := InnerResult{Seconds: 1e-3, Yield: engines.Yield{Values: make([]float64, 1<<20)}}
	fourth := j.Inner("ab", sound)
	fourth.Put(innerKey(9001), large)
	fourth.Close()
	last := j.Inner("ab", sound)
	for _, k := range []int{9000, 9001} {
		if _, ok := last.Get(innerKey(k)); ok {
			t.Errorf("result %d was written", k)
		}
	}
	parts, err := j.InnerParts()
	if err != nil || len(parts) != 1 || parts["ab"] == 0 {
		t.Error(parts, err)
	}
	if err := j.RemoveInner("ab"); err != nil {
		t.Error(err)
	}
	if parts, err := j.InnerParts(); err != nil || len(parts) != 0 {
		t.Error(parts, err)
	}
}

// BenchmarkInnerPut keeps the result of a fit of three folds' worth of numbers.
func BenchmarkInnerPut(b *testing.B) {
	l := At(b.TempDir()).Inner("ab", sound)
	for k := 0; b.Loop(); k++ {
		l.Put(InnerKey{byte(k), byte(k >> 8), byte(k >> 16), byte(k >> 24)}, result(0, 1e-4))
	}
}
