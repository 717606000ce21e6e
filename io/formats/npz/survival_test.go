package npz

import (
	"archive/zip"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

// Times and events come as an array each, or as the columns of one; by parts, too.
func TestSurvival(t *testing.T) {
	x := small.zip(zip.Store)
	for name, files := range map[string]map[string]string{
		"booleans": {"all": x, "all_y": npy("<f8", []float64{3, 1, 2.5}, 3), "all_event": npy("|b1", []byte{1, 0, 1}, 3)},
		"texts":    {"all": x, "all_y": npy("<f4", []float32{3, 1, 2.5}, 3), "all_event": npy("|S5", []byte("True\x00Falsetrue\x00"), 3)},
		"columns":  {"all": x, "all_y": npy("<f8", []float64{3, 1, 1, 0, 2.5, 1}, 3, 2)},
	} {
		for _, target := range []source.Target{{Name: "survival"}, {Type: "survival"}} {
			n := targeted(target)
			d, err := sourcetest.Load(n, files)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			y := d.Targets[0]
			if y.Type != data.Survival || y.Name != "y" || !slices.Equal(y.Values, []float64{3, 1, 2.5}) || !slices.Equal(y.Events, []int8{1, 0, 1}) || n.Declares().Targets[0].Type != data.Survival {
				t.Errorf("%s: %+v", name, y)
			}
		}
	}
	d := sourcetest.MustLoad(t, targeted(source.Target{Name: "survival"}), map[string]string{
		"train": x, "train_y": npy("<i4", []int32{3, 1, 2}, 3), "train_event": npy("<i8", []int64{1, 0, 1}, 3),
		"test": x, "test_y": npy("<i4", []int32{5, 4, 6}, 3), "test_event": npy("<i8", []int64{0, 0, 1}, 3),
	})
	if y := d.Targets[0]; !slices.Equal(y.Values, []float64{3, 1, 2, 5, 4, 6}) || !slices.Equal(y.Events, []int8{1, 0, 1, 0, 0, 1}) {
		t.Errorf("parts: %+v", y)
	}
}

func TestBadSurvival(t *testing.T) {
	x, times := small.zip(zip.Store), npy("<f8", []float64{3, 1, 2.5}, 3)
	for _, c := range []struct {
		name, y, events, want string
		target                source.Target
	}{
		{name: "no events", y: times, want: "all_y: 1 columns, expected times and events; or give the events as files: {all_event: FILE}"},
		{name: "of numbers", y: times, events: times, target: source.Target{Name: "real"}, want: "files.all_event: events are of a survival target"},
		{name: "too few", y: times, events: npy("|b1", []byte{1, 0}, 2), want: "all_event: 2 rows, expected 3 as in all"},
		{name: "both", y: npy("<f8", make([]float64, 6), 3, 2), events: times, want: "all_y: 2 columns, and all_event has 1"},
		{name: "negative", y: npy("<f8", []float64{3, -1, 2}, 3), events: npy("|b1", []byte{1, 0, 1}, 3), want: "all_y: row 1 (from 0): found -1, expected a time: a number above 0"},
		{name: "texts", y: npy("|S1", []byte("abc"), 3), events: npy("|b1", []byte{1, 0, 1}, 3), want: "all_y: texts (type |S1), expected times"},
		{name: "not a number", y: npy("<f8", []float64{3, math.NaN(), 2}, 3), events: npy("|b1", []byte{1, 0, 1}, 3), want: "row 1 (from 0): found NaN, expected a time"},
		{name: "three values", y: times, events: npy("<i4", []int32{1, 0, 2}, 3), want: `all_event: row 2 (from 0): found "2", expected 1 for an event or 0`},
		{name: "no event", y: times, events: npy("<i4", []int32{0, 0, 0}, 3), want: "no row is an event"},
		{name: "one time", y: npy("<i4", []int32{2, 2, 2}, 3), events: npy("<i4", []int32{0, 1, 0}, 3), want: "all rows have the time 2"},
		{name: "positive", y: times, target: source.Target{Type: "survival", Positive: "1"}, want: "target.positive: a level is positive only where type is class"},
	} {
		target := c.target
		if target.Name == "" && target.Type == "" {
			target.Name = "survival"
		}
		files := map[string]string{"all": x, "all_y": c.y}
		if c.events != "" {
			files["all_event"] = c.events
		}
		if _, err := sourcetest.Load(targeted(target), files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}
