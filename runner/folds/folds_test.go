package folds

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
)

// rows makes a data set of n rows with two classes (every third row is 1), groups of three consecutive rows, and a time
// that runs backwards with pairs of equal times.
func rows(n int) *data.Dataset {
	d := &data.Dataset{
		X:        sparse.New(1, make([]int, n+1), nil, nil),
		Features: data.NewFeatures([]string{"x"}),
		Targets:  []data.Target{{Name: "y", Type: data.Class, Levels: []string{"a", "b"}, Values: make([]float64, n)}},
		Groups:   &data.Groups{Name: "g", Of: make([]int32, n)},
		Time:     make([]float64, n),
	}
	for i := range n {
		if i%3 == 0 {
			d.Targets[0].Values[i] = 1
		}
		d.Groups.Of[i] = int32(i / 3)
		d.Time[i] = float64(-i / 2)
		if i%3 == 0 {
			d.Groups.Key = append(d.Groups.Key, uint64(i)*0x9E3779B97F4A7C15)
		}
	}
	return d
}

func mustSplit(t *testing.T, s Spec, d *data.Dataset) []Fold {
	t.Helper()
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	out, err := s.Split(t.Context(), d, 7)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestLaws checks what every kind promises: both sides rise, are disjoint and not empty; with kfold every row is tested
// once a repeat.
func TestLaws(t *testing.T) {
	t.Parallel()
	d := rows(120)
	for name, s := range map[string]Spec{
		"kfold": {Kind: "kfold", K: 7}, "default": {}, "stratified": {Kind: "stratified", K: 5}, "grouped": {Kind: "grouped", K: 4, By: "g"},
		"grouped and stratified": {Kind: "kfold", K: 4, By: "g", Stratify: true}, "repeated": {Kind: "repeated", K: 3, Repeats: 3},
		"holdout": {Kind: "holdout", Test: 0.25, Repeats: 2}, "holdout by group": {Kind: "holdout", Test: 0.3, By: "g"},
		"holdout rows": {Kind: "holdout", Test: 30}, "holdout stratified": {Kind: "holdout", Test: 0.2, Stratify: true},
		"time": {Kind: "time", K: 3, Test: 0.2, Gap: Span{Rows: 2}, Window: Span{Rows: 40}},
	} {
		tested := map[int]int{}
		for _, f := range mustSplit(t, s, d) {
			if len(f.Train) == 0 || len(f.Test) == 0 || !slices.IsSorted(f.Train) || !slices.IsSorted(f.Test) {
				t.Errorf("%s: empty or unsorted side: %d, %d", name, len(f.Train), len(f.Test))
			}
			groups := map[int32]bool{}
			for _, i := range f.Test {
				if slices.Contains(f.Train, i) {
					t.Errorf("%s: row %d on both sides", name, i)
				}
				tested[f.Repeat*1000+int(i)]++
				groups[d.Groups.Of[i]] = true
			}
			for _, i := range f.Train {
				if s.By != "" && groups[d.Groups.Of[i]] {
					t.Errorf("%s: group %d on both sides", name, d.Groups.Of[i])
				}
			}
		}
		if n := s.Normalised(); n.Kind == "kfold" {
			if len(tested) != 120*n.Repeats {
				t.Errorf("%s: %d rows tested, want %d", name, len(tested), 120*n.Repeats)
			}
			for i, k := range tested {
				if k != 1 {
					t.Errorf("%s: row %d tested %d times", name, i, k)
				}
			}
		}
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	d := rows(120)
	positives := func(f Fold) (n int) {
		for _, i := range f.Test {
			n += int(d.Targets[0].Values[i])
		}
		return n
	}
	for _, f := range mustSplit(t, Spec{Kind: "kfold", K: 5, Stratify: true}, d) {
		if len(f.Test) != 24 || positives(f) != 8 {
			t.Errorf("stratified fold %d: %d rows with %d positives, want 24 with 8", f.ID, len(f.Test), positives(f))
		}
	}
	for _, f := range mustSplit(t, Spec{Kind: "kfold", K: 4, By: "g"}, d) {
		if len(f.Test) != 30 {
			t.Errorf("grouped fold %d: %d rows, want 30", f.ID, len(f.Test))
		}
	}
	if f := mustSplit(t, Spec{Kind: "holdout", Test: 30}, d)[0]; len(f.Test) != 30 {
		t.Errorf("holdout of 30 rows: %d", len(f.Test))
	}
	if f := mustSplit(t, Spec{Kind: "holdout", Test: 0.2, Stratify: true}, d)[0]; len(f.Test) != 24 || positives(f) != 8 {
		t.Errorf("stratified holdout: %d rows, %d positives", len(f.Test), positives(f))
	}
}

// TestStratifiedRareLabels: a label with fewer rows than there are folds is missing from some test parts, one with a single
// row from the training part that is tested on it; each row is tested once.
func TestStratifiedRareLabels(t *testing.T) {
	t.Parallel()
	d := rows(30)
	d.Targets[0].Levels = []string{"often", "rare", "once"}
	for i := range d.Targets[0].Values {
		d.Targets[0].Values[i] = 0
	}
	d.Targets[0].Values[3], d.Targets[0].Values[8], d.Targets[0].Values[21] = 1, 2, 1
	tested := make([]int, 30)
	for _, f := range mustSplit(t, Spec{Kind: "kfold", K: 5, Stratify: true}, d) {
		rare := 0
		for _, i := range f.Test {
			tested[i]++
			if d.Targets[0].Values[i] == 1 {
				rare++
			}
		}
		if rare > 1 || len(f.Test)+len(f.Train) != 30 || slices.Contains(f.Test, 8) == slices.Contains(f.Train, 8) {
			t.Errorf("fold %d: %d rare rows among %d test rows", f.ID, rare, len(f.Test))
		}
	}
	if slices.Min(tested) != 1 || slices.Max(tested) != 1 {
		t.Errorf("rows are tested %v times", tested)
	}
}

func TestTime(t *testing.T) {
	t.Parallel()
	d := rows(100)
	out := mustSplit(t, Spec{Kind: "time", K: 2, Test: 0.15, Gap: Span{Rows: 4}, Window: Span{Rows: 30}}, d)
	for _, f := range out {
		first, last := d.Time[f.Test[0]], d.Time[f.Test[0]]
		for _, i := range f.Test {
			first, last = min(first, d.Time[i]), max(last, d.Time[i])
		}
		for _, i := range f.Train {
			if d.Time[i] >= first {
				t.Errorf("fold %d: training row of time %v, test rows begin at %v", f.ID, d.Time[i], first)
			}
		}
		if len(f.Train) != 30 {
			t.Errorf("fold %d: %d training rows, want the window of 30", f.ID, len(f.Train))
		}
		if f.ID == 1 && last != 0 {
			t.Errorf("the last fold ends at time %v, want 0", last)
		}
	}
}

// TestTiesInTime: rows of one time are on one side, so a block may be larger than asked for, and take all.
func TestTiesInTime(t *testing.T) {
	t.Parallel()
	d := rows(6)
	d.Time = []float64{1, 2, 1, 3, 3, 2}
	for test, want := range map[float64][]int32{1: {3, 4}, 2: {3, 4}, 3: {1, 3, 4, 5}, 4: {1, 3, 4, 5}, 5: nil} {
		out, err := Spec{Kind: "time", K: 1, Test: test}.Split(t.Context(), d, 1)
		if (err == nil) != (want != nil) || err == nil && !slices.Equal(out[0].Test, want) {
			t.Errorf("%v rows: %+v, %v; want %v", test, out, err, want)
		}
	}
}

func TestGiven(t *testing.T) {
	t.Parallel()
	d := rows(9)
	d.Part = []int8{0, 0, 1, 0, 1, 0, 0, 0, 0}
	if f := mustSplit(t, Spec{Kind: "given"}, d)[0]; !slices.Equal(f.Test, []int32{2, 4}) {
		t.Errorf("given by files: %v", f.Test)
	}
	if out := mustSplit(t, Spec{Kind: "given", Column: "g"}, d); len(out) != 3 || !slices.Equal(out[1].Test, []int32{3, 4, 5}) {
		t.Errorf("given by column: %+v", out)
	}
	d.Groups = data.GroupBy("part", []string{"train", "test", "train", "train", "test", "test", "train", "train", "train"})
	if out := mustSplit(t, Spec{Kind: "given", Column: "part"}, d); len(out) != 1 || !slices.Equal(out[0].Test, []int32{1, 4, 5}) {
		t.Errorf("given by a column of train and test: %+v", out)
	}
}

// TestSeeds: equal seeds give equal folds, other seeds and other repeats others; a digest is of the rows alone.
func TestSeeds(t *testing.T) {
	t.Parallel()
	d, seed := rows(60), int64(8)
	a, b := mustSplit(t, Spec{Kind: "kfold", K: 3, Repeats: 2}, d), mustSplit(t, Spec{Kind: "kfold", K: 3, Repeats: 2}, d)
	c := mustSplit(t, Spec{Kind: "kfold", K: 3, Seed: &seed}, d)
	if a[0].Digest != b[0].Digest || a[0].Digest == a[3].Digest || a[0].Digest == c[0].Digest {
		t.Error("folds must depend on the seed and the repeat, and on nothing else")
	}
	if a[0].Digest != mustSplit(t, Spec{Kind: "kfold", K: 3, Repeats: 5}, d)[0].Digest {
		t.Error("adding repeats must not change the first")
	}
}

func TestReduce(t *testing.T) {
	t.Parallel()
	d := rows(90)
	f := mustSplit(t, Spec{Kind: "holdout", Test: 0.2}, d)[0]
	small, large := f.Reduce(d, 0.1, "", 3), f.Reduce(d, 0.5, "", 3)
	if len(small.Train) != 7 || len(large.Train) != 36 || f.Reduce(d, 1, "", 3).Digest != f.Digest {
		t.Errorf("%d and %d rows of %d", len(small.Train), len(large.Train), len(f.Train))
	}
	for _, i := range small.Train {
		if !slices.Contains(large.Train, i) {
			t.Errorf("row %d of the smaller share is not in the larger one", i)
		}
	}
}

// TestReduceByGroups: whole groups stay or go, whichever fold they are in, and those of a smaller share are in a larger one; each repeat
// draws others.
func TestReduceByGroups(t *testing.T) {
	t.Parallel()
	d := rows(300)
	kept := map[int][]float64{} // by repeat, the share of which each group is kept first
	for _, f := range mustSplit(t, Spec{Kind: "kfold", K: 3, Repeats: 2, By: "g"}, d) {
		if kept[f.Repeat] == nil {
			kept[f.Repeat] = make([]float64, len(d.Groups.Key))
		}
		for _, share := range []float64{0.2, 0.6, 1} {
			small := f.Reduce(d, share, "g", 3)
			if !slices.IsSorted(small.Train) || !slices.Equal(small.Test, f.Test) || (small.Digest == f.Digest) != (share == 1) {
				t.Errorf("share %v of fold %d: %d rows, digest %s", share, f.ID, len(small.Train), small.Digest)
			}
			if got := float64(len(small.Train)) / float64(len(f.Train)); !(math.Abs(got-share) <= 0.2) {
				t.Errorf("%v of the training rows, want about %v", got, share)
			}
			for _, i := range f.Train {
				g := d.Groups.Of[i]
				switch first := kept[f.Repeat][g]; {
				case slices.Contains(small.Train, i) && first == 0:
					kept[f.Repeat][g] = share
				case slices.Contains(small.Train, i) != (first > 0 && first <= share):
					t.Fatalf("group %d of repeat %d is kept at %v, and row %d of fold %d at %v is not as that", g, f.Repeat, first, i, f.ID, share)
				}
			}
		}
	}
	if slices.Equal(kept[0], kept[1]) {
		t.Error("both repeats keep the same groups")
	}
}

// TestLeaveOneOut: there can be as many folds as rows, or as groups.
func TestLeaveOneOut(t *testing.T) {
	t.Parallel()
	if n := len(mustSplit(t, Spec{Kind: "kfold", K: 12}, rows(12))); n != 12 {
		t.Errorf("%d folds of 12 rows", n)
	}
	for _, f := range mustSplit(t, Spec{Kind: "kfold", K: 4, By: "g"}, rows(12)) {
		if len(f.Test) != 3 {
			t.Errorf("fold %d tests %d rows, want one group", f.ID, len(f.Test))
		}
	}
}

// TestNumberOfTests: a file that is checked without its data knows how many test parts there will be.
func TestNumberOfTests(t *testing.T) {
	t.Parallel()
	d := rows(60)
	d.Part = make([]int8, 60)
	d.Part[3] = 1
	for _, s := range []Spec{{}, {Kind: "kfold", K: 4, Repeats: 3}, {Kind: "grouped", K: 3, By: "g"}, {Kind: "holdout", Repeats: 2}, {Kind: "time", K: 3}, {Kind: "time"}, {Kind: "given"}} {
		if n, known := s.Normalised().Tests(); !known || n != len(mustSplit(t, s, d)) {
			t.Errorf("%+v: %d (%v), and there are %d", s, n, known, len(mustSplit(t, s, d)))
		}
	}
	if n, known := (Spec{Kind: "given", Column: "g"}).Normalised().Tests(); known {
		t.Errorf("a column that is not read makes %d folds", n)
	}
}

// TestKinds: each kind has a name of its own and a sentence.
func TestKinds(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, k := range Kinds() {
		if k.Doc == "" || seen[k.Name] || (Spec{Kind: k.Name}).Normalised().kindOf().Name != k.Name {
			t.Errorf("%+v", k)
		}
		seen[k.Name] = true
	}
}

// TestGolden: results are kept by the digests of folds, and published splits are met by their seed; so folds must never change.
func TestGolden(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]Spec{
		"ad7f2089d37a": {Kind: "kfold", K: 4, Repeats: 2},
		"3168947ed247": {Kind: "stratified", K: 4},
		"ef775978cad9": {Kind: "stratified", K: 7},
		"91c7c928f307": {Kind: "holdout", Test: 0.25, Stratify: true},
		"693db8db7a46": {Kind: "grouped", K: 4, By: "g"},
		"7d1b729679cf": {Kind: "holdout", Test: 0.25},
		"7f71feff3d9f": {Kind: "holdout", Test: 0.25, By: "g"},
		"ac3f4e9541c8": {Kind: "time", K: 2, Test: 0.2, Gap: Span{Rows: 3}},
	} {
		h := sha256.New()
		for _, f := range mustSplit(t, s, rows(60)) {
			fmt.Fprintln(h, f.Digest, f.Reduce(rows(60), 0.5, s.By, 7).Digest)
		}
		if got := fmt.Sprintf("%x", h.Sum(nil)[:6]); got != want {
			t.Errorf("%+v: %q, want %s", s, got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{Spec{Kind: "kfolds"}, `did you mean "kfold"`},
		{Spec{Kind: "kfold", K: 1}, "at least 2"},
		{Spec{Kind: "holdout", Test: 1.5}, "whole number"},
		{Spec{Kind: "holdout", Test: 10, By: "g"}, "groups are not cut"},
		{Spec{Kind: "grouped", K: 3}, "need by"},
		{Spec{Kind: "repeated", K: 3}, "repeats: of at least 2"},
		{Spec{Kind: "kfold", K: maxCount + 1}, "expected at most 1000000"},
		{Spec{Kind: "kfold", K: maxCount}, "1000000 folds of 60 rows"},
		{Spec{Kind: "kfold", Test: 0.1}, "no meaning"},
		{Spec{Kind: "time", Repeats: 2}, "nothing to draw again"},
		{Spec{Kind: "kfold", K: 200}, "200 folds of 60 rows"},
		{Spec{Kind: "kfold", K: 41, Stratify: true}, "no label has a row for each, the most frequent has 40"},
		{Spec{Kind: "kfold", K: 21, By: "g"}, "21 folds of 20 groups"},
		{Spec{Kind: "kfold", By: "h"}, `the data set's group is "g"`},
		{Spec{Kind: "holdout", Test: 1e-9}, "less than one row"},
		{Spec{Kind: "given"}, "no training and test files"},
		{Spec{Kind: "time", K: 9, Test: 0.2}, "leave no training rows"},
		{Spec{Kind: "time", Test: 0.001}, "less than one row"},
	} {
		err := c.spec.Validate()
		if err == nil {
			_, err = c.spec.Split(t.Context(), rows(60), 1)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want an error with %q", c.spec, err, c.want)
		}
	}
}

// TestPureGroups: groups of one class each reach every fold, though a fold without the class looks the same for all of
// them.
func TestPureGroups(t *testing.T) {
	t.Parallel()
	d := rows(18) // six groups of three rows
	for i := range d.Targets[0].Values {
		d.Targets[0].Values[i] = float64(int(d.Groups.Of[i]) % 2)
	}
	for _, k := range []int{3, 6} {
		for _, f := range mustSplit(t, Spec{Kind: "kfold", K: k, By: "g", Stratify: true}, d) {
			if len(f.Test) != 18/k {
				t.Errorf("fold %d of %d tests %d rows, want %d", f.ID, k, len(f.Test), 18/k)
			}
		}
	}
}

// dated is 40 rows, one every other day, of 8 groups that take turns; rows do not lie in the order of time.
func dated() *data.Dataset {
	n := 40
	d := &data.Dataset{X: sparse.New(1, make([]int, n+1), nil, nil), Features: data.NewFeatures([]string{"x"}),
		Targets: []data.Target{{Name: "y", Values: make([]float64, n)}}, Groups: &data.Groups{Name: "customer", Of: make([]int32, n)}}
	for i := range n {
		day := (i * 7) % n
		d.Time = append(d.Time, float64(day)*2*86400)
		d.Groups.Of[i] = int32(day % 8)
	}
	for g := range 8 {
		d.Groups.Key = append(d.Groups.Key, data.Key(fmt.Sprint(g)))
	}
	return d
}

// days are the days of rows, in order.
func days(d *data.Dataset, rows []int32) []int {
	var out []int
	for _, i := range rows {
		out = append(out, int(d.Time[i]/86400))
	}
	slices.Sort(out)
	return out
}

func TestTimeBySpans(t *testing.T) {
	d := dated()
	for _, c := range []struct {
		name, gap, window string
		first, last, n    int // days of the training rows, and how many; test rows begin on day 70
	}{
		{"no gap", "0", "0", 0, 68, 35},
		{"rows", "3", "10", 44, 62, 10},
		{"a time leaves rows that long before", "10d", "0", 0, 60, 31},
		{"not in between", "9d", "0", 0, 60, 31},
		{"weeks", "2w", "0", 0, 56, 29},
		{"hours", "48h", "0", 0, 68, 35},
		{"a window of the time before the gap", "10d", "20d", 42, 60, 10},
		{"a window of rows before it", "10d", "3", 56, 60, 3},
		{"a window of time after a gap of rows", "3", "10d", 56, 62, 4},
	} {
		s := Spec{Kind: "time", Test: 5}
		if err := errors.Join(s.Gap.UnmarshalText([]byte(c.gap)), s.Window.UnmarshalText([]byte(c.window))); err != nil {
			t.Fatal(err)
		}
		f := mustSplit(t, s, d)[0]
		train, test := days(d, f.Train), days(d, f.Test)
		if len(test) != 5 || test[0] != 70 {
			t.Errorf("%s: tested on days %v", c.name, test)
		}
		if len(train) != c.n || train[0] != c.first || train[len(train)-1] != c.last {
			t.Errorf("%s: %d training rows from day %d to %d, want %d from %d to %d", c.name, len(train), train[0], train[len(train)-1], c.n, c.first, c.last)
		}
		if got := s.Gap.String(); got != c.gap && c.gap != "2w" && c.gap != "48h" {
			t.Errorf("%s: written as %s", c.gap, got)
		}
	}
}

// TestTimeByGroup: no group is on both sides, whatever is tested is tested, and only rows of groups under test are left out.
func TestTimeByGroup(t *testing.T) {
	d := dated()
	plain := mustSplit(t, Spec{Kind: "time", K: 3, Test: 3}, d)
	for k, f := range mustSplit(t, Spec{Kind: "time", K: 3, Test: 3, By: "customer"}, d) {
		if !slices.Equal(f.Test, plain[k].Test) {
			t.Errorf("fold %d: other test rows by group", k)
		}
		tested := map[int32]bool{}
		for _, i := range f.Test {
			tested[d.Groups.Of[i]] = true
		}
		var want []int32
		for _, i := range plain[k].Train {
			if !tested[d.Groups.Of[i]] {
				want = append(want, i)
			}
		}
		if !slices.Equal(f.Train, want) || len(want) == 0 || len(want) == len(plain[k].Train) {
			t.Errorf("fold %d: training rows %v, want %v", k, f.Train, want)
		}
	}
	if _, err := (Spec{Kind: "time", Test: 3, By: "patient"}).Split(t.Context(), d, 1); err == nil {
		t.Error("folds by a group that is not there")
	}
}

func TestSpanWords(t *testing.T) {
	for _, bad := range []string{"-1", "-3d", "3 d", "d", "3m4", "1.5", "month", "", "99999999999999999999d"} {
		if err := new(Span).UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	for _, good := range []string{"0", "50", "30d", "1h30m0s"} {
		var s Span
		if err := s.UnmarshalText([]byte(good)); err != nil || s.String() != good {
			t.Errorf("%q became %q, %v", good, s, err)
		}
	}
}

// Drawing ends with its context, however many repeats there are.
func TestSplitIsCancelled(t *testing.T) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if _, err := (Spec{Kind: "kfold", K: 2, Repeats: 1_000_000}).Split(ctx, rows(60), 1); err != stop {
		t.Errorf("%v", err)
	}
}
