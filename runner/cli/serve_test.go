package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"tenfold/engines/enginetest"
	"tenfold/io/results"
	"tenfold/reports/browsertest"
	"tenfold/runner/cli/app"
	"tenfold/runner/plan"
)

// site is what tenfold serve shows.
type site struct {
	t    testing.TB
	base string // http://127.0.0.1:PORT
	end  func() (code int, errs string)
}

// serves starts the command in this process.
func serves(t testing.TB, args ...string) site {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	in, out := io.Pipe()
	var errs bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		code := run(ctx, out, &errs, append([]string{"serve", "--addr", "0"}, args...))
		_ = out.Close()
		ended <- code
	}()
	s := site{t: t, end: func() (int, string) {
		cancel()
		code := <-ended
		ended <- code
		return code, errs.String()
	}}
	t.Cleanup(func() { s.end() })
	line := make([]byte, 200)
	n, err := in.Read(line)
	if err != nil {
		_, errs := s.end()
		t.Fatalf("no address: %v\n%s", err, errs)
	}
	s.base = strings.TrimSuffix(strings.TrimSpace(string(line[:n])), "/")
	return s
}

func (s site) get(path string) (status int, body string) {
	s.t.Helper()
	r, err := http.Get(s.base + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

// page that must be there.
func (s site) page(path string) string {
	s.t.Helper()
	status, body := s.get(path)
	if status != http.StatusOK {
		s.t.Fatalf("%s: status %d\n%s", path, status, body)
	}
	return body
}

// watched is an experiment with a path, bits, a grid, two data sets, failures and figures.
const watched = `tenfold: 1
name: watched
title: Watched <b>pages</b>
seed: 7
datasets:
  - {name: pairs, format: synthetic, generator: tuples, rows: 600, truth: 40, noise: 0.5, seed: 3, features: {cutoff: 3}}
  - {name: more pairs, format: synthetic, generator: tuples, rows: 500, truth: 40, noise: 0.5, seed: 4, features: {cutoff: 3}}
folds: {kind: kfold, k: 4, by: pattern}
algorithms:
  - {name: stagewise, engine: stagewise, params: {max_iter: 400}, grid: {epsilon: [0.1, 0.03]}}
  - {name: bits, engine: mdl, params: {code: ric}}
  - {name: limited, engine: stagewise, params: {max_iter: 100000000, epsilon: 0.000001, patience: 100000000, loop: false}, limits: {time: 100ms}}
  - {name: mean, engine: mean}
metrics: [test_mse, test_r2]
report:
  tables: [{rows: algorithm, columns: dataset, baseline: mean}]
  figures: [{kind: path, algorithm: stagewise}]
`

// watchedOnce is the files of its run, made for all tests together.
var watchedOnce = sync.OnceValues(func() (made fs.FS, err error) {
	home, err := os.MkdirTemp("", "tenfold-watched-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	spec, dir := filepath.Join(home, "watched.yaml"), filepath.Join(home, "watched")
	if err := os.WriteFile(spec, []byte(watched), 0o600); err != nil {
		return nil, err
	}
	var errs bytes.Buffer
	if code := run(context.Background(), io.Discard, &errs, []string{"run", spec, "--out", dir, "--cache", filepath.Join(home, "cache")}); code != app.ExitIncomplete {
		return nil, fmt.Errorf("exit code %d\n%s", code, &errs)
	}
	files := fstest.MapFS{}
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = &fstest.MapFile{Data: content, Mode: 0o644}
		return err
	})
	return files, err
})

// watchedRun is the folder of its run, of one test alone.
func watchedRun(t *testing.T) (dir string) {
	t.Helper()
	files, err := watchedOnce()
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "watched")
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	return dir
}

// cell is the address of the first cell that a search finds.
func (s site) cell(search string) string {
	s.t.Helper()
	page := s.page("/watched/cells?" + search)
	m := regexp.MustCompile(`<th scope="row"><a href="([^"]*)"`).FindStringSubmatch(page)
	if m == nil {
		s.t.Fatalf("no cell in %s", page)
	}
	return m[1]
}

var shownTables = regexp.MustCompile(`(?s)<table id="table-\d+">.*?</table>`)

// servedWords of a page without its markup.
func servedWords(page string) string {
	return strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " ")), " ")
}

