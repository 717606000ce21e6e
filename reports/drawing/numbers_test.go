package drawing

import (
	"math"
	"strings"
	"testing"
)

func TestNumbersOfCharts(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for name, c := range map[string]struct {
		body Body
		want string
	}{
		"curves": {&Curves{X: Axis{Label: "size"}, Left: Axis{Label: "error"}, Right: Axis{Label: "time"}, Marks: []Mark{{X: 3, Label: "kept"}},
			Series: []Series{{Label: "=a", Points: []Point{{X: 1, Y: 1. / 3, Error: 0.5}, {X: 2, Y: 2, Low: 1, High: 4, ErrorX: 0.25}}}, {Label: "b", Right: true, Points: []Point{{X: 1, Y: 9}}}}},
			"series,axis,x,y,x_low,x_high,y_low,y_high,label\n'=a,error,1,0.3333333333333333,,,-0.16666666666666669,0.8333333333333333,\n'=a,error,2,2,1.75,2.25,1,4,\nb,time,1,9,,,,,\nkept,,3,,,,,,\n"},
		"ranks": {&Ranks{Names: []Ranked{{"a", 1.5}}, Difference: 2}, "name,mean_rank\na,1.5\ncritical difference,2\n"},
		"heat":  {&Heat{Rows: []string{"r"}, Columns: []string{"c", "d"}, Squares: [][]Square{{{Value: 0.5, Text: "0.50"}, {Value: nan, Text: "–"}}}}, "row,column,value,text,below\nr,c,0.5,0.50,\nr,d,,–,\n"},
		"strips": {&Strips{Names: []string{"a"}, Panels: []Panel{{Heading: "p", Strips: []Strip{{Values: []float64{1, 2}, Mean: 1.5, Low: nan, High: nan, Note: "2/3"}}}}},
			"panel,name,what,value,low,high,note\np,a,value,1,,,\np,a,value,2,,,\np,a,mean,1.5,,,2/3\n"},
		"panels": {&Panels{Names: []string{"d"}, y: "error", Each: []*Curves{{Series: []Series{{Label: "a", Points: []Point{{X: 1, Y: 2}}}}}}},
			"panel,series,axis,x,y,x_low,x_high,y_low,y_high,label\nd,a,error,1,2,,,,,\n"},
	} {
		var out strings.Builder
		if err := (Chart{Body: c.body}).CSV(&out); err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(out.String(), "\r\n", "\n"); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// Few values of a parameter are the ticks of its axis; labels that would touch are left out, and the ticks stay.
func TestTicksAtGivenValues(t *testing.T) {
	t.Parallel()
	s := newScale(Axis{Log: true, Ticks: []float64{0.001, 0.0011, 0.01, 1}}, []float64{0.001, 1}, 0.03, 0.03)
	var got []string
	for _, tick := range (givenTicks{s, 8}).Ticks(s.low, s.high) {
		got = append(got, tick.Label)
	}
	if strings.Join(got, " ") != "0.001  0.01 1" {
		t.Errorf("%q", got)
	}
}
