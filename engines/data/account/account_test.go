package account

import (
	"fmt"
	"slices"
	"testing"
)

// TestParts: things of one role or reason are one part, which names the first of them, and whose count is of all.
func TestParts(t *testing.T) {
	var tally Tally
	tally.Role("target", "y")
	tally.Leave("dropped", "a", "b")
	tally.Leave("dropped")
	tally.LeaveNumber("without a response", 3)
	names := make([]string, 2*MaxNamed)
	for k := range names {
		names[k] = fmt.Sprint("gene", k)
	}
	tally.Leave("dropped", names...)
	tally.LeaveNumber("without a response", 4)
	if n := tally.Others(); n != 1+2+2*MaxNamed+7 {
		t.Errorf("%d others", n)
	}
	if len(tally.Roles) != 1 || len(tally.Unused) != 2 {
		t.Fatalf("%+v", tally)
	}
	dropped := tally.Unused[0]
	if want := append([]string{"a", "b"}, names[:MaxNamed-2]...); dropped.Count != 2+len(names) || !slices.Equal(dropped.Names, want) {
		t.Errorf("%d dropped: %q, expected %q", dropped.Count, dropped.Names, want)
	}
	if p := tally.Unused[1]; p.Count != 7 || p.Names != nil {
		t.Errorf("%+v", p)
	}
}

// TestTalliesAreApart: a copy of a tally does not change when the original gets more, or the other way round.
func TestTalliesAreApart(t *testing.T) {
	var one Tally
	one.Leave("dropped", "a")
	two := one
	two.Leave("dropped", "b")
	one.Leave("dropped", "c")
	if a, b := one.Unused[0].Names, two.Unused[0].Names; !slices.Equal(a, []string{"a", "c"}) || !slices.Equal(b, []string{"a", "b"}) {
		t.Errorf("%q and %q", a, b)
	}
}

// TestSum: the tally of several files is that of one file with all of their content.
func TestSum(t *testing.T) {
	var first, second, both Tally
	for k, tally := range []*Tally{&first, &second} {
		for _, tally := range []*Tally{tally, &both} {
			tally.Found, tally.Used = tally.Found+10+k, tally.Used+7
			tally.Role("id", fmt.Sprint("id", k))
			tally.LeaveNumber("without a response", 2+k)
		}
	}
	if first.Add(second); fmt.Sprint(first) != fmt.Sprint(both) || first.Others() != both.Others() || first.Found != both.Found {
		t.Errorf("%v, expected %v", first, both)
	}
}

// TestWords: an account reads as a sentence for people, with as many names and levels as they can look at.
func TestWords(t *testing.T) {
	account := Account{Rows: Tally{Found: 153, Used: 150}, Columns: Tally{Found: 30, Used: 4, Constant: Part{What: "constant", Count: 1, Names: []string{"x3"}}}}
	account.Rows.LeavePart(Part{What: "without a response", Count: 3, Levels: []LevelCount{{"no", 2}, {"yes", 1}}})
	account.Columns.Role("target", "class")
	account.Columns.Role("id", "")
	account.Columns.Leave("dropped", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k")
	want := `rows: 150 of 153 (3 without a response: 2 no, 1 yes); columns: 4 of 30 (target: class; id: ""; dropped: 11 such as a, b, c, d, e, f, g, h, i, j), constant: x3`
	if got := account.String(); got != want {
		t.Errorf("%s\nexpected\n%s", got, want)
	}
	if account.Complete() {
		t.Error("rows are left out, and the account is complete")
	}
	if a := (Account{Rows: Tally{Found: 2, Used: 2}, Columns: Tally{Found: 2, Used: 1, Roles: []Part{{What: "target", Count: 1}}}}); !a.Complete() || a.Rows.String() != "2" {
		t.Errorf("%v is not complete", a)
	}
}
