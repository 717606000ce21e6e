package convex

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

func TestStop(t *testing.T) {
	t.Parallel()
	proof := engines.Certificate{Objective: 50, Dual: 49} // a gap of 1
	for _, c := range []struct {
		of         Criterion
		iterations int
		stalled    bool
		want       string
	}{
		{Criterion{Tol: 0.02, MaxIter: 9}, 0, false, Gap}, // a fiftieth of the objective
		{Criterion{Tol: 0.019, MaxIter: 9}, 0, false, ""},
		{Criterion{Tol: 0.02, MaxIter: 9, Null: 200}, 0, false, Gap},
		{Criterion{Tol: 0.02, MaxIter: 9, Null: 49}, 0, false, ""}, // of the null model's
		{Criterion{Tol: 0.01, MaxIter: 9}, 9, false, MaxIter},
		{Criterion{Tol: 0.01, MaxIter: 9}, 8, true, Precision},
		{Criterion{Tol: 0.01, MaxIter: 9}, 9, true, Precision}, // more iterations would not help
		{Criterion{Tol: 0.02, MaxIter: 9}, 9, true, Gap},
	} {
		if got := c.of.Stop(proof, c.iterations, c.stalled); got != c.want {
			t.Errorf("%+v after %d iterations, stalled %v: %q, expected %q", c.of, c.iterations, c.stalled, got, c.want)
		}
	}
	small := engines.Certificate{Objective: 0.5, Dual: 0.4}
	if (Criterion{Tol: 0.09}).Met(small) || !(Criterion{Tol: 0.11}).Met(small) {
		t.Error("of an objective below 1 the gap counts as it is")
	}
}

func TestNotes(t *testing.T) {
	t.Parallel()
	out := Outcome{Certificate: engines.Certificate{Objective: 50, Dual: 45}, Stop: MaxIter, Iterations: 3}
	for _, c := range []struct {
		of   Criterion
		want string
	}{
		{Criterion{Tol: 0.01}, "not converged: after 3 iterations (stop: max_iter) the duality gap is 0.1 of the objective, tol is 0.01"},
		{Criterion{Tol: 0.01, Null: 100}, "not converged: after 3 iterations (stop: max_iter) the duality gap is 0.05 of the null model's objective, tol is 0.01"},
		{Criterion{Tol: 0.2}, ""},
	} {
		if got := strings.Join(c.of.Notes(out), "|"); got != c.want {
			t.Errorf("%q, expected %q", got, c.want)
		}
	}
}

// soft is the problem of orthogonal columns with the given gradients at 0: a column is selected where its gradient exceeds λ.
type soft struct {
	gradient []float64
	lambda   float64
	solved   []float64 // λ and least of every call
	traced   []float64 // iter and λ
	broken   float64   // λ at which it fails
}

func (s *soft) LambdaMax() float64 { return 8 }

func (s *soft) Selected() (n int) {
	for _, g := range s.gradient {
		if g > s.lambda {
			n++
		}
	}
	return n
}

func (s *soft) Loss() (loss float64) {
	for _, g := range s.gradient {
		loss += min(g, s.lambda) * min(g, s.lambda) / 2
	}
	return loss
}

var errBroken = errors.New("broken")

func (s *soft) Solve(_ context.Context, lambda, least float64) (Outcome, error) {
	if s.broken > 0 && lambda <= s.broken {
		return Outcome{}, errBroken
	}
	s.lambda = lambda
	s.solved = append(s.solved, lambda, least)
	return Outcome{Stop: Gap, Iterations: 2}, nil
}

func (s *soft) Trace(iter int, lambda float64) { s.traced = append(s.traced, float64(iter), lambda) }

func (s *soft) Model(lambda float64, out Outcome) engines.Model {
	out.AddFact("lambda", "%v", lambda)
	out.AddFact("selected", "%d", s.Selected())
	return engines.NewLinear(len(s.gradient), []float64{0}, nil, out.Fitted())
}

func newSoft() *soft { return &soft{gradient: []float64{8, 5, 3, 1.5}, lambda: 8} }

func told(m engines.Model) string {
	f := m.(engines.Reporter).Fitted()
	return fmt.Sprintf("λ %s selects %s after %d", f.Facts[0].Value, f.Facts[1].Value, f.Iterations)
}

