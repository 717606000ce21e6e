package execute_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/registry"
	"tenfold/io/journal"
	"tenfold/io/results"
	"tenfold/runner/execute"
)

// numbered is an engine inside others.
type numbered struct {
	scripted
	N int `yaml:"n"`
}

func (e numbered) Identity() (string, bool) { return fmt.Sprint(e.N), e.N > 0 }

// works runs one unit whose fit does these works, and returns its outcome and what was done.
func works(t *testing.T, run string, revision int, fit func(run engines.Run, done func(w engines.Work, values ...float64) engines.Yield) error) (*results.Outcome, []string) {
	t.Helper()
	var did []string
	u := unit("u", split(dataset(t)), func(_ context.Context, run engines.Run) (engines.Model, error) {
		err := fit(run, func(w engines.Work, values ...float64) engines.Yield {
			y, _, err := run.Recalled(w, func(engines.Run) (engines.Yield, error) {
				did = append(did, w.What)
				return engines.Yield{Values: values, Notes: []string{w.What}}, nil
			})
			if err != nil || len(y.Notes) != 1 || y.Notes[0] != w.What {
				t.Errorf("%s: %v, %v", w.What, y, err)
			}
			return y
		})
		return model(run.Train.Columns(), 0.5), err
	})
	st, revisions := &store{got: map[string]*results.Outcome{}}, registry.Revisions{}
	revisions.Add("numbered", revision, numbered{})
	if err := execute.Run(t.Context(), []*execute.Unit{u}, st, execute.Options{Jobs: 1, Inner: journal.At(run), Revisions: revisions}); err != nil {
		t.Fatal(err)
	}
	if o := st.got["u"]; o.Status != results.OK {
		t.Fatal(o.Error)
	}
	return st.got["u"], did
}

// A work is done once, whoever asks for it: in the same fit, in another one, or after a restart. Anything that it depends on makes another
// work of it.
func TestWorksAreDoneOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	all := func(run engines.Run, done func(engines.Work, ...float64) engines.Yield) error {
		narrow := run.Train.Narrow([]int32{0, 2})
		for k, w := range []engines.Work{
			{What: "a", Engine: numbered{N: 1}, On: []*data.View{run.Train}},
			{What: "b", Engine: numbered{N: 1}, On: []*data.View{run.Train}},
			{What: "a", Engine: numbered{N: 2}, On: []*data.View{run.Train}},
			{What: "a", Engine: numbered{N: 1}, On: []*data.View{run.Train.Sub([]int32{0})}},
			{What: "a", Engine: numbered{N: 1}, On: []*data.View{run.Train.Sub([]int32{1})}},
			{What: "a", Engine: numbered{N: 1}, On: []*data.View{run.Train.Sub([]int32{1}), run.Train.Sub([]int32{0})}},
			{What: "a", Engine: numbered{N: 1}, On: []*data.View{narrow}},
			{What: "a", Engine: numbered{N: 1}, On: []*data.View{run.Train}, Columns: []int32{}},
			{What: "a", Engine: numbered{N: 1}, On: []*data.View{run.Train}, Columns: []int32{0, 1}},
			{What: "a", Engine: numbered{N: 1}, On: []*data.View{run.Train}, Seed: [2]uint64{1, 0}},
			{What: "a", Engine: numbered{N: 1}, On: []*data.View{run.Train}, Seed: [2]uint64{0, 1}},
		} {
			for range 2 {
				if y := done(w, float64(k)); len(y.Values) != 1 || y.Values[0] != float64(k) {
					t.Errorf("work %d: %v", k, y.Values)
				}
			}
		}
		return nil
	}
	if _, did := works(t, dir, 1, all); len(did) != 11 {
		t.Errorf("done at first: %q", did)
	}
	if _, did := works(t, dir, 1, all); len(did) != 0 {
		t.Errorf("done again: %q", did)
	}
	if _, did := works(t, dir, 2, all); len(did) != 11 {
		t.Errorf("done by an engine of another revision: %q", did)
	}
}

// What fails, what opened a file that nobody declared, and what cannot be told from others is done again. A fit takes the time that its
// works took when they were done.
func TestWorksAreDoneAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	calls := 0
	fit := func(run engines.Run, _ func(engines.Work, ...float64) engines.Yield) error {
		one := func(what string, n int, do func(inside engines.Run) error) {
			_, _, _ = run.Recalled(engines.Work{What: what, Engine: numbered{N: n}, On: []*data.View{run.Train}}, func(inside engines.Run) (engines.Yield, error) {
				calls++
				return engines.Yield{}, do(inside)
			})
		}
		one("fails", 1, func(engines.Run) error { return errors.New("singular") })
		one("opens", 1, func(inside engines.Run) error { inside.Opened(data.Fact{Name: "f"}); return nil })
		one("unknown", 0, func(engines.Run) error { return nil })
		one("slow", 1, func(inside engines.Run) error {
			_, _, err := inside.Recalled(engines.Work{What: "inside", Engine: numbered{N: 1}, On: []*data.View{run.Train}}, func(engines.Run) (engines.Yield, error) {
				time.Sleep(100 * time.Millisecond)
				return engines.Yield{}, nil
			})
			return err
		})
		one("after", 1, func(inside engines.Run) error {
			_, _, err := inside.Recalled(engines.Work{What: "inside", Engine: numbered{N: 1}, On: []*data.View{run.Train}}, func(engines.Run) (engines.Yield, error) {
				return engines.Yield{}, errors.New("done twice")
			})
			return err
		})
		return nil
	}
	for try, want := range []int{5, 3, 3} {
		calls = 0
		if o, _ := works(t, dir, 1, fit); calls != want || o.SecondsFit < 0.2 {
			t.Errorf("run %d: %d works done, want %d; the fit took %v s", try, calls, want, o.SecondsFit)
		}
	}
}