// What the pages say is what the report says, and what the files hold.
func TestServe(t *testing.T) {
	t.Parallel()
	dir := watchedRun(t)
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	s := serves(t, dir, empty, filepath.Dir(dir)) // the last is a folder of runs
	wants(t, s.page("/"), `<a href="/watched/" dir="auto">watched</a>`, "Watched &lt;b&gt;pages&lt;/b&gt;", "incomplete", `href="/empty/"`, "nothing yet", `href="/watched-2/"`)
	wants(t, s.page("/empty/"), "Nothing has been written")
	s.page("/empty/cells")

	overview := s.page("/watched/")
	wants(t, overview, "32 of 40 fits ended well", "8 failed", "sha256:", "generator: tuples", "exceeded its limit of 100ms", `<a href="/watched/report.html">`)
	report := s.page("/watched/report.html")
	ours, theirs := shownTables.FindAllString(overview, -1), shownTables.FindAllString(report, -1)
	if len(ours) != 2 || servedWords(ours[0]) != servedWords(theirs[0]) || servedWords(ours[1]) != servedWords(theirs[1]) {
		t.Errorf("other tables than the report's:\n%s\n%s", servedWords(strings.Join(ours, "\n")), servedWords(strings.Join(theirs[:2], "\n")))
	}

	wants(t, s.page("/watched/cells"), "10 cells", "4/4", "timeout", `<option>0.03</option>`)
	found := s.page("/watched/cells?algorithm=stagewise&dataset=more+pairs&.epsilon=0.03")
	wants(t, found, "1 cell, of 10", "<option selected>0.03</option>")
	wants(t, s.page("/watched/cells?status=timeout"), "2 cells, of 10")
	wants(t, s.page("/watched/cells?algorithm=stage*,mean"), "6 cells, of 10")
	wants(t, s.page("/watched/cells?algorithm=%3Cscript%3E"), "No cell is like this", `value="&lt;script&gt;"`)
	wants(t, s.page("/watched/cells?page=99&sort=nonsense"), "10 cells")
	sorted := s.page("/watched/cells?sort=-test_mse&status=ok&dataset=pairs")
	wants(t, sorted, `aria-sort="descending"`)
	at := func(text, part string) int { return strings.Index(text, part) }
	if !(at(sorted, ">mean</a>") < at(sorted, ">0.1</td>") && at(sorted, ">0.1</td>") < at(sorted, ">0.03</td>")) {
		t.Error("not sorted by the error")
	}

	address := s.cell("algorithm=stagewise&dataset=more+pairs&.epsilon=0.03")
	cell := s.page(address)
	wants(t, cell, "stagewise epsilon=0.03", "Folds", "Selected by this fit", "Selected over the folds", "Parameters", "max_iter", `class="reading"`, "training error", "tenfold why")
	tables, err := results.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	r := tables.Rows[slices.IndexFunc(tables.Rows, func(r results.Row) bool { return strings.HasSuffix(address, r.Cell) && r.Fold == 2 })]
	selected, err := tables.Selected(&r)
	if err != nil || len(selected) == 0 {
		t.Fatal(err, len(selected))
	}
	fold := s.page(address + "?fold=0.2")
	wants(t, fold, fmt.Sprint(r.Seed), fmt.Sprint(r.RowsTest), ">"+selected[0].Feature+"</th>", fmt.Sprintf("%.5g", math.Abs(selected[0].Coefficient)))

	wants(t, s.page(s.cell("algorithm=bits&dataset=pairs")), "Why features were taken", "bits without features", "net")
	wants(t, s.page(s.cell("algorithm=limited")), "exceeded its limit", "timeout")

	figures := regexp.MustCompile(`<img src="([^"]*)" alt="([^"]*)"`).FindAllStringSubmatch(s.page("/watched/figures"), -1)
	if len(figures) != 2 || !strings.Contains(figures[0][2], "Path of stagewise") {
		t.Fatalf("figures %v", figures)
	}
	wants(t, s.page(figures[0][1]), "<svg", "</svg>")

	for _, path := range []string{"/nothing/", "/watched/nothing", "/watched/cells/00", "/watched/cells/" + url.PathEscape("../../plan.json"), "/watched/figures/" + url.PathEscape("../plan.json"),
		"/watched/figures/..%2f..%2fplan.json", "/watched/plan.json", "/..%2fwatched/", "/%2e%2e/"} {
		if status, body := s.get(path); status != http.StatusNotFound || strings.Contains(body, "schema") {
			t.Errorf("%s: status %d", path, status)
		}
	}
	if code, errs := s.end(); code != app.ExitOK || !strings.Contains(errs, "3 runs") {
		t.Errorf("exit code %d\n%s", code, errs)
	}
}

