package source

import (
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/rawtext"
)

func TestClass(t *testing.T) {
	for _, c := range []struct {
		name, rows, positive string
		levels, values       string // separated by spaces
		at                   int
		err                  string
	}{
		{name: "by number", rows: "10 9 -1", levels: "-1 9 10", values: "2 1 0"},
		{name: "equal numbers", rows: "+1 1.0 -1 1", levels: "-1 1", values: "1 1 0 1", at: 1},
		{name: "minus zero", rows: "-0 0 1", levels: "0 1", values: "0 0 1", at: 1},
		{name: "by bytes", rows: "b B 10 9", levels: "10 9 B b", values: "3 2 0 1"},
		{name: "positive", rows: "AML ALL", positive: "ALL", levels: "AML ALL", values: "0 1", at: 1},
		{name: "positive as a number", rows: "+1 -1", positive: "+1", levels: "-1 1", values: "1 0", at: 1},
		{name: "unknown positive", rows: "AML ALL", positive: "aml", err: `has no level "aml"`},
		{name: "three levels", rows: "a b c", positive: "a", err: "it needs two levels, and y has 3 (a, b, c)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var column Texts
			for _, w := range strings.Fields(c.rows) {
				column.Add(w)
			}
			got, err := column.Class("y", c.positive)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("got %v, want an error with %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var values []string
			for _, y := range got.Values {
				values = append(values, string(rune('0'+int(y))))
			}
			if got.Type != data.Class || !slices.Equal(got.Levels, strings.Fields(c.levels)) || !slices.Equal(values, strings.Fields(c.values)) || got.Positive != c.at {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]float64{"1": 1, "-.5": -0.5, "+1e3": 1000, "1.": 1, "4.9e-324": 4.9e-324, "1e-999": 0} {
		if got, ok := rawtext.ParseNumber(text); !ok || got != want {
			t.Errorf("%q: got %v %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "abc", "NaN", "inf", "-Inf", "1e999", "0x1p3", "1_000", "1,5", " 1", "--1", "1e"} {
		if got, ok := rawtext.ParseNumber(text); ok {
			t.Errorf("%q: got %v, want a refusal", text, got)
		}
	}
}

func TestPartOf(t *testing.T) {
	if PartOf(4) != nil || !slices.Equal(PartOf(2, 1), []int8{0, 0, 1}) {
		t.Errorf("got %v and %v", PartOf(4), PartOf(2, 1))
	}
}

func TestPlainNumber(t *testing.T) {
	for text, want := range map[string]string{
		"1": "1", "+1": "1", "1.0": "1", "1.50": "1.5", "-2.00": "-2", "-0": "0", "0.0": "0", "01": "01", "1E5": "1E5", "100000": "100000", "12345678901234567890": "12345678901234567890", ".5": ".5", "x": "x", "": "",
	} {
		if got := PlainNumber(text); got != want {
			t.Errorf("%q: %q, expected %q", text, got, want)
		}
	}
}
