package messagetest

import "testing"

func TestFactsAndMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ message, facts, better, worse string }{
		{`tenfold: unknown command "rnu"; did you mean "run"?`, `tenfold: "rnu" "run" …`, `tenfold: there is no command "rnu"; it may be "run"`, `tenfold: unknown command "rnu"; did you mean "ran"?`},
		{`x.yaml:2:7: name: expected a.b, found "c2"`, `x.yaml:2:7: a.b "c2" …`, `x.yaml:2:7: no a.b: "c2"`, `x.yaml:3:7: name: expected a.b, found "c2"`},
		{`x.yaml:1:1: the file is empty`, `x.yaml:1:1: the file is empty`, `x.yaml:1:1: the file is empty`, `x.yaml:1:1: the file has nothing`},
		{`d.csv:4:1: 12 rows, expected at least 20`, `d.csv:4:1: 12 20 …`, `d.csv:4:1: 12 of at least 20`, `d.csv:4:1: 112 rows, expected at least 20`},
		{"tenfold: --jobs: found 0\n    a: 1\n    ^", "tenfold: --jobs 0 …\n    a: 1\n    ^", "tenfold: --jobs cannot be 0\n    a: 1\n    ^", "tenfold: --jobs: found 0\n    a: 1\n   ^"},
	} {
		if got := Facts(c.message); got != c.facts {
			t.Errorf("%s\ngot  %s\nwant %s", c.message, got, c.facts)
		}
		if !Match(c.facts, c.message) || !Match(c.facts, c.better) || Match(c.facts, c.worse) {
			t.Errorf("%s: its message %t, a better one %t, a wrong one %t", c.facts, Match(c.facts, c.message), Match(c.facts, c.better), Match(c.facts, c.worse))
		}
	}
}