// Whatever stands in a run's folder: pages tell, and the others stay.
func TestServeDamaged(t *testing.T) {
	t.Parallel()
	dir := watchedRun(t)
	spoil := func(name string) string {
		bad := filepath.Join(t.TempDir(), strings.TrimSuffix(name, filepath.Ext(name)))
		if err := os.CopyFS(bad, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(bad, name), 1000); err != nil {
			t.Fatal(err)
		}
		return bad
	}
	s := serves(t, dir, spoil("plan.json"), spoil("results.parquet"), spoil("selections.parquet"))
	wants(t, s.page("/"), "unreadable", "incomplete")
	for path, want := range map[string]string{"/plan/": "damaged", "/results/": "cut short", "/results/cells": "cut short", "/selections/": "selections.parquet"} {
		if status, body := s.get(path); status != http.StatusInternalServerError || !strings.Contains(body, want) {
			t.Errorf("%s: status %d\n%s", path, status, body)
		}
	}
	s.page("/watched/")
	if err := os.Rename(filepath.Join(dir, "selections.parquet"), filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	s.page(s.cell("algorithm=bits&dataset=pairs")) // what is open stays readable
}

// A run is seen while it goes on: what ended so far, then the results.
func TestServeFollows(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "watched")
	spec := filepath.Join(t.TempDir(), "watched.yaml")
	text := strings.NewReplacer("limits: {time: 100ms}", "limits: {time: 3s}").Replace(watched)
	if err := os.WriteFile(spec, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s := serves(t, dir)
	wants(t, s.page("/watched/"), "nothing yet")
	cmd := exec.Command(os.Args[0], "run", spec, "--out", dir, "--jobs", "1", "--cache", t.TempDir())
	cmd.Env = append(os.Environ(), "TENFOLD_TEST_MAIN=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	defer func() {
		if !ended {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}()
	until(t, func() bool {
		page := s.page("/watched/")
		return strings.Contains(page, "running") && strings.Contains(page, "so-far") && strings.Contains(page, "limited fold")
	})
	wants(t, s.page("/watched/"), "<noscript><meta http-equiv=\"refresh\"", "of 40 fits", "<progress")
	wants(t, s.page("/watched/live"), "data-live", "running")
	wants(t, s.page("/watched/cells"), "to come")
	wants(t, s.page(s.cell("algorithm=stagewise&dataset=pairs&.epsilon=0.1")), "Selected by this fit", "Parameters", "reading")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	ended = true
	wants(t, s.page("/watched/"), "so-far")
	x := tool{t, t.TempDir()}
	x.run("run", spec, "--out", dir, "--set", "algorithms.limited.limits.time=10ms")
	page := s.page("/watched/")
	wants(t, page, "incomplete", "8 failed", "Results", "sha256:")
	if strings.Contains(page, "so-far") || strings.Contains(page, "noscript") {
		t.Error("the page of a run that has ended goes on following")
	}
}

// until waits for what happens sooner or later.
func until(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not happen")
		}
	}
}

// pageChecks are for the pages of tenfold serve, besides those for all pages; a switch tells whether links are followed.
const pageChecks = `(async () => {
` + "%s" + `
  const ids = new Set();
  for (const e of all("[id]")) { check(!ids.has(e.id), "two of id " + e.id); ids.add(e.id); }
  for (const e of all("details")) e.open = true;
  checkLayout("open");
  checkContrast();
  check(all("h1").length === 1 && document.title.length > 9 && document.documentElement.lang, "no heading, title or language");
  for (const th of all("th")) check(th.scope, "a header without scope: " + nameOf(th));
  for (const e of all("select, input:not([type=hidden])")) check(e.labels.length === 1 || e.getAttribute("aria-label"), "a field without a label: " + nameOf(e));
  for (const e of all("img")) { await e.decode(); check(e.alt && e.naturalWidth > 100, "an image without words or content: " + e.src); }
  for (const a of all("a, link")) {
    const to = new URL(a.href);
    if (to.hash) check(to.pathname !== location.pathname || document.getElementById(to.hash.slice(1)), "nothing at " + to.hash);
    if (to.host !== location.host || %t && to.pathname !== location.pathname && !(await fetch(a.href, {method: "HEAD"})).ok) problems.push("nothing at " + a.href);
  }
  return problems;
})()`

