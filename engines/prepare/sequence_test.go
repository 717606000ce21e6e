package prepare_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/data/sequence"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare"
)

// tagged is six rows in two sequences (0 1 2, 3 4 5) with labels 0 1 0, 1 0 1. Columns 0 and 1 are static: the part of a
// row. Then come those of two templates: part and last label (2: part 0 after label 0, 3: part 1 after the beginning,
// 4: part 1 after label 0), and the last two labels whatever the part (5: before a second row after 0, 6: 0 1, 7: 1 0).
func tagged() *data.Dataset {
	parts := []int32{0, 1, 0, 1, 1, 0}
	rows := [][]int32{{0}, {1, 4, 5}, {0, 6}, {1, 3}, {1}, {0, 2, 7}}
	var b sparse.Builder
	for _, r := range rows {
		if err := b.Add(r, nil); err != nil {
			panic(err)
		}
	}
	names := strings.Fields("p0 p1 p0|0 p1|- p1|0 -0 01 10")
	return &data.Dataset{
		X: b.Matrix(8), Features: data.NewFeatures(names),
		Targets: []data.Target{{Name: "y", Type: data.Class, Levels: []string{"a", "b"}, Values: []float64{0, 1, 0, 1, 0, 1}}},
		Sequences: &sequence.Sequences{
			Start: []int32{0, 3}, Static: 2, Parts: [][]int32{parts, make([]int32, 6)},
			Previous: []sequence.Previous{
				{Back: []int32{1}, Parts: 0, Ptr: []int32{0, 1, 3}, Code: []int64{1, 0, 1}, Column: []int32{2, 3, 4}},
				{Back: []int32{2, 1}, Parts: 1, Ptr: []int32{0, 3}, Code: []int64{1, 5, 7}, Column: []int32{5, 6, 7}},
			},
		},
	}
}

