package serve

import (
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tenfold/engines/data"
	"tenfold/io/results"
	"tenfold/reports"
	"tenfold/runner/metric"
)

var update = flag.Bool("update", false, "write the golden files anew")

// varied are the outcomes of a family of two tasks and of a data set by itself, in two repeats of two folds: a lasso with a grid
// and a path, and description lengths with bits. A fold of the lasso failed, and a cell goes by two names.
func varied() []results.Row {
	var rows []results.Row
	add := func(dataset, task, algorithm, key string, lambda float64, level float64) {
		for i := range 4 {
			r := results.Row{
				Label: results.Label{Experiment: "e", Dataset: dataset, Algorithm: algorithm, Engine: "x", Revision: 2, Cell: strings.Repeat(key, 32), Unit: fmt.Sprint(strings.Repeat(key, 60), "000", i),
					Params: `{"lambda":1,"scale":"sd"}`, Repeat: int32(i / 2), Fold: int32(i % 2), FoldDigest: fmt.Sprint(dataset, "-", i), DatasetDigest: "data of " + dataset, Seed: int64(40 + i)},
				Outcome: results.Outcome{Status: results.OK, Attempts: 1, RowsTrain: 20, RowsTest: 10, Columns: 9, Features: 2, SecondsFit: 0.25 * float64(i+1), Stop: "tol", Started: time.Unix(1, 0),
					Scores:   []results.Score{{Metric: "accuracy", Point: -1, Value: level + float64(i*i)/100, Higher: true}, {Metric: "selected", Point: -1, Value: 2}},
					Selected: []results.Selected{{Rank: 0, Feature: "f0", Coefficient: 1.5}, {Rank: 1, Feature: fmt.Sprint("f", 1+i%2), Coefficient: -0.5}}},
			}
			if task != "" {
				r.Dataset, r.Family, r.Task = dataset+"/"+task, dataset, task
			}
			if lambda > 0 {
				r.Grid = []results.Param{{Name: "lambda", Value: lambda}}
				for step := range int64(3) {
					r.Path = append(r.Path, results.Point{Step: step, Nonzero: int32(step), TrainError: 1 / float64(step+1), TestError: 1.5 / float64(step+1), Best: step == 2})
				}
			}
			if algorithm == "mdl" {
				r.Scores = append(r.Scores, results.Score{Metric: "description_length", Point: -1, Value: 90}, results.Score{Metric: "null_bits", Point: -1, Value: 100})
				for k := range r.Selected {
					r.Selected[k].Class, r.Selected[k].Score, r.Selected[k].Bits = "genes", 5, &results.Bits{Saved: 10, Index: 3, Coefficient: 2}
				}
			}
			if key == "b" && i == 1 {
				r.Outcome = results.Outcome{Status: results.Failed, Error: "no luck\nat line 3", Attempts: 2, Started: time.Unix(1, 0)}
			}
			rows = append(rows, r)
		}
	}
	add("iris", "", "lasso", "a", 10, 0.5)
	add("iris", "", "lasso", "b", 2, 0.6)
	add("iris", "", "lasso", "c", 0.5, 0.7)
	add("iris", "", "mdl", "d", 0, 0.8)
	add("iris", "", "mdl again", "d", 0, 0.8)
	add("news", "x vs y", "lasso", "e", 2, 0.3)
	add("news", "x vs z", "lasso", "f", 2, 0.35)
	return rows
}

// What differs from one time to the next.
var masked = regexp.MustCompile(`\?v=[0-9a-f]+|data-version="[0-9a-f]+"|\d{4}-\d\d-\d\d \d\d:\d\d|data-value="\d{9,}"|(<dt>folder</dt><dd>)(?:[^<]|<wbr>)*|<code title="sha256:[^"]*">[0-9a-f]{8}</code>|sha256:[0-9a-f]+|(?s)<svg.*?</svg>`)

// Pages as they are, but for their frames and drawings.
func TestGoldenPages(t *testing.T) {
	r := folder(t, nil)
	if _, err := results.Write(r.Dir, results.Meta{Experiment: "e", Provenance: results.Provenance{Version: "1.0", Commit: "abcdef0123456789", Dirty: true, Machine: "here"}}, results.All(varied())); err != nil {
		t.Fatal(err)
	}
	r.Brief = func() (Brief, error) {
		return Brief{Config: reports.Default(), Units: 32, Text: "tenfold: 1", Input: reports.Input{Known: metric.Described(nil), Name: "e", Title: "Title", Metrics: []string{"accuracy", "stability"}, Planned: 8, Spec: "e.yaml",
			Data: []reports.SetFacts{{Name: "iris", Folds: 4, Facts: []data.Fact{{Name: "rows", Value: "30"}}}, {Name: "news/x vs y", Family: "news", Task: "x vs y", Folds: 4}, {Name: "news/x vs z", Family: "news", Task: "x vs z", Folds: 4}}}}, nil
	}
	h := handler(r)
	average := regexp.MustCompile(`/a%20run/cells/([0-9a-f]{32})"[^>]*>lasso</a></th><td class="text"[^>]*>news`).FindStringSubmatch(ask(h, "GET", "/a%20run/cells", nil).Body.String())
	if average == nil {
		t.Fatal("the cells of a family have no average")
	}
	key := func(digit string) string { return "cells/" + strings.Repeat(digit, 32) }
	var got strings.Builder
	for _, path := range []string{"", "cells", "cells?sort=.lambda", "cells?sort=-accuracy&dataset=iris", "cells?tasks=each&task=x+vs+z", "cells?status=failed", key("a"), key("b"), key("b") + "?fold=0.1", key("d") + "?fold=1.0", key("e"), "cells/" + average[1], key("9"), "live", "../"} {
		w := ask(h, "GET", filepath.ToSlash(filepath.Join("/a%20run", path))+map[bool]string{true: "/"}[path == ""], nil)
		body := w.Body.String()
		if _, main, ok := strings.Cut(body, "<main"); ok {
			body, _, _ = strings.Cut(main, "</main>")
			_, body, _ = strings.Cut(body, ">")
		}
		fmt.Fprintf(&got, "#### %s: %d %s\n%s\n", path, w.Code, w.Header().Get("Content-Type"), strings.TrimSpace(masked.ReplaceAllString(body, "$1…")))
		if w.Code != http.StatusOK && path != key("9") {
			t.Errorf("%s: status %d", path, w.Code)
		}
	}
	file := filepath.Join("testdata", "pages.html")
	if *update {
		if err := errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(file, []byte(got.String()), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("%s differs (go test -update writes it anew):\n%s", file, got.String())
	}
}