// Every page in a real browser: wide and narrow, light and dark, without a word on the console, and with the keyboard alone.
func TestServeInBrowser(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	dir := watchedRun(t)
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	s := serves(t, dir, empty)
	cell := s.cell("algorithm=stagewise&dataset=pairs&.epsilon=0.1")
	for _, w := range []struct {
		width int
		dark  bool
	}{{1280, false}, {390, true}} {
		browser.Window(w.width, 900, w.dark)
		for _, path := range []string{"/", "/watched/", "/watched/cells", "/watched/cells?sort=-test_mse&status=ok", cell, cell + "?fold=0.3", s.cell("algorithm=bits"), s.cell("algorithm=limited"),
			"/watched/figures", "/empty/", "/empty/cells"} {
			browser.Open(s.base + path)
			var problems []string
			browser.Eval(fmt.Sprintf(pageChecks, browsertest.Look, w.width > 1000), &problems)
			var dark bool
			browser.Eval(`matchMedia("(prefers-color-scheme: dark)").matches`, &dark)
			for _, p := range append(problems, browser.Said()...) {
				t.Errorf("%s at %d: %s", path, w.width, p)
			}
			if dark != w.dark {
				t.Errorf("dark %v", dark)
			}
		}
	}
	is := func(expression string) {
		t.Helper()
		if err := browser.Waits(expression, 10*time.Second); err != nil {
			t.Error(err)
		}
	}
	browser.Window(1280, 900, false)

	// The keyboard: past the head of the page, to a cell, along its path.
	browser.Open(s.base + "/watched/cells")
	browser.Press("Tab")
	is(`document.activeElement.className === "skip" && document.activeElement.getBoundingClientRect().left > 0`)
	browser.Press("Enter")
	is(`location.hash === "#main"`)
	browser.Eval(`document.querySelector("tbody th a").focus()`, nil)
	browser.Press("Enter")
	is(`location.pathname.startsWith("/watched/cells/") && document.querySelector(".readings")`)
	shown := `[...document.querySelectorAll(".reading text")].filter(e => getComputedStyle(e).visibility === "visible").map(e => e.textContent).join()`
	is(shown + ` === ""`)
	browser.Eval(`document.querySelector(".readings").closest("svg").focus()`, nil)
	browser.Press("Home")
	is(shown + `.startsWith("step 0 ")`)
	browser.Press("ArrowRight")
	is(shown + `.startsWith("step 1 ")`)
	var at struct{ X, Y float64 }
	browser.Eval(`(() => { document.querySelector(".readings").scrollIntoView({block: "center"}); const b = document.querySelector(".readings").lastElementChild.firstElementChild.getBoundingClientRect(); return {X: b.x + b.width / 2, Y: b.y + b.height / 2} })()`, &at)
	browser.Point(at.X, at.Y)
	is(shown + ` === document.querySelector(".readings").lastElementChild.querySelector("text").textContent`) // alone: the pointer goes before the keyboard

	// A choice of colours holds on other pages.
	browser.Eval(`document.getElementById("theme").click()`, nil)
	browser.Open(s.base + "/")
	is(`document.documentElement.style.colorScheme === "dark"`)

	// Without scripts.
	browser.Scripts(false)
	browser.Open(s.base + "/watched/cells?algorithm=bits")
	is(`document.querySelectorAll("tbody tr").length === 2 && document.getElementById("theme").hidden`)
	browser.Open(s.base + "/empty/")
	is(`document.querySelector('meta[http-equiv="refresh"]')`)
	browser.Scripts(true)

	// A page follows what happens in its folder.
	browser.Open(s.base + "/empty/")
	is(`document.querySelector(".state").textContent === "nothing yet"`)
	if err := os.CopyFS(empty, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	is(`document.querySelector(".state").textContent === "incomplete" && document.querySelector("#follow table")`)
	if said := browser.Said(); len(said) > 0 {
		t.Error(said)
	}
}

func TestServeRefuses(t *testing.T) {
	t.Parallel()
	x := tool{t, t.TempDir()}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--addr", "0.0.0.0:0"}, "--addr 0.0.0.0:0: other machines may reach this address, and everybody there can read the runs; --public says that this is meant"},
		{[]string{"--addr", ":0"}, "other machines may reach this address"},
		{[]string{"--addr", "example.org:80"}, "other machines may reach this address"},
		{[]string{"--addr", "127.0.0.1:nonsense"}, "--addr 127.0.0.1:nonsense: "},
		{[]string{"--addr", "1:2:3"}, "expected a port, or HOST:PORT"},
		{[]string{"nowhere"}, "nowhere: no such folder"},
		{[]string{file}, "is a file; the folder of a run was expected, such as " + filepath.Join("runs", "NAME")},
	} {
		code, _, errs := x.run(append([]string{"serve"}, c.args...)...)
		if code != app.ExitInvalid || !strings.Contains(errs, c.want) {
			t.Errorf("%v: exit code %d, %s", c.args, code, errs)
		}
	}
}