func fitted(t *testing.T, d *data.Dataset, r prepare.Recipe, train []int32) *data.Prepared {
	t.Helper()
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	p, err := r.Fit(d, train)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Given the true labels, a decoder gets the rows as they were trained on.
func TestStepsWithTrueLabels(t *testing.T) {
	d := tagged()
	for _, r := range []prepare.Recipe{{}, {Cutoff: 1}, {Cutoff: 2}, {Drop: "p0\np1"}} { // the last leaves no static column
		whole := fitted(t, d, r, nil).View(nil)
		steps, err := whole.Inputs().Steps()
		if err != nil || steps.Len() != 2 || steps.Beam != 1 || steps.Levels != 2 {
			t.Fatalf("%+v %v", steps, err)
		}
		var buffer []int32
		for k := range steps.Len() {
			first, end := steps.Span(k)
			var before []int32
			for i := first; i < end; i++ {
				row := steps.Row(buffer, i, before)
				if !slices.Equal(row.Idx, whole.Row(i).Idx) {
					t.Errorf("%+v, row %d after %v: columns %v, trained on %v", r, i, before, row.Idx, whole.Row(i).Idx)
				}
				buffer = row.Idx
				before = append(before, int32(d.Targets[0].Values[i]))
			}
		}
	}
}

// Other labels before a row make other columns, or none where training never saw them.
func TestStepsWithOtherLabels(t *testing.T) {
	steps, err := fitted(t, tagged(), prepare.Recipe{Beam: 3}, nil).View(nil).Inputs().Steps()
	if err != nil || steps.Beam != 3 {
		t.Fatalf("%+v %v", steps, err)
	}
	for _, c := range []struct {
		row    int
		before []int32
		want   string
	}{
		{1, []int32{1}, "[1]"}, {2, []int32{1, 0}, "[0 2 7]"}, {2, []int32{1, 1}, "[0]"}, {4, []int32{0}, "[1 4 5]"},
	} {
		if got := fmt.Sprint(steps.Row(nil, c.row, c.before).Idx); got != c.want {
			t.Errorf("row %d after %v: columns %s, want %s", c.row, c.before, got, c.want)
		}
	}
}

// Rows that are not trained on show nothing that a true label made, though training keeps those columns.
func TestTestRowsAreStripped(t *testing.T) {
	for _, train := range [][]int32{{3, 4, 5}, {5, 3, 4}, {}} {
		whole, p := fitted(t, tagged(), prepare.Recipe{}, nil).View(nil), fitted(t, tagged(), prepare.Recipe{}, train)
		for i := range 6 {
			want := whole.Row(i).Idx
			if !slices.Contains(train, int32(i)) {
				want = want[:1]
			}
			if got := p.View(nil).Row(i).Idx; !slices.Equal(got, want) {
				t.Errorf("trained on %v, row %d: columns %v, want %v", train, i, got, want)
			}
			if got := p.View([]int32{int32(i)}).Matrix().Row(0).Idx; !slices.Equal(got, want) {
				t.Errorf("trained on %v, row %d: columns of the matrix %v, want %v", train, i, got, want)
			}
		}
	}
}

func TestStepsAfterACutoff(t *testing.T) {
	p := fitted(t, tagged(), prepare.Recipe{Cutoff: 1}, []int32{3, 4, 5})
	got := make([]string, 6)
	for i := range got {
		for _, j := range p.View(nil).Row(i).Idx {
			got[i] += p.View(nil).Features().Name(int(j)) + " "
		}
	}
	want := []string{"p0 ", "p1 ", "p0 ", "p1 p1|- ", "p1 ", "p0 p0|0 10 "}
	if !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
	if n := p.View([]int32{0, 1, 2}).Matrix().NNZ(); n != 3 {
		t.Errorf("the test view holds %d entries, want the 3 static ones", n)
	}
	steps, err := p.View([]int32{0, 1, 2}).Inputs().Steps()
	if err != nil {
		t.Fatal(err)
	}
	row := steps.Row(nil, 2, []int32{1, 0}).Idx // columns that training kept, by their new numbers
	if got := fmt.Sprint(row); got != "[0 2 4]" {
		t.Errorf("columns %s", got)
	}
}

// What was learned of rows in sequences prepares other rows likewise: nothing that a label made shows, and a decoder makes the
// columns that training had.
func TestLearnedSequences(t *testing.T) {
	for _, cutoff := range []int{0, 2} {
		d := tagged()
		p, l, err := prepare.Recipe{Cutoff: cutoff, Beam: 2}.Learn(d)
		if err != nil {
			t.Fatal(err)
		}
		bare := tagged()
		bare.Targets = nil // new rows have no labels
		q, _, err := encoded(t, l).Apply(bare)
		if err != nil {
			t.Fatal(err)
		}
		trained, shown := p.View(nil), q.View(nil)
		steps, err := shown.Inputs().Steps()
		if err != nil || steps == nil || steps.Beam != 2 || steps.Levels != 2 {
			t.Fatalf("cutoff %d: %+v, %v", cutoff, steps, err)
		}
		for k := range steps.Len() {
			first, end := steps.Span(k)
			for i, before := first, []int32{}; i < end; i++ {
				if got, want := steps.Row(nil, i, before).Idx, trained.Row(i).Idx; !slices.Equal(got, want) {
					t.Errorf("cutoff %d, row %d: columns %v, trained on %v", cutoff, i, got, want)
				}
				if got := shown.Row(i).Idx; !slices.Equal(got, trained.Row(i).Idx[:len(got)]) || len(got) > 1 {
					t.Errorf("cutoff %d, row %d shows %v", cutoff, i, got)
				}
				before = append(before, int32(d.Targets[0].Values[i]))
			}
		}
	}
	_, l, err := prepare.Recipe{}.Learn(tagged())
	if err != nil {
		t.Fatal(err)
	}
	loose := tagged()
	loose.Sequences = nil
	if _, _, err := l.Apply(loose); err == nil || !strings.Contains(err.Error(), "these rows follow in no sequences") {
		t.Errorf("rows in no sequences: %v", err)
	}
	l.Static = nil
	if _, _, err := l.Apply(tagged()); err == nil || !strings.Contains(err.Error(), "which the model knows nothing of") {
		t.Errorf("a model without previous labels: %v", err)
	}
}

func TestStarts(t *testing.T) {
	p := fitted(t, tagged(), prepare.Recipe{}, nil)
	for _, c := range []struct {
		rows, want []int32
		cut        bool
	}{
		{[]int32{0, 1, 2, 3, 4, 5}, []int32{0, 3}, false},
		{[]int32{3, 4, 5}, []int32{0}, false},
		{[]int32{3, 4, 5, 0, 1, 2}, []int32{0, 3}, false},
		{[]int32{1, 2, 3, 4, 5}, []int32{0, 2}, true},
		{[]int32{0, 1, 3, 4, 5}, []int32{0, 2}, true},
		{[]int32{0, 2, 3, 4, 5}, []int32{0, 1, 2}, true},
	} {
		v := p.View(c.rows)
		if got := v.Starts(); !slices.Equal(got, c.want) {
			t.Errorf("%v: sequences begin at %v, want %v", c.rows, got, c.want)
		}
		if _, err := v.Inputs().Steps(); (err != nil) != c.cut || err != nil && !strings.Contains(err.Error(), "keep sequences whole") {
			t.Errorf("%v: %v", c.rows, err)
		}
	}
	plain := tagged()
	plain.Sequences = nil
	v := fitted(t, plain, prepare.Recipe{}, nil).View(nil)
	if steps, err := v.Inputs().Steps(); v.Starts() != nil || steps != nil || err != nil {
		t.Errorf("without sequences: %v, %v, %v", v.Starts(), steps, err)
	}
}

// Rows in sequences whose columns look at no labels may be of any kind.
func TestSequencesAlone(t *testing.T) {
	d := enginetest.Dataset(enginetest.Matrix([]float64{1.5}, []float64{2}, []float64{3}), enginetest.Real("y", 1, 2, 3), enginetest.Class("c", 2, 0, 1, 0))
	d.Sequences = &sequence.Sequences{Start: []int32{0, 2}, Static: 1}
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	v := fitted(t, d, prepare.Recipe{Scale: "sd"}, []int32{0, 1}).View([]int32{1, 2})
	if steps, err := v.Inputs().Steps(); steps != nil || err != nil {
		t.Errorf("steps %v, %v of rows that look at no labels", steps, err)
	}
	if got := v.Starts(); !slices.Equal(got, []int32{0, 1}) {
		t.Errorf("sequences begin at %v", got)
	}
}

func TestUnsoundSequences(t *testing.T) {
	for want, spoil := range map[string]func(d *data.Dataset, s *sequence.Sequences){
		"sequence 1 begins at row 6": func(_ *data.Dataset, s *sequence.Sequences) { s.Start[1] = 6 },
		"sequence 0 begins at row 3": func(_ *data.Dataset, s *sequence.Sequences) { s.Start = s.Start[1:] },
		"no sequences":               func(_ *data.Dataset, s *sequence.Sequences) { s.Start = nil },
		"9 static columns of 8":      func(_ *data.Dataset, s *sequence.Sequences) { s.Static = 9 },
		"0/1 values": func(d *data.Dataset, _ *sequence.Sequences) {
			ptr, idx, _ := d.X.Rows()
			d.X = sparse.New(8, ptr, idx, make([]float64, len(idx)))
		},
		"1 parts for 6 rows":             func(_ *data.Dataset, s *sequence.Sequences) { s.Parts[1] = []int32{0} },
		"part -2":                        func(_ *data.Dataset, s *sequence.Sequences) { s.Parts[1][3] = -2 },
		"division 2 of 2":                func(_ *data.Dataset, s *sequence.Sequences) { s.Previous[0].Parts = 2 },
		"[5] rows back":                  func(_ *data.Dataset, s *sequence.Sequences) { s.Previous[0].Back[0] = 5 },
		"do not make 3 parts":            func(_ *data.Dataset, s *sequence.Sequences) { s.Parts[0][0] = 2 },
		"the codes of part 1":            func(_ *data.Dataset, s *sequence.Sequences) { s.Previous[0].Code[2] = -1 },
		"column 1, expected more than 1": func(_ *data.Dataset, s *sequence.Sequences) { s.Previous[0].Column[0] = 1 },
		"column 8 of 8":                  func(_ *data.Dataset, s *sequence.Sequences) { s.Previous[1].Column[2] = 8 },
	} {
		d := tagged()
		spoil(d, d.Sequences)
		if err := d.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	if _, err := (prepare.Recipe{Scale: "sd"}).Fit(tagged(), nil); err == nil || !strings.Contains(err.Error(), "cannot be scaled") {
		t.Errorf("scaling: %v", err)
	}
}
