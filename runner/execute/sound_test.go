package execute_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"tenfold/engines"
	"tenfold/engines/numeric/parallel"
	"tenfold/io/results"
	"tenfold/runner/execute"
)

// TestUnsoundData: once the data are not what was loaded, nothing more is stored, and the run ends with the reason.
func TestUnsoundData(t *testing.T) {
	t.Parallel()
	d := dataset(t)
	s := &store{got: map[string]*results.Outcome{}}
	var units []*execute.Unit
	for _, name := range []string{"a", "b", "c", "d"} {
		units = append(units, &execute.Unit{Label: results.Label{Unit: name}, Split: split(d), Engine: scripted{succeed}})
	}
	spoilt := errors.New("spoilt")
	var asked atomic.Int32
	err := execute.Run(t.Context(), units, s, execute.Options{Jobs: 1, CheckData: func() error {
		if asked.Add(1) > 2 {
			return spoilt
		}
		return nil
	}})
	if !errors.Is(err, spoilt) || len(s.got) != 2 || asked.Load() != 3 {
		t.Errorf("%v; stored %d, asked %d times", err, len(s.got), asked.Load())
	}
}

// tornStore cannot read the names of an outcome: they lie in a file that was cut short after the fit.
type tornStore struct{ store }

func (*tornStore) Put(string, *results.Outcome) error { panic("unexpected fault address") }

// TestUnsoundWhileStored: data that are cut short after a fit, while its outcome is stored, end the run with that reason.
func TestUnsoundWhileStored(t *testing.T) {
	t.Parallel()
	spoilt := errors.New("spoilt")
	asked := 0
	opt := execute.Options{Jobs: 1, CheckData: func() error {
		if asked++; asked > 1 {
			return spoilt
		}
		return nil
	}}
	unit := &execute.Unit{Label: results.Label{Unit: "a"}, Split: split(dataset(t)), Engine: scripted{succeed}}
	if err := execute.Run(t.Context(), []*execute.Unit{unit}, &tornStore{}, opt); !errors.Is(err, spoilt) {
		t.Errorf("%v, want %v", err, spoilt)
	}
	opt.CheckData = nil
	unit.Split = split(dataset(t))
	if err := execute.Run(t.Context(), []*execute.Unit{unit}, &tornStore{}, opt); err == nil || !strings.Contains(err.Error(), "storing a result: panic: unexpected fault address") {
		t.Errorf("%v", err)
	}
}

// TestPanicOfAHelper: a panic on another goroutine of a fit is the end of that fit alone, and says where it was.
func TestPanicOfAHelper(t *testing.T) {
	t.Parallel()
	s := &store{got: map[string]*results.Outcome{}}
	wild := func(context.Context, engines.Run) (engines.Model, error) {
		parallel.Each(4, 100, func(k int) {
			if k == 50 {
				panic("wild")
			}
		})
		return nil, nil
	}
	d := dataset(t)
	err := execute.Run(t.Context(), []*execute.Unit{
		{Label: results.Label{Unit: "a"}, Split: split(d), Engine: scripted{wild}}, {Label: results.Label{Unit: "b"}, Split: split(d), Engine: scripted{succeed}},
	}, s, execute.Options{Jobs: 2})
	if err != nil || s.got["a"] == nil || s.got["b"] == nil {
		t.Fatal(err, s.got)
	}
	if a := s.got["a"]; a.Status != results.Failed || !strings.HasPrefix(a.Error, "panic: wild\n") || s.got["b"].Status != results.OK {
		t.Errorf("%v %q, %v", a.Status, a.Error, s.got["b"].Status)
	}
}
