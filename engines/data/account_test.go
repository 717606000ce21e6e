package data

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data/account"
	"tenfold/engines/numeric/sparse"
)

// rowsOf returns a data set of some rows and columns, with a class.
func rowsOf(n int, levels []string, of ...float64) *Dataset {
	return &Dataset{
		X: sparse.New(2, make([]int, n+1), nil, nil), Features: NewFeatures([]string{"a", "b"}),
		Targets: []Target{{Name: "y", Type: Class, Levels: levels, Values: of}},
	}
}

func TestAccountInWords(t *testing.T) {
	var many []string
	for k := range 12 {
		many = append(many, fmt.Sprint("c", k))
	}
	for _, c := range []struct {
		of   func(a *account.Account)
		want string
	}{
		{func(*account.Account) {}, "rows: 3; columns: 2"},
		{func(a *account.Account) { a.Rows.LeaveNumber("without a response", 1) }, "rows: 3 of 4 (1 without a response); columns: 2"},
		{func(a *account.Account) {
			a.Columns.Role("target", "y")
			a.Columns.Leave("dropped", "note", "")
			a.Columns.Role("id", "Id")
			a.Columns.Leave("dropped", "z")
			a.Rows.LeaveNumber("x", 0)
		}, `rows: 3; columns: 2 of 7 (target: y; id: Id; dropped: note, "", z)`},
		{func(a *account.Account) { a.Columns.Leave("dropped", many...) }, "rows: 3; columns: 2 of 14 (dropped: 12 such as c0, c1, c2, c3, c4, c5, c6, c7, c8, c9)"},
	} {
		d := rowsOf(3, []string{"no", "yes"}, 0, 1, 1)
		c.of(&d.Account)
		a := d.Accounts()
		if got := a.String(); got != c.want {
			t.Errorf("%s, expected %s", got, c.want)
		}
		if nothing := strings.Contains(c.want, "dropped") || strings.Contains(c.want, "without"); a.Complete() == nothing {
			t.Errorf("%s: complete is %v", c.want, a.Complete())
		}
		if err := d.Check(); err != nil {
			t.Errorf("%s: %v", c.want, err)
		}
	}
}

// TestLevelsOfRowsLeftOut: rows that are left out are counted by the level of their response, as far as they have one.
func TestLevelsOfRowsLeftOut(t *testing.T) {
	d := rowsOf(5, []string{"a", "b", "c"}, 2, 0, 2, 1)
	d.Targets[0].Rows = []int32{0, 1, 2, 4}
	d.Account.Rows.Found = 5
	keep := []int32{4}
	out := Difference(Numbers(5), keep)
	if !slices.Equal(out, []int32{0, 1, 2, 3}) {
		t.Fatal(out)
	}
	d.LeaveRows("of the moon", out)
	d = d.Select(keep)
	if got, want := d.Accounts().Rows.String(), "1 of 5 (4 of the moon: 2 c, 1 a)"; got != want || d.Check() != nil {
		t.Errorf("%s, expected %s; %v", got, want, d.Check())
	}
}

// TestNothingIsLostUnseen: rows that are gone without an account, and columns found without a use, are an error.
func TestNothingIsLostUnseen(t *testing.T) {
	d := rowsOf(3, []string{"no", "yes"}, 0, 1, 1)
	d.Account.Rows.Found = 3
	if err := d.Select([]int32{0, 2}).Check(); err == nil || err.Error() != "2 rows are accounted for, and 3 were found" {
		t.Error(err)
	}
	d.Account.Columns = account.Tally{Found: 4, Used: 2}
	d.Account.Columns.Role("target", "y")
	if err := d.Check(); err == nil || err.Error() != "3 columns are accounted for, and 4 were found" {
		t.Error(err)
	}
}

// TestColumnsWithoutALevel: a column of a file that became several columns is left out if all of them are.
func TestColumnsWithoutALevel(t *testing.T) {
	d := rowsOf(1, []string{"a", "b"}, 0)
	d.X = sparse.New(6, []int{0, 0}, nil, nil)
	d.Features = NewFeatures([]string{"x", "p=q=1", "p=q=2", "p=r=1", "z@u", "z@v"}).WithClasses([]int32{-1, -1, -1, -1, 0, 1}, []string{"u", "v"})
	d.Factor = []int32{-1, 0, 0, 1, -1, -1}
	d.Account.Columns = account.Tally{Found: 5, Used: 4}
	d.Account.Columns.Role("target", "y")
	for _, c := range []struct {
		left []int
		want string
	}{
		{[]int{0}, "3 of 5 (target: y; gone: x)"},
		{[]int{1}, "4 of 5 (target: y)"},
		{[]int{1, 2, 5}, "3 of 5 (target: y; gone: p)"},
		{[]int{1, 2, 3, 4, 5}, "1 of 5 (target: y; gone: p, p, z)"},
	} {
		if got := d.Without("gone", func(j int) bool { return slices.Contains(c.left, j) }).Columns.String(); got != c.want {
			t.Errorf("%v: %s, expected %s", c.left, got, c.want)
		}
	}
}

// TestConstantColumns: columns of one value are named, whether that is 0 or not, one with a gap is none, and of levels all must be.
func TestConstantColumns(t *testing.T) {
	d := rowsOf(3, []string{"a", "b"}, 0, 1, 1)
	// zero, one, varies, zero at first, one at first, gap, p=x, p=y, q=only
	d.X = sparse.New(9, []int{0, 5, 10, 16},
		[]int32{1, 2, 4, 5, 8, 0, 1, 2, 6, 8, 1, 2, 3, 5, 7, 8},
		[]float64{7, 1, 1, math.NaN(), 1, 0, 7, 2, 1, 1, 7, 1, 1, math.NaN(), 1, 1})
	d.Features = NewFeatures([]string{"zero", "one", "varies", "zero at first", "one at first", "gap", "p=x", "p=y", "q=only"})
	d.Factor = []int32{-1, -1, -1, -1, -1, -1, 0, 0, 1}
	d.Account.Columns = account.Tally{Found: 8, Used: 8}
	d.FindConstant()
	if got, want := d.Accounts().Columns.String(), "8, the same in every row: zero, one, q"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
	some := d.Without("gone", func(j int) bool { return j == 1 || j == 2 })
	if got, want := some.Columns.String(), "6 of 8 (gone: one, varies), the same in every row: zero, q"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
	one := d.Select([]int32{1})
	if one.FindConstant(); one.Account.Columns.Constant.Count != 0 {
		t.Errorf("of one row: %v", one.Account)
	}
}
