package figure

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

var numberInSVG = regexp.MustCompile(`-?\d+(\.\d+)?`)

// Drawings of each kind as they are: what is where. Another machine may round the last digit of a place otherwise.
func TestGoldenDrawings(t *testing.T) {
	path := sweepInput()
	for _, c := range path.Cells {
		for _, r := range c.Rows {
			if n := len(r.Path); n > 0 {
				r.Path = append(r.Path[:20:20], r.Path[250]) // fewer lines to read
			}
		}
	}
	for _, c := range []struct {
		name   string
		config Config
		in     Input
		live   bool
	}{
		{"path", Config{Kind: Path, Title: "Path", Right: "nonzero", Where: map[string]string{"epsilon": "0.00316"}}, path, false},
		{"path-column", Config{Kind: Path, Width: 85, Height: 55, Where: map[string]string{"epsilon": "0.00316"}}, path, false},
		{"path-live", Config{Kind: Path, Where: map[string]string{"epsilon": "0.00316"}}, path, true},
		{"sweep", Config{Kind: Sweep, X: "sample", Lines: "carry", Right: "nonzero"}, lookupInput(), false},
		{"sweep-levels", Config{Kind: Sweep, X: "epsilon"}, sweepInput(), false},
		{"frontier", Config{Kind: Frontier}, frontierInput(2), false},
		{"critical-difference", Config{Kind: CriticalDifference}, many(7, 6), false},
		{"stability", Config{Kind: Stability}, many(4, 3), false},
		{"overlap", Config{Kind: Overlap, Dataset: "data-set-0"}, many(4, 1), false},
		{"stability-path", Config{Kind: StabilityPath}, stabilityInput(), false},
		{"validation-curve", Config{Kind: ValidationCurve}, searchInput(), false},
		{"kaplan-meier", Config{Kind: KaplanMeier}, followedInput(), false},
		{"calibration", Config{Kind: Calibration, Width: 85}, followedInput(), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			chart := build(t, c.config, c.in)
			var b bytes.Buffer
			write := chart.SVG
			if c.live {
				write = chart.Live
			}
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("<!-- %s: %s -->\n%s", chart.Name, chart.Caption, b.String())
			file := filepath.Join("testdata", c.name+".svg")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if at := apart(got, string(want)); at >= 0 {
				t.Errorf("%s differs (go test -update writes it anew) from …%s…: …%s…", file, part(string(want), at), part(got, at))
			}
		})
	}
}

// apart is where two texts differ by more than the rounding of their numbers; −1 for nowhere.
func apart(a, b string) int {
	x, y := numberInSVG.FindAllStringIndex(a, -1), numberInSVG.FindAllStringIndex(b, -1)
	fromA, fromB := 0, 0
	for i := range min(len(x), len(y)) {
		p, q := a[x[i][0]:x[i][1]], b[y[i][0]:y[i][1]]
		u, _ := strconv.ParseFloat(p, 64)
		v, _ := strconv.ParseFloat(q, 64)
		if a[fromA:x[i][0]] != b[fromB:y[i][0]] || !(math.Abs(u-v) <= 0.02) {
			return fromA
		}
		fromA, fromB = x[i][1], y[i][1]
	}
	if len(x) != len(y) || a[fromA:] != b[fromB:] {
		return fromA
	}
	return -1
}

// part of a text around a place.
func part(s string, at int) string {
	return strings.ReplaceAll(s[min(at, len(s)):min(at+120, len(s))], "\n", " ")
}
