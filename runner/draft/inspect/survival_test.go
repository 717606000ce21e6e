package inspect

import (
	"fmt"
	"strings"
	"testing"
)

// Times and events are told by their names and values.
func TestEndpointsByName(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"time,status,x":             "time/status=",
		"t.os,e.os,t.dmfs,e.dmfs":   "t.os/e.os= t.dmfs/e.dmfs=",
		"OS.time,OS,x":              "OS.time/OS=",
		"futime,fustat,x":           "futime/fustat=",
		"survival_days,dead,x":      "survival_days/dead=",
		"os_months,rfs_status,x":    "",
		"weight,height,x":           "",
		"os_months,os_status,alive": "os_months/os_status=",
	} {
		var b strings.Builder
		fmt.Fprintln(&b, header)
		n := strings.Count(header, ",") + 1
		for i := range 30 {
			cells := make([]string, n)
			for k := range cells {
				cells[k] = fmt.Sprint([]int{i + 3, i % 2}[k%2])
			}
			fmt.Fprintln(&b, strings.Join(cells, ","))
		}
		var got []string
		for _, e := range look(t, file(t, "a.csv", b.String()), "").Endpoints() {
			got = append(got, e.Time+"/"+e.Event+"="+e.Value)
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %q, want %q", header, text, want)
		}
	}
	for levels, want := range map[string]string{"1 2": "2 true", "0 1": " true", "living deceased": "deceased true", "a b": " false", "FALSE TRUE": " true", "0 1 2": " false"} {
		c := Column{Levels: strings.Fields(levels)}
		if value, ok := c.eventValue(); fmt.Sprint(value, " ", ok) != want {
			t.Errorf("%s: %q %v, want %s", levels, value, ok, want)
		}
	}
}
