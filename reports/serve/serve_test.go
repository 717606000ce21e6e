package serve

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/engines"
	"tenfold/io/journal"
	"tenfold/io/planfile"
	"tenfold/io/results"
	"tenfold/io/status"
	"tenfold/reports"
	"tenfold/reports/cells"
	"tenfold/reports/comparison"
	"tenfold/runner/metric"
)

// hostile is text that pages must show as it is.
const hostile = `</script><script>alert(1)</script> <img src=x onerror="alert(2)"> & 'quotes'`

// outcomes of a run of two algorithms, one with a grid, on two data sets of three folds. One fit failed.
func outcomes() []results.Row {
	var rows []results.Row
	for d, dataset := range []string{"one", hostile} {
		for a, algorithm := range []string{"lasso", "lasso", "mean, plain"} {
			for fold := range int32(3) {
				n := 100*d + 10*a + int(fold)
				r := results.Row{
					Label: results.Label{Experiment: "e", Dataset: dataset, Algorithm: algorithm, Engine: "x", Cell: fmt.Sprintf("%032x", n-int(fold)+1), Unit: fmt.Sprintf("%064x", n),
						Params: `{"lambda":1}`, Fold: fold, FoldDigest: fmt.Sprint(dataset, fold), DatasetDigest: dataset},
					Outcome: results.Outcome{Status: results.OK, Attempts: 1, RowsTrain: 20, RowsTest: 10, Columns: 9, Features: 1,
						Scores:   []results.Score{{Metric: "accuracy", Point: -1, Value: 1 / float64(n+2), Higher: true}, {Metric: "selected", Point: -1, Value: 1}},
						Selected: []results.Selected{{Feature: hostile, Coefficient: -1.5}}, Started: time.Unix(1, 0)},
				}
				if algorithm == "lasso" {
					r.Grid = []results.Param{{Name: "lambda", Value: []float64{0.1, 10}[a]}}
				}
				if d+a == 0 && fold == 1 {
					r.Outcome = results.Outcome{Status: results.Failed, Error: hostile, Attempts: 1, Started: time.Unix(1, 0)}
				}
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// folder of a run, with its plan as this package asks for it.
func folder(t *testing.T, rows []results.Row) Run {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a run")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := planfile.Write(dir, []byte("{\n \"name\": \"e\"\n}\n")); err != nil {
		t.Fatal(err)
	}
	if rows != nil {
		if _, err := results.Write(dir, results.Meta{Experiment: "e"}, results.All(rows)); err != nil {
			t.Fatal(err)
		}
	}
	return Run{Dir: dir,
		Brief: func() (Brief, error) {
			return Brief{Config: reports.Default(), Units: 18, Text: hostile, Input: reports.Input{Known: metric.Described(nil), Name: "e", Planned: 6, Title: hostile, Metrics: []string{"accuracy"},
				Data: []reports.SetFacts{{Name: "one", Folds: 3}, {Name: hostile, Folds: 3}}}}, nil
		},
		Planned: func() (out []results.Label, err error) {
			for _, r := range outcomes() {
				out = append(out, r.Label)
			}
			return out, nil
		},
	}
}

func handler(runs ...Run) http.Handler {
	return New(Options{Runs: func() []Run { return runs }, Host: "127.0.0.1"})
}

func ask(h http.Handler, method, path string, change func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	r.Host = "127.0.0.1:8010"
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestGuard(t *testing.T) {
	h := handler(folder(t, outcomes()))
	for host, want := range map[string]int{
		"127.0.0.1:8010": 200, "127.0.0.1": 200, "localhost:1": 200, "LOCALHOST": 200, "[::1]:80": 200, "127.3.2.1": 200,
		"": 421, "evil.example": 421, "evil.example:8010": 421, "localhost.evil.example": 421, "10.0.0.1": 421, "127.0.0.1.evil.example": 421,
	} {
		if w := ask(h, "GET", "/", func(r *http.Request) { r.Host = host }); w.Code != want {
			t.Errorf("host %q: status %d, want %d", host, w.Code, want)
		}
	}
	public := New(Options{Runs: func() []Run { return nil }, Host: "box.example", Public: true})
	for host, want := range map[string]int{"box.example:80": 200, "10.0.0.1:80": 200, "other.example": 421} {
		if w := ask(public, "GET", "/", func(r *http.Request) { r.Host = host }); w.Code != want {
			t.Errorf("public, host %q: status %d, want %d", host, w.Code, want)
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE"} {
		if w := ask(h, method, "/", nil); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: status %d", method, w.Code)
		}
	}
	for _, path := range []string{"/", "/a%20run/", "/a%20run/cells", "/style.css", "/script.js", "/icon.svg", "/nothing/", "/a%20run/live"} {
		get, head := ask(h, "GET", path, nil), ask(h, "HEAD", path, nil)
		if head.Code != get.Code || head.Body.Len() != 0 || head.Header().Get("Content-Length") == "" {
			t.Errorf("HEAD %s: status %d, %d bytes", path, head.Code, head.Body.Len())
		}
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; ", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Resource-Policy": "same-origin",
		} {
			if !strings.HasPrefix(get.Header().Get(name), want) {
				t.Errorf("%s: %s is %q", path, name, get.Header().Get(name))
			}
		}
		if strings.HasPrefix(get.Header().Get("Content-Type"), "text/html") {
			for _, bad := range []string{"<script>", "<style", " style=", "onerror=\"", "http:", "https:", "<img src=x", " onclick"} {
				if strings.Contains(get.Body.String(), bad) {
					t.Errorf("%s has %q", path, bad)
				}
			}
		}
	}
}

// What comes from files is text, wherever it is shown.
func TestHostileText(t *testing.T) {
	h := handler(folder(t, outcomes()))
	for _, path := range []string{"/", "/a%20run/", "/a%20run/cells", "/a%20run/cells?dataset=" + url.QueryEscape(hostile), "/a%20run/cells/" + fmt.Sprintf("%032x", 1),
		"/a%20run/cells/" + fmt.Sprintf("%032x", 101), "/" + url.PathEscape(hostile) + "/", "/a%20run/cells/" + url.PathEscape(hostile)} {
		w := ask(h, "GET", path, nil)
		if w.Code != 200 && w.Code != 404 {
			t.Errorf("%s: status %d: %s", path, w.Code, w.Body)
		}
		if body := w.Body.String(); strings.Contains(body, "<script>") || strings.Contains(body, "<img src=x") || !strings.Contains(body, "&lt;") {
			t.Errorf("%s: text became markup, or is not there", path)
		}
	}
}

func TestQuery(t *testing.T) {
	rows := outcomes()
	all := cells.Group(rows)
	for asks, want := range map[string]int{
		"": 6, "dataset=one": 3, "algorithm=lasso": 4, ".lambda=0.1": 2, ".lambda=0.1%2C10": 4, "algorithm=mean%2C+plain": 2, "algorithm=m*": 2, "status=ok": 5, "status=failed": 1,
		"status=timeout": 0, ".nothing=1": 0, "dataset=" + url.QueryEscape(hostile): 3, "nonsense=1": 6, "dataset=one&algorithm=lasso&status=ok": 1,
	} {
		v, err := url.ParseQuery(asks)
		if err != nil {
			t.Fatal(err)
		}
		q := parseQuery(v)
		n := 0
		for _, c := range all {
			if q.accepts(c) {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d cells, want %d", asks, n, want)
		}
	}
	// An address says all that was asked for, from the first page on.
	v, _ := url.ParseQuery("dataset=a&algorithm=b%26c&task=t*&.lambda=1&.cells=2&status=ok&tasks=each&sort=-accuracy&page=7&other=1")
	q := parseQuery(v)
	if q.page != 7 || !q.descending || q.sortBy != "accuracy" {
		t.Errorf("%+v", q)
	}
	got := q.address("/r/", func(*cellQuery) {})
	if want := "/r/cells?.cells=2&.lambda=1&algorithm=b%26c&dataset=a&sort=-accuracy&status=ok&task=t%2A&tasks=each"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got := parseQuery(url.Values{"page": {"-3"}, "sort": {""}}).address("/r/", func(q *cellQuery) { q.page = 2 }); got != "/r/cells?page=2" {
		t.Error(got)
	}
}

// A page has so many cells; going on shows each once.
func TestPages(t *testing.T) {
	var rows []results.Row
	for i := range 250 {
		r := outcomes()[0]
		r.Cell, r.Unit, r.Grid = fmt.Sprintf("%032x", i+1), fmt.Sprintf("%064x", i+1), []results.Param{{Name: "lambda", Value: float64(i % 50)}}
		r.Scores = []results.Score{{Metric: "accuracy", Point: -1, Value: float64(i * 7 % 250), Higher: true}}
		rows = append(rows, r)
	}
	h := handler(folder(t, rows))
	seen := map[string]bool{}
	pages := 0
	for address := "/a%20run/cells?sort=accuracy"; address != ""; pages++ {
		body := ask(h, "GET", address, nil).Body.String()
		for _, part := range strings.Split(body, `<th scope="row"><a href="/a%20run/cells/`)[1:] {
			if key := part[:32]; seen[key] {
				t.Errorf("%s twice", key)
			} else {
				seen[key] = true
			}
		}
		_, next, _ := strings.Cut(body, `rel="next"`)
		address = ""
		if next != "" {
			before, _, _ := strings.Cut(body, `" rel="next"`)
			address = strings.ReplaceAll(before[strings.LastIndex(before, `href="`)+6:], "&amp;", "&")
		}
	}
	if pages != 3 || len(seen) != 250 {
		t.Errorf("%d cells on %d pages", len(seen), pages)
	}
}

// Numbers of fits that did not converge, or have the end of a range, are marked in the table of cells, and a legend counts the fits.
func TestMarks(t *testing.T) {
	rows := outcomes()
	for i := range rows {
		if rows[i].Dataset == "one" && rows[i].Algorithm == "mean, plain" && rows[i].Fold > 0 {
			rows[i].Notes = []string{engines.NotConverged + ": after 3 rounds", "c=1 was chosen " + engines.EndOfRange}
		}
	}
	body := ask(handler(folder(t, rows)), "GET", "/a%20run/cells", nil).Body.String()
	marks := cells.Caveats{Unconverged: true, AtEnd: true}.Marks()
	if n := strings.Count(body, marks+"</small>"); n != 2 { // accuracy and columns selected, of one cell
		t.Errorf("%d numbers are marked in\n%s", n, body)
	}
	for _, want := range []string{"§: 2 of 3 fits", "¶: in 2 of 3 fits"} {
		if !strings.Contains(body, want) {
			t.Errorf("lacks %q", want)
		}
	}
}

// Metrics that only published values name are read with the others, so that no page says that results lack them.
func TestPublishedMetrics(t *testing.T) {
	rows := outcomes()
	for i := range rows {
		rows[i].Scores = append(rows[i].Scores, results.Score{Metric: "macro_f1", Point: -1, Value: 0.5, Higher: true})
	}
	r := folder(t, rows)
	brief := r.Brief
	r.Brief = func() (Brief, error) {
		b, err := brief()
		b.Input.Published = []comparison.Published{{Source: "elsewhere", Dataset: "one", Algorithm: "mean, plain", Metric: "macro_f1", Value: 0.4}}
		return b, err
	}
	if body := ask(handler(r), "GET", "/a%20run/", nil).Body.String(); !strings.Contains(body, "Results</h2>") || strings.Contains(body, "have no macro_f1") {
		t.Errorf("in\n%s", body)
	}
}

// Runs of the same name, and more runs than are kept in memory.
func TestManyRuns(t *testing.T) {
	var runs []Run
	for range maxLoaded + 3 {
		runs = append(runs, folder(t, outcomes()))
	}
	h := handler(runs...)
	for range 2 {
		for i := range runs {
			name := "a%20run"
			if i > 0 {
				name += fmt.Sprintf("-%d", i+1)
			}
			if w := ask(h, "GET", "/"+name+"/", nil); w.Code != 200 {
				t.Fatalf("%s: status %d", name, w.Code)
			}
		}
	}
	if w := ask(h, "GET", "/a%20run-99/", nil); w.Code != 404 {
		t.Errorf("status %d", w.Code)
	}
	if w := ask(h, "GET", "/a%20run", nil); w.Code != http.StatusMovedPermanently || w.Header().Get("Location") != "/a%20run/" {
		t.Errorf("without a slash: status %d, %s", w.Code, w.Header().Get("Location"))
	}
}

// What is stored is read as it comes, and what did not end well again.
func TestFollow(t *testing.T) {
	r := folder(t, nil)
	j, err := journal.Open(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	rows := outcomes()
	put := func(from, to int) {
		for i := range rows[from:to] {
			if err := j.Put(rows[from+i].Unit, &rows[from+i].Outcome); err != nil {
				t.Fatal(err)
			}
		}
	}
	h := handler(r)
	page := func(path string) string {
		t.Helper()
		w := ask(h, "GET", "/a%20run/"+path, nil)
		if w.Code != 200 {
			t.Fatalf("%s: status %d: %s", path, w.Code, w.Body)
		}
		return w.Body.String()
	}
	if got := page(""); !strings.Contains(got, stateEmpty) {
		t.Error(got)
	}
	put(0, 4)
	w, err := status.Open(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Put(status.Status{Total: 18, Done: 4, Failed: 1, Memory: 1 << 30, Running: []status.Running{{Name: hostile, Since: time.Now().Add(-time.Hour)}}}); err != nil {
		t.Fatal(err)
	}
	got := page("")
	for _, want := range []string{stateRunning, "<strong>4</strong> of 18 fits", ">22 %</progress>", "1 failed", "1.0 GiB", "&lt;/script&gt;", "1 h 00 min", "much longer than others", "noscript", "2/3", "1/3", "failed"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
	before := page("live")
	rows[1] = rows[0]
	rows[1].Label, rows[1].Attempts = outcomes()[1].Label, 2
	put(1, 18)
	if err := w.Put(status.Status{State: status.StateInterrupted, Total: 18, Done: 18, Error: "stopped by somebody"}); err != nil {
		t.Fatal(err)
	}
	got = page("")
	for _, want := range []string{stateInterrupted, "stopped by somebody", "3/3"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "noscript") || strings.Contains(got, "2/3") || page("live") == before {
		t.Error("it is as it was")
	}
	if _, err := results.Write(r.Dir, results.Meta{Experiment: "e"}, results.All(rows)); err != nil {
		t.Fatal(err)
	}
	if got = page(""); !strings.Contains(got, stateComplete) || !strings.Contains(got, "18 of 18 fits") || !strings.Contains(got, "Results</h2>") {
		t.Error(got)
	}
}

// Results older than the plan are of the run before, unless they say that they are of this plan.
func TestWritten(t *testing.T) {
	r := folder(t, outcomes())
	if err := os.Mkdir(filepath.Join(r.Dir, "cells"), 0o700); err != nil {
		t.Fatal(err)
	}
	written := func() bool {
		one := &run{Run: r}
		one.refresh()
		return one.hasResults()
	}
	if !written() {
		t.Error("newer results are not those of the plan")
	}
	if err := os.Chtimes(filepath.Join(r.Dir, results.ResultsFile), time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if written() {
		t.Error("older results are those of the plan")
	}
	if _, err := results.Write(r.Dir, results.Meta{Experiment: "e", Plan: `{"name":"e"}`}, results.All(outcomes())); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(r.Dir, results.ResultsFile), time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if !written() {
		t.Error("results of the same plan are not, because of their date")
	}
}

func TestUnreadablePlan(t *testing.T) {
	r := folder(t, outcomes())
	r.Brief = func() (Brief, error) { return Brief{}, errors.New("plan.json: damaged: " + hostile) }
	h := handler(r, folder(t, outcomes()))
	if w := ask(h, "GET", "/", nil); w.Code != 200 || !strings.Contains(w.Body.String(), stateUnreadable) || !strings.Contains(w.Body.String(), stateComplete[:4]) {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
	if w := ask(h, "GET", "/a%20run/", nil); w.Code != 500 || !strings.Contains(w.Body.String(), "damaged") {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
	for _, path := range []string{"live", "figures"} {
		if w := ask(h, "GET", "/a%20run/"+path, nil); w.Code != 200 {
			t.Errorf("%s: status %d: %s", path, w.Code, w.Body)
		}
	}
}

func TestWords(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for got, want := range map[string]string{
		durationText(999 * time.Millisecond): "1 s", durationText(61 * time.Second): "1 min 01 s", durationText(3*time.Hour + 4*time.Minute): "3 h 04 min", durationText(73 * time.Hour): "3 days", durationText(0): "0 s",
		humanAge(now, now.Add(-30*time.Second)): "just now", humanAge(now, now.Add(-30*time.Minute)): "30 min ago", humanAge(now, now.Add(-30*time.Hour)): "30 h ago", humanAge(now, now.Add(-100*time.Hour)): "2025-12-28 23:04", humanAge(now, time.Time{}): "–",
		sizeText(0): "–", sizeText(5 << 20): "5 MiB", sizeText(3 << 29): "1.5 GiB", rateText(0): "–", rateText(7): "7 fits/h", rateText(90): "1.5 fits/min", rateText(7200): "2 fits/s",
		groupThousands(9999): "9999", groupThousands(10000): "10\u202f000", groupThousands(-1234567): "-1\u202f234\u202f567",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Only drawings of the folder are handed out, and what they say of themselves is read.
func TestFigures(t *testing.T) {
	r := folder(t, outcomes())
	dir := filepath.Join(r.Dir, figuresFolder)
	if err := os.MkdirAll(filepath.Join(dir, "folder.svg"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a b.svg": "<svg><title>T &amp; t</title><desc>words</desc><metadata>more &lt;words&gt;</metadata></svg>", "damaged.svg": "<svg><title>half", ".hidden.svg": "", "note.txt": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(r.Dir, planfile.Name), filepath.Join(dir, "link.svg")); err != nil {
		t.Skip(err)
	}
	one := &run{Run: r}
	if got := one.figureNames(); !slices.Equal(got, []string{"a b.svg", "damaged.svg"}) {
		t.Errorf("%v", got)
	}
	h := handler(r)
	body := ask(h, "GET", "/a%20run/figures", nil).Body.String()
	if !strings.Contains(body, `<img src="/a%20run/figures/a%20b.svg" alt="T &amp; t. words"`) {
		t.Error(body)
	}
	if !strings.Contains(body, "<figcaption>more &lt;words&gt;</figcaption>") {
		t.Error("the caption is lost:", body)
	}
	w := ask(h, "GET", "/a%20run/figures/a%20b.svg", nil)
	if w.Code != 200 || w.Header().Get("Content-Type") != "image/svg+xml" || w.Header().Get("Content-Security-Policy") != figurePolicy {
		t.Errorf("status %d, %v", w.Code, w.Header())
	}
	for _, name := range []string{"link.svg", ".hidden.svg", "note.txt", "folder.svg", "nothing.svg", "..%2fplan.json"} {
		if w := ask(h, "GET", "/a%20run/figures/"+name, nil); w.Code != 404 {
			t.Errorf("%s: status %d", name, w.Code)
		}
	}
}
