package tabular

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/labels"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

const patients = `x,t.os,e.os,t.rec,e.rec
1,5,1,3,1
2,6,0,,0
3,2,1,1,0
4,9,0,8,1
`

// endpoints asks for several end points.
func endpoints(time, event []string) Text {
	o := CSVKind.Defaults().(Text)
	o.Target = Target{Response: source.Response{Target: source.Target{Type: "survival"}, Survival: source.Survival{Time: time, Event: event}, Missing: "drop-rows"}}
	return o
}

// Each of several end points leaves out its own rows; one alone takes its rows out of the data set. A column can serve several.
func TestEndpoints(t *testing.T) {
	t.Parallel()
	d := sourcetest.MustLoad(t, endpoints([]string{"t.os", "t.rec"}, []string{"e.os", "e.rec"}), map[string]string{"all": patients})
	os, rec := d.Targets[0], d.Targets[1]
	if d.Rows() != 4 || os.Name != "t.os" || os.Rows != nil || !slices.Equal(os.Events, []int8{1, 0, 1, 0}) {
		t.Errorf("%+v", os)
	}
	if rec.Name != "t.rec" || !slices.Equal(rec.Rows, []int32{0, 2, 3}) || !slices.Equal(rec.Values, []float64{3, 1, 8}) || !slices.Equal(rec.Events, []int8{1, 0, 1}) {
		t.Errorf("%+v", rec)
	}
	if rec.HasEvent([]int32{1, 2}) || !rec.HasEvent([]int32{1, 3}) || !os.HasEvent([]int32{2}) {
		t.Error("events by row")
	}
	d = sourcetest.MustLoad(t, endpoints([]string{"t.rec"}, []string{"e.rec"}), map[string]string{"all": patients})
	if d.Rows() != 3 || d.Features.Len() != 3 {
		t.Errorf("%d rows, %d columns", d.Rows(), d.Features.Len())
	}
	o := endpoints([]string{"t.os", "t.os"}, []string{"e.os", "e.rec"})
	d = sourcetest.MustLoad(t, o, map[string]string{"all": patients})
	if names := o.Declares().Targets; names[0].Name != "e.os" || names[1].Name != "e.rec" || d.Targets[1].Name != "e.rec" || !slices.Equal(d.Targets[1].Values, []float64{5, 6, 2, 9}) {
		t.Errorf("%+v, %+v", names, d.Targets)
	}
}

// A model of one end point asks new rows for no other.
func TestNewEndpoint(t *testing.T) {
	t.Parallel()
	o := endpoints([]string{"t.os", "t.rec"}, []string{"e.os", "e.rec"})
	a := source.Application{Responses: true, Learned: &prepare.Learned{Columns: []string{"x"}, Targets: []labels.Target{{Name: "t.rec", Survival: true}}}}
	d, err := o.LoadNew(t.Context(), sourcetest.Input(map[string]string{"all": "x,t.rec,e.rec\n1,3,0\n2,NA,1\n"}), a)
	if err != nil {
		t.Fatal(err)
	}
	if y := d.Targets; len(y) != 1 || y[0].Type != data.Survival || y[0].Values[0] != 3 || !math.IsNaN(y[0].Values[1]) {
		t.Errorf("%+v", y)
	}
}

func TestBadEndpoints(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		time, event string
		want        string
	}{
		{"t.os t.rec", "e.os", "target.event: 1 columns of events for 2 of times"},
		{"t.os t.os", "e.os e.os", `the end point "e.os" is there twice`},
		{"t.os t.rec", "e.os t.os", `"t.os" is the column of times already`},
		{"t.os t.re", "e.os e.rec", `target.time: no column "t.re"; did you mean "t.rec"?`},
	} {
		if _, err := sourcetest.Load(endpoints(strings.Fields(c.time), strings.Fields(c.event)), map[string]string{"all": patients}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v, want %s", c.time, c.event, err, c.want)
		}
	}
	// Rows that are left out cannot be the events.
	o := endpoints([]string{"t.rec"}, []string{"e.rec"})
	if _, err := sourcetest.Load(o, map[string]string{"all": "x,t.rec,e.rec\n1,3,0\n2,NA,1\n4,2,0\n"}); err == nil || !strings.Contains(err.Error(), "no row is an event") {
		t.Error(err)
	}
}