// The penalties from 8 to 1 by halves are 4, 2, 1, which select 2, 3 and 4 columns.
func TestFollow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name           string
		path           Path
		lambda         float64
		at             []int
		want           string
		kept           []string
		solved, traced []float64
	}{
		{
			"to its end", Path{Steps: 3}, 1, nil, "λ 1 selects 4 after 6", nil,
			[]float64{4, 1, 2, 1, 1, 0}, []float64{0, 8, 1, 4, 2, 2, 3, 1},
		},
		{
			"sizes", Path{Steps: 3}, 1, []int{0, 1, 2, 3, 9}, "λ 1 selects 4 after 6",
			[]string{"0: λ 8 selects 0 after 0", "1: λ 8 selects 0 after 0", "2: λ 4 selects 2 after 2", "3: λ 2 selects 3 after 4"}, // the path ends before 9
			[]float64{4, 1, 2, 1, 1, 0}, []float64{0, 8, 1, 4, 2, 2, 3, 1},
		},
		{
			"a limit", Path{Steps: 3, Features: 2}, 1, []int{1, 3}, "λ 4 selects 2 after 2",
			[]string{"1: λ 8 selects 0 after 0", "3: λ 4 selects 2 after 2"},
			[]float64{4, 1, 2, 1}, []float64{0, 8, 1, 4},
		},
		{"nothing to select", Path{Steps: 3}, 16, []int{1}, "λ 16 selects 0 after 2", nil, []float64{16, 0}, []float64{0, 16, 3, 16}},
	} {
		s := newSoft()
		var kept []string
		run := engines.Run{At: c.at, Keep: func(size int, m engines.Model) { kept = append(kept, fmt.Sprintf("%d: %s", size, told(m))) }}
		m, err := c.path.Follow(t.Context(), run, s, Outcome{Stop: Gap}, c.lambda)
		if err != nil {
			t.Fatal(err)
		}
		if got := told(m); got != c.want {
			t.Errorf("%s: %s, expected %s", c.name, got, c.want)
		}
		if !reflect.DeepEqual(kept, c.kept) {
			t.Errorf("%s: kept %q, expected %q", c.name, kept, c.kept)
		}
		if !near(s.solved, c.solved) || !near(s.traced, c.traced) {
			t.Errorf("%s: solved %v, traced %v, expected %v and %v", c.name, s.solved, s.traced, c.solved, c.traced)
		}
	}
	broken := newSoft()
	broken.broken = 3
	if _, err := (Path{Steps: 3}).Follow(t.Context(), engines.Run{}, broken, Outcome{}, 1); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}

// Without a path one penalty is solved, and traced before and after.
func TestFit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		steps          int
		lambda         float64
		want           string
		solved, traced []float64
	}{
		{0, 2, "λ 2 selects 3 after 2", []float64{2, 0}, []float64{0, 8, 1, 2}},
		{0, 16, "λ 16 selects 0 after 2", []float64{16, 0}, []float64{0, 16, 1, 16}},
		{2, 2, "λ 2 selects 3 after 6", []float64{8, 2, 4, 2, 2, 0}, []float64{0, 8, 1, 4, 2, 2}},
	} {
		s := newSoft()
		m, err := Path{Steps: c.steps}.Fit(t.Context(), engines.Run{}, s, c.lambda)
		if err != nil {
			t.Fatal(err)
		}
		if got := told(m); got != c.want || !near(s.solved, c.solved) || !near(s.traced, c.traced) {
			t.Errorf("%d steps to %v: %s, solved %v, traced %v", c.steps, c.lambda, got, s.solved, s.traced)
		}
	}
	for _, steps := range []int{0, 2} {
		broken := newSoft()
		broken.broken = 9
		if _, err := (Path{Steps: steps}).Fit(t.Context(), engines.Run{}, broken, 2); !errors.Is(err, errBroken) {
			t.Error(err)
		}
	}
}

func near(got, want []float64) bool {
	for k, w := range want {
		if k >= len(got) || got[k]-w > 1e-12 || w-got[k] > 1e-12 {
			return false
		}
	}
	return len(got) == len(want)
}

