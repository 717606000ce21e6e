package tabular

import (
	"testing"

	"tenfold/io/rawtext"
	"tenfold/io/tablefile"
)

// TestTimes: dates in many forms are seconds, and with slashes the whole column tells whether the day or the month comes first.
func TestTimes(t *testing.T) {
	const day = 86400
	for _, c := range []struct {
		cells []string
		want  []float64 // since 1970; nil for an error
	}{
		{[]string{"1970-01-02", "1970-01-03T00:00:00Z", "1970-01-04 00:00"}, []float64{day, 2 * day, 3 * day}},
		{[]string{"1970/01/02", "1970/01/02 01:00:30"}, []float64{day, day + 3630}},
		{[]string{"1970-01-02 02:00:00+02:00", "1970-01-02T00:00:00.5Z"}, []float64{day, day + .5}},
		{[]string{"3/2/1970", "13/1/1970"}, []float64{33 * day, 12 * day}},
		{[]string{"2/3/1970", "1/13/1970"}, []float64{33 * day, 12 * day}},
		{[]string{"2/3/1970", "3/2/1970"}, nil},
		{[]string{"13/1/1970", "1/13/1970"}, nil},
		{[]string{"7", "8.5"}, []float64{7, 8.5}},
	} {
		sink := times{name: "day"}
		var err error
		for _, text := range c.cells {
			if err == nil {
				err = sink.AddCell(&tablefile.Written{As: text, Dialect: rawtext.Commas})
			}
		}
		var got []float64
		if err == nil {
			got, err = sink.finish()
		}
		if (err != nil) != (c.want == nil) {
			t.Errorf("%q: %v", c.cells, err)
			continue
		}
		for k := range c.want {
			if got[k] != c.want[k] {
				t.Errorf("%q: %v, expected %v", c.cells, got, c.want)
			}
		}
	}
}