// servedLarge is a run of 100,000 fits: 20 data sets × 5 algorithms × 100 points of a grid on 10 folds.
func servedLarge(b *testing.B, dir string) {
	b.Helper()
	const sets, algorithms, points, folds = 20, 5, 100, 10
	f := &plan.Frozen{Schema: 2, Path: "large.yaml", Name: "large", Metrics: []string{"test_mse", "test_r2"}, Sections: json.RawMessage(`{"report":{}}`)}
	var rows []results.Row
	for s := range sets {
		set := plan.FrozenSet{Name: fmt.Sprint("set", s), Format: "csv", Rows: 1000, Columns: 500}
		for k := range folds {
			set.Folds = append(set.Folds, plan.FrozenFold{Fold: k, Train: 900, Test: 100, Digest: fmt.Sprintf("%064x", s*folds+k)})
		}
		f.Datasets = append(f.Datasets, set)
		for a := range algorithms {
			for p := range points {
				id := (s*algorithms+a)*points + p
				c := plan.FrozenCell{Key: fmt.Sprintf("%032x", 7919*(id+1)), Dataset: set.Name, Algorithm: fmt.Sprint("algorithm", a), Engine: "stagewise",
					Params: fmt.Sprintf(`{"epsilon":%v,"patience":30000}`, float64(p+1)/100), Grid: []plan.GridValue{{Name: "epsilon", Value: float64(p+1) / 100}}}
				for k := range folds {
					unit := fmt.Sprintf("%064x", id*folds+k+1)
					c.Units = append(c.Units, plan.FrozenUnit{Unit: unit, Fold: k, FoldDigest: set.Folds[k].Digest, Seed: int64(id)})
					r := results.Row{
						Label: results.Label{Experiment: f.Name, Dataset: set.Name, Algorithm: c.Algorithm, Engine: c.Engine, Cell: c.Key, Unit: unit, Params: c.Params,
							Grid: []results.Param{{Name: "epsilon", Value: float64(p+1) / 100}}, Fold: int32(k), FoldDigest: set.Folds[k].Digest, DatasetDigest: set.Name, Seed: int64(id)},
						Outcome: results.Outcome{Status: results.OK, RowsTrain: 900, RowsTest: 100, Columns: 500, Features: 2, SecondsFit: 1, Machine: "m", Version: "v", Started: time.Now()},
					}
					for i, m := range []string{"test_mse", "test_r2", "selected", "nonzero", "train_mse", "train_r2", "iterations", "evaluations"} {
						r.Scores = append(r.Scores, results.Score{Metric: m, Point: -1, Value: math.Sin(float64(id*folds+k)) * float64(i+1)})
					}
					for i := range 2 {
						r.Outcome.Selected = append(r.Outcome.Selected, results.Selected{Rank: int32(i), Feature: fmt.Sprint("f", (id+i)%500), Coefficient: 1})
					}
					rows = append(rows, r)
				}
				f.Cells = append(f.Cells, c)
			}
		}
	}
	if err := f.Write(dir); err != nil {
		b.Fatal(err)
	}
	text, err := json.Marshal(f)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := results.Write(dir, results.Meta{Experiment: f.Name, Plan: string(text)}, results.All(rows)); err != nil {
		b.Fatal(err)
	}
}

// The first page of a server that has read nothing yet, on a run of 100,000 rows; and further pages.
func BenchmarkServe(b *testing.B) {
	dir := os.Getenv("TENFOLD_LARGE_RUN") // kept between benchmarks, where it is set
	if dir == "" {
		dir = filepath.Join(b.TempDir(), "large")
	}
	if _, err := os.Stat(filepath.Join(dir, results.ResultsFile)); err != nil {
		servedLarge(b, dir)
	}
	base := "/" + filepath.Base(dir) + "/"
	for name, path := range map[string]string{"runs": "/", "overview": base, "cells": base + "cells", "cell": base + fmt.Sprintf("cells/%032x", 7919*5000)} {
		b.Run("first/"+name, func(b *testing.B) {
			cpu := enginetest.CPU()
			defer func() { b.ReportMetric(1e3*(enginetest.CPU()-cpu)/float64(b.N), "cpu-ms/op") }()
			for b.Loop() {
				s := serves(b, dir)
				s.page(path)
				s.end()
			}
		})
		b.Run("again/"+name, func(b *testing.B) {
			s := serves(b, dir)
			s.page(path)
			cpu := enginetest.CPU()
			defer func() { b.ReportMetric(1e3*(enginetest.CPU()-cpu)/float64(b.N), "cpu-ms/op") }()
			for b.Loop() {
				s.page(path)
			}
		})
	}
}