func TestAlong(t *testing.T) {
	t.Parallel()
	s, kept := newSoft(), []string(nil)
	keep := func(i int, m engines.Model) { kept = append(kept, fmt.Sprintf("%d: %s", i, told(m))) }
	points := engines.PathPoints{Parameter: "lambda", Values: []float64{4, 1, 2, 0.01, 0.001}, MayEnd: true}
	if err := Along(t.Context(), s, "lambda", points, 8, keep); err != nil {
		t.Fatal(err)
	}
	want := []string{"0: λ 4 selects 2 after 2", "2: λ 2 selects 3 after 2", "1: λ 1 selects 4 after 2", "3: λ 0.01 selects 4 after 2"} // saturated
	if !reflect.DeepEqual(kept, want) || !near(s.solved, []float64{4, 0.001, 2, 0.001, 1, 0.001, 0.01, 0.001}) {
		t.Errorf("%q, solved %v", kept, s.solved)
	}
	s, kept, points.MayEnd = newSoft(), nil, false
	if err := Along(t.Context(), s, "lambda", points, 8, keep); err != nil || len(kept) != 5 || kept[4] != "4: λ 0.001 selects 4 after 2" {
		t.Errorf("a path that may not end: %q, %v", kept, err)
	}
	s = newSoft()
	s.broken = 3
	if err := Along(t.Context(), s, "lambda", points, 8, keep); !errors.Is(err, errBroken) {
		t.Error(err)
	}
	if _, err := Fit(t.Context(), s, 2); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}

func TestStrength(t *testing.T) {
	t.Parallel()
	along := Path{Steps: 9}
	for _, c := range []struct {
		path                   Path
		lambda, ratio, largest float64
		want                   float64
	}{
		{Path{}, 3, 0, 8, 3}, {along, 3, 0, 8, 3}, {Path{}, 0, 0.25, 8, 2}, {along, 0, 0.25, 8, 2},
		{Path{}, 0, 0, 8, 0.8}, {along, 0, 0, 8, 0.08},
		{Path{}, 3, 0, 0, 3}, {Path{}, 0, 0.25, 0, 1}, {Path{}, 0, 0, 0, 1}, {along, 0, 0, 0, 1}, // nothing goes with the target
	} {
		if got := c.path.Strength(c.lambda, c.ratio, c.largest); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if got, err := penalties("lambda", engines.PathPoints{Parameter: "lambda_ratio", Values: []float64{1, 0.5}}, 8); !near(got, []float64{8, 4}) || err != nil {
		t.Error(got, err)
	}
	if got, err := penalties("lambda", engines.PathPoints{Parameter: "lambda", Values: []float64{9, 0.5}}, 8); !near(got, []float64{9, 0.5}) || err != nil {
		t.Error(got, err)
	}
	for _, bad := range []float64{0, -1, 1.5} {
		if _, err := penalties("c1", engines.PathPoints{Parameter: "c1_ratio", Values: []float64{0.5, bad}}, 8); err == nil || err.Error() != fmt.Sprintf("c1_ratio %v, expected a share above 0, at most 1", bad) {
			t.Error(err)
		}
	}
	if _, err := penalties("c1", engines.PathPoints{Parameter: "c1", Values: []float64{0}}, 8); err == nil || err.Error() != "c1 0, expected a number above 0" {
		t.Error(err)
	}
	if got := StrengthFact("c1", 2, 8).Value; got != "2 (selects nothing from 8 on)" {
		t.Error(got)
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want string
	}{
		{Path{}.ValidatePath(), ""},
		{Path{Steps: 2, Features: 1}.ValidatePath(), ""},
		{Path{Steps: -1}.ValidatePath(), "path"},
		{Path{Steps: 2, Features: -1}.ValidatePath(), "features"},
		{Path{Steps: 1, Features: 1}.ValidatePath(), "features"},
		{RequireRatio("c1", 0, 0, 1), ""},
		{RequireRatio("c1", 0, 0, 1.5), "c1_ratio"},
		{RequireRatio("lambda", 0, 0, -1), "lambda_ratio"},
		{RequireRatio("lambda", 2, 0, 0), ""},
		{RequireRatio("lambda", 2, 0, 0.5), "lambda"},
	} {
		if got := enginetest.Fields(c.err); got != c.want {
			t.Errorf("%v is of %q, expected %q", c.err, got, c.want)
		}
	}
}

func TestTraceStep(t *testing.T) {
	t.Parallel()
	if s := Step(3, 0.5, 7, "c1", 2); s.Iter != 3 || s.TrainError != 0.5 || s.Active != 7 || !s.Whole || s.Changed.Feature != -1 || s.Parameter != "c1" || s.ParameterValue != 2 {
		t.Errorf("%+v", s)
	}
	if s := Step(3, 0.5, 7, "c1", 0); s.Parameter != "" {
		t.Errorf("%+v", s)
	}
}
