package figure

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/drawing"
)

const longName = "forward-stagewise-with-a-very-long-name-x" // 41 letters

// many is algorithms with two-parameter grids on several data sets and five folds, with selections.
func many(algorithms, datasets int) Input {
	var rows []results.Row
	for d := range datasets {
		for a := range algorithms {
			for fold := range int32(5) {
				quality := 0.2 + 0.06*float64(a) + 0.05*math.Sin(float64(7*d+3*a)) + 0.01*float64(fold)
				n := 4 + 5*a
				r := row(fmt.Sprint("data-set-", d), fmt.Sprint("algorithm-", a), fmt.Sprint(a, d), fold, nil,
					"test_mse", quality, "accuracy", 1/(1+quality), "selected", float64(n), "seconds_fit", 0.01*float64(a*a+1))
				r.FoldDigest, r.Columns, r.Features = fmt.Sprint(d, fold), 200, int32(n)
				for k := range n {
					r.Selected = append(r.Selected, results.Selected{Feature: fmt.Sprint("f", (k*(1+a%3)+int(fold)*(k%7/5))%200), Coefficient: float64(k%5) - 1.5})
				}
				rows = append(rows, r)
			}
		}
	}
	return Input{Source: described, Cells: cells.Group(rows), Metrics: []string{"test_mse"}}
}

// frontierInput is two grids, one of which selects nothing at its end, and a baseline that never selects.
func frontierInput(folds int32) Input {
	var rows []results.Row
	for fold := range folds {
		jitter := 0.02 * float64(fold%3)
		for i, lambda := range []float64{100, 10, 1, 0.1, 0.01} {
			n := math.Floor(0.4 * math.Pow(12, float64(i)))
			rows = append(rows, row("ewt", "lasso", fmt.Sprint("l", i), fold, []results.Param{{Name: "lambda", Value: lambda}},
				"test_mse", 0.4+1.2/float64(i+1)+jitter, "selected", n+float64(fold%2)*n/10))
		}
		for i, epsilon := range []float64{0.1, 0.03, 0.01, 0.003} {
			for _, scale := range []string{"sd", "unit"} {
				rows = append(rows, row("ewt", "stagewise", fmt.Sprint("s", i, scale), fold,
					[]results.Param{{Name: "epsilon", Value: epsilon}, {Name: "scale", Value: scale}},
					"test_mse", 0.3+1.1/float64(i+1)+jitter+0.1*float64(len(scale)-2), "selected", 3*math.Pow(8, float64(i))))
			}
		}
		rows = append(rows, row("ewt", "mean", "m", fold, nil, "test_mse", 1.9, "selected", 0.0),
			row("ewt", "all", "a", fold, nil, "test_mse", 0.9+jitter))
	}
	failed := row("ewt", "broken", "b", 0, nil)
	failed.Status = results.Failed
	return Input{Source: described, Cells: cells.Group(append(rows, failed)), Metrics: []string{"test_mse"}}
}

// renamed gives every algorithm a name of 40 letters and more.
func renamed(in Input) Input {
	for _, c := range in.Cells {
		c.Algorithm = longName + c.Algorithm
	}
	return in
}

// sparse input has what nobody wishes for: failed cells, metrics without values, one fold.
func ugly() Input {
	in := many(5, 3)
	for i, c := range in.Cells {
		switch i % 5 {
		case 0:
			c.Rows = c.Rows[:1]
		case 1:
			c.Rows[0].Status = results.Timeout
		case 2:
			c.Rows[0].Scores[0].Value = math.NaN()
		}
	}
	return in
}

