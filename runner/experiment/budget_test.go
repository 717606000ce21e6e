package experiment

import (
	"errors"
	"fmt"
	"strings"
	"tenfold/runner/experiment/reading"
	"testing"
)

// What tune goes through is counted over all its lists, over both parts, and over lists within lists; a budget is an upper bound of it,
// and refuses what the file does not count.
func TestBudget(t *testing.T) {
	for _, c := range []struct {
		entry  string
		points int
		at     string // place of the message
	}{
		{"engine: l1", 0, ""},
		{"engine: l1, tune: {c1: [2, 1, 0.5]}", 3, "{c1: [2"},
		{"engine: l1, tune: {c1: {log: [1, 0.01, 6]}, c2: [0, 1]}, grid: {tune.k: [3, 5]}", 12, "{c1: {log"},
		{"select: {engine: l1, tune: {c1: [2, 1]}}, refit: {engine: l1, tune: {c2: [2, 1, 0]}}", 5, "{c1: [2"},
		{"select: {engine: l1, tune: {c1: [2, 1]}}, refit: {engine: l1}, tune: {refit.c2: [2, 1, 0]}", 6, "{refit.c2"},
		{"select: {engine: l1}, refit: {engine: l1, tune: {c2: [2, 1, 0]}}", 3, "{c2: [2"},
	} {
		f, err := parseCombined(t, combined(c.entry)+fmt.Sprintf("budget: {tuned: %d}\n", max(1, c.points)))
		if err != nil {
			t.Errorf("%s: %v", c.entry, err)
			continue
		}
		if got := f.Algorithms[0].Tuned.Points; got != c.points {
			t.Errorf("%s: %d points, expected %d", c.entry, got, c.points)
		}
		if c.points < 2 {
			continue
		}
		_, err = parseCombined(t, combined(c.entry)+fmt.Sprintf("budget: {tuned: %d}\n", c.points-1))
		refuses(t, c.entry, err, c.at, fmt.Sprintf("tune: %d points, and budget.tuned is %d", c.points, c.points-1))
	}
	for entry, message := range map[string]string{
		"engine: l1, tune: {c1: path}": "tune.c1: path leaves the number of points to the engine, and budget.tuned is 100: expected a list, or a range",
		"select: {engine: l1, tune: {c1: path}}, refit: {engine: l1}, tune: {refit.c2: [1]}": "tune.c1: path leaves the number of points to the engine, and budget.tuned is 100: expected a list, or a range",
	} {
		_, err := parseCombined(t, combined(entry)+"budget: {tuned: 100}\n")
		refuses(t, entry, err, "c1: path", message)
	}
}

// refuses checks that the only mistake is at a text of the entry.
func refuses(t *testing.T, entry string, err error, at, message string) {
	t.Helper()
	var all reading.Errors
	if !errors.As(err, &all) || len(all) != 1 || all[0].Msg != message {
		t.Errorf("%s: %v, expected %s", entry, err, message)
		return
	}
	column := strings.Index(all[0].Source, at) + 1
	if all[0].Column != column {
		t.Errorf("%s: column %d, expected %d", entry, all[0].Column, column)
	}
}