func TestEveryKindDraws(t *testing.T) {
	charts := map[string][]drawing.Chart{}
	add := func(name string, c Config, in Input) {
		built, err := Build(c, in)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		charts[name] = built
	}
	add("path", Config{Kind: Path, Where: map[string]string{"epsilon": "0.00316"}}, sweepInput())
	add("sweep", Config{Kind: Sweep, X: "epsilon"}, sweepInput())
	add("sweep-lines", Config{Kind: Sweep, X: "sample", Lines: "carry"}, lookupInput())
	add("sweep-points", Config{Kind: Sweep, X: "point", Y: "evaluations"}, pathInput())
	add("frontier", Config{Kind: Frontier}, frontierInput(1))
	add("frontier-folds", Config{Kind: Frontier}, frontierInput(5))
	add("frontier-many", Config{Kind: Frontier, X: "seconds_fit", Y: "accuracy", Title: strings.Repeat("A long heading ", 12)}, renamed(many(30, 1)))
	add("critical", Config{Kind: CriticalDifference}, many(6, 12))
	add("critical-20", Config{Kind: CriticalDifference, Y: "accuracy"}, many(20, 30))
	add("critical-long", Config{Kind: CriticalDifference}, renamed(many(9, 8)))
	add("critical-two", Config{Kind: CriticalDifference}, many(2, 2))
	add("stability", Config{Kind: Stability}, many(6, 4))
	add("stability-long", Config{Kind: Stability}, renamed(many(20, 14)))
	add("overlap", Config{Kind: Overlap, Dataset: "data-set-0"}, many(5, 2))
	add("overlap-long", Config{Kind: Overlap, Dataset: "data-set-0"}, renamed(many(12, 1)))
	add("ugly-frontier", Config{Kind: Frontier, Dataset: "data-set-0"}, ugly())
	add("ugly-critical", Config{Kind: CriticalDifference}, ugly())
	add("ugly-stability", Config{Kind: Stability}, ugly())
	add("ugly-overlap", Config{Kind: Overlap, Dataset: "data-set-0"}, ugly())
	one := drawing.Series{Label: "a", Dots: true, Points: []drawing.Point{{X: 1, Y: 2}}}
	zero := drawing.Series{Label: "zero", Dots: true, Right: true, Points: []drawing.Point{{}, {X: 1}}}
	charts["one-point"] = []drawing.Chart{{Title: "One point", Body: &drawing.Curves{X: drawing.Axis{Label: "x"}, Left: drawing.Axis{Label: "y"}, Series: []drawing.Series{one}}}}
	charts["flat"] = []drawing.Chart{{Title: "Flat", Body: &drawing.Curves{X: drawing.Axis{Label: "x", Log: true}, Left: drawing.Axis{Label: "y", Log: true}, Right: drawing.Axis{Label: "r"}, Series: []drawing.Series{one, zero}}}}
	for name, list := range charts {
		t.Run(name, func(t *testing.T) {
			for _, c := range list {
				drawn(t, name, c)
				c.Width = vg.Inch * 85 / 25.4
				drawn(t, name+"-85", c)
			}
		})
	}
}

// drawn is checked for what a reader of the file meets, not for pixels. TENFOLD_FIGURES names a folder to look at the
// figures in.
func drawn(t *testing.T, name string, c drawing.Chart) {
	t.Helper()
	var svg, again, img bytes.Buffer
	for _, b := range []*bytes.Buffer{&svg, &again} {
		if err := c.SVG(b); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(svg.Bytes(), again.Bytes()) {
		t.Error("drawing twice gives two files")
	}
	for _, bad := range []string{"NaN", "Inf", `-0"`} {
		if strings.Contains(svg.String(), bad) {
			t.Errorf("%s in the SVG", bad)
		}
	}
	checkSVG(t, svg.Bytes())
	if err := c.PNG(&img); err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("TENFOLD_FIGURES"); dir != "" {
		var doc bytes.Buffer
		if err := c.PDF(&doc); err != nil {
			t.Fatal(err)
		}
		for end, content := range map[string][]byte{".pdf": doc.Bytes(), ".png": img.Bytes(), ".svg": svg.Bytes(), ".txt": []byte(c.Alt() + "\n\n" + c.Caption + "\n")} {
			if err := os.WriteFile(filepath.Join(dir, name+end), content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := png.Decode(&img); err != nil {
		t.Fatal(err)
	}
}

// drawnSize returns the size of a drawing in its own units.
func drawnSize(t *testing.T, svg []byte) (w, h float64) {
	t.Helper()
	_, box, _ := bytes.Cut(svg, []byte(`viewBox="0 0 `))
	if _, err := fmt.Sscan(string(box[:bytes.IndexByte(box, '"')]), &w, &h); err != nil {
		t.Fatalf("%.120s: %v", svg, err)
	}
	return w, h
}

// checkSVG reads the document: texts stay inside of it, and there is a title.
func checkSVG(t *testing.T, svg []byte) {
	t.Helper()
	w, h := drawnSize(t, svg)
	d := xml.NewDecoder(bytes.NewReader(svg))
	titles := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if e.Name.Local == "title" {
			titles++
		}
		if e.Name.Local != "text" {
			continue
		}
		var x, y, length float64
		turned := false
		for _, a := range e.Attr {
			switch a.Name.Local {
			case "x":
				fmt.Sscan(a.Value, &x)
			case "y":
				fmt.Sscan(a.Value, &y)
			case "textLength":
				fmt.Sscan(a.Value, &length)
			case "transform":
				turned = true
			}
		}
		right, top := x+length, y
		if turned {
			right, top = x, y-length
		}
		if x < 0 || top < 0 || right > w+0.5 || y > h+0.5 {
			t.Errorf("text at (%g, %g), %g long, leaves the drawing of %g by %g", x, y, length, w, h)
		}
	}
	if titles != 1 {
		t.Errorf("%d titles, want 1", titles)
	}
}
