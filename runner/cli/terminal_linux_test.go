package cli_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"tenfold/engines/all"
	"tenfold/runner/cli"
	"tenfold/runner/cli/app"
)

// loudly ends names that would command a terminal, turn the reading order, hide, or begin a line of their own.
const loudly = "\x1b[31m\x1b]0,owned\x07\u009b2J\b\r\u202e\u2066\u200f\u200b\ufeff\u2028\nforged line: tenfold: all is well"

// terminal runs the program at a pseudo-terminal of its own, and returns what that was sent.
func terminal(t *testing.T, ctx context.Context, args ...string) (code int, shown string) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	defer master.Close()
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := term.MakeRaw(int(slave.Fd())); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(&out, master) // it ends with EIO when nobody has the terminal open
	}()
	code = run(ctx, slave, slave, args)
	if err := slave.Close(); err != nil {
		t.Fatal(err)
	}
	<-read
	return code, out.String()
}

// live is the line of progress, which the program itself writes over.
var live = regexp.MustCompile(`\r[^\r\n\x1b]*\x1b\[K`)

// checkShown: nothing of a loudly name acts in what a terminal was sent.
func checkShown(t *testing.T, args []string, shown string) {
	t.Helper()
	text := live.ReplaceAllString(shown, "")
	acts := func(r rune) bool {
		return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
	}
	if at := strings.IndexFunc(text, acts); at >= 0 {
		t.Errorf("%q: %q", args, text[max(0, at-80):min(len(text), at+80)])
	}
	if at := strings.Index("\n"+text, "\nforged"); at >= 0 && !slices.Contains(args, "html") { // where line feeds are blanks
		t.Errorf("%q: a name begins a line: %q", args, text[max(0, at-120):min(len(text), at+80)])
	}
}

// loudDesk is an experiment of which everything has loudly names: folders, files, columns, levels, ids, data sets, algorithms, methods.
type loudDesk struct {
	desk
	table, run, model, other string
}

func newLoudDesk(t *testing.T) loudDesk {
	t.Helper()
	d := loudDesk{desk: newDesk(t, "")}
	d.folder = d.path("folder" + loudly)
	if err := os.Mkdir(d.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	d.spec, d.baseline, d.run = d.path("spec"+loudly+".yaml"), d.path("spec"+loudly+".baseline.yaml"), d.path("run"+loudly)
	d.table, d.model, d.other = d.path("table"+loudly+".csv"), d.path("model"+loudly+".json"), d.path("other"+loudly)
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	records := [][]string{{"id" + loudly, "number" + loudly, "=kind" + loudly, "b", "group" + loudly, "y" + loudly}}
	for i := range 60 {
		kinds, classes := []string{"u" + loudly, "-v" + loudly, "w"}, []string{"yes" + loudly, "no" + loudly}
		class := classes[(i+i/7)%2]
		if i%5 == 0 {
			class = classes[i%3%2]
		}
		records = append(records, []string{fmt.Sprint("@", i, loudly), fmt.Sprint((i+i/7)%2*3 + i%4), kinds[i%3], fmt.Sprint(i % 5), fmt.Sprint("g", i%20, loudly), class})
	}
	if err := w.WriteAll(records); err != nil {
		t.Fatal(err)
	}
	put(t, d.table, b.String())
	put(t, d.spec, fmt.Sprintf(`tenfold: 1
name: hostile
title: %[1]q
datasets:
  - {name: set, format: csv, files: {all: %[2]q}, target: {column: %[3]q}, columns: {id: %[4]q, group: %[5]q, categorical: [%[6]q]}}
  - {name: tasks, format: csv, files: {all: %[2]q}, target: {column: %[6]q}, family: one-vs-one, columns: {id: %[4]q, drop: [%[3]q, %[5]q]}}
folds: {kind: kfold, k: 2}
algorithms:
  - {name: chooser, engine: l1, params: {c1: 0.1}}
  - {name: most, engine: majority}
metrics: [accuracy]
report:
  tables: [{rows: algorithm, columns: dataset, baseline: most}, {rows: metric, columns: task}]
  figures: [{kind: stability}, {kind: overlap}]
`, "title"+loudly, d.table, "y"+loudly, "id"+loudly, "group"+loudly, "=kind"+loudly))
	return d
}

// attempt is a command line, with the exit code that it ends with.
type attempt struct {
	code int
	args []string
}

// attempts are command lines of every command, by its name; those of one command run in their order.
func (d loudDesk) attempts() map[string][]attempt {
	good := func(args ...string) attempt { return attempt{app.ExitOK, args} }
	bad := func(args ...string) attempt { return attempt{app.ExitInvalid, args} }
	cached := func(a attempt) attempt { return attempt{a.code, append(a.args, "--cache", d.cache)} }
	set := func(key, value string) string { return fmt.Sprintf("--set=%s: %q}", key, value+loudly) }
	methods, failing := d.path("methods.yaml"), d.path("failing"+loudly)
	return map[string][]attempt{
		"": {bad("x" + loudly), bad("--x" + loudly), good("__complete", "init", d.table, "--target", ""), good("__complete", "run", d.folder+"/")},
		"init": {good("init", d.table, "-o", d.path("new"+loudly+".yaml")), good("init", d.table, "--yes", "-o", d.path("again.yaml"), "--target", "y"+loudly),
			bad("init", d.table, "--target", "none"+loudly), bad("init", d.table, "--target", "id"+loudly), bad("init", d.table+"none"), bad("init", d.table, "--name", "n"+loudly),
			bad("init", d.table, "--yes", "-o", d.spec), bad("init", d.table, "--format", "x"+loudly), bad("init", d.table, "--id", "=kind"+loudly)},
		"validate": {cached(good("validate", d.spec)), good("validate", d.spec, "--no-data"), cached(bad("validate", d.spec, set("datasets.set.target={column", "x"))),
			cached(bad("validate", d.spec, set("folds={kind: grouped, by", "x"))), bad("validate", d.path("none"+loudly)), bad("validate", d.table)},
		"run": {cached(good("run", d.spec, "--out", d.run)), cached(good("run", d.spec, "--out", d.other, "--verbose")), cached(good("run", d.spec, "--out", d.run, "--format", "json")),
			cached(good("run", d.spec, "--out", d.path("log"+loudly), "--log-json", "--verbose")), cached(bad("run", d.spec, "--only", "x"+loudly))},
		"demo": {cached(good("demo", d.path("demo"+loudly), "--open=false")), bad("demo", d.folder, "x"+loudly)},
		"plan": {cached(good("plan", d.spec, "--out", d.run)), cached(good("plan", d.spec, "--out", d.run, "--set", "seed=3")), cached(good("plan", d.spec, "--out", d.path("shards"+loudly), "--shards", "2")),
			cached(good("plan", d.spec, "--out", d.path("pods"+loudly), "--shards", "1", "--kubernetes", "image", "--mount", d.folder))},
		"report": {good("report", d.run), good("report", d.run, "--format", "csv"), good("report", d.run, "--format", "csv", "--raw"), good("report", d.run, "--format", "latex"), good("report", d.run, "--format", "html"),
			good("report", d.run, "--format", "markdown"), good("report", d.run, "--rows", "dataset"), bad("report", d.run, "--filter", "algorithm=x"+loudly), bad("report", d.run, "--rows", "x"+loudly), bad("report", d.run+"none")},
		"export":       {good("export", d.run), good("export", d.run, "predictions"), good("export", d.run, "selections", "--raw"), bad("export", d.run, "x"+loudly), bad("export", d.path("none"+loudly))},
		"supplement":   {good("supplement", d.run, "--out", d.path("supplement"+loudly)), bad("supplement", d.run), bad("supplement", d.run, "--out", d.path("s"), "--format", "x"+loudly)},
		"site":         {good("site", d.run, "--out", d.path("site"+loudly)), bad("site", d.run), bad("site", d.path("none"+loudly), "--out", d.path("s"))},
		"diff":         {good("diff", d.run, d.other), good("diff", d.run, d.other, "--all"), good("diff", d.run, d.other, "--all", "--format", "csv"), bad("diff", d.run, d.other, "--metric", "x"+loudly)},
		"describe":     {good("describe", "l1"), bad("describe", "engine", "x"+loudly)},
		"data list":    {cached(good("data", "list", d.spec)), cached(good("data", "list", d.spec, "--format", "json"))},
		"data verify":  {cached(good("data", "verify", d.spec)), bad("data", "verify", d.path("fetch.yaml"))},
		"data fetch":   {{app.ExitTool, []string{"data", "fetch", d.path("fetch.yaml"), "--yes", "--to", d.path("to" + loudly), "--cache", d.cache}}, bad("data", "fetch", d.path("fetch.yaml"), "--cache", d.path("none"))},
		"schema":       {good("schema", methods)},
		"method init":  {good("method", "init", "begun", "--shell", "--dir", d.path("begun"+loudly)), bad("method", "init", "x"+loudly, "--shell", "--dir", d.folder)},
		"method check": {bad("method", "check", methods, "m", "--allow-methods", "--skip", "memory,time"), bad("method", "check", methods, "x"+loudly), bad("method", "check", methods)},
		"folds":        {cached(good("folds", d.spec)), cached(good("folds", d.spec, "--format", "csv")), cached(bad("folds", d.spec, "--dataset", "x"+loudly))},
		"accept": {cached(good("accept", d.spec, "--out", d.run)), {app.ExitIncomplete, []string{"accept", methods, "--allow-methods", "--out", failing, "--cache", d.cache}},
			cached(good("accept", methods, "--allow-methods", "--out", failing, "--expected-failure", "so"+loudly))},
		"check": {cached(good("check", d.spec, "--out", d.run, "--verbose")), cached(good("check", d.spec, "--out", d.run, "--format", "json")), cached(good("check", d.spec, "--out", d.run, "--format", "markdown")),
			cached(good("check", d.spec, "--out", d.run, "--github")), cached(attempt{app.ExitIncomplete, []string{"check", d.spec, "--out", d.path("seeds"), "--set", "seed=4"}}),
			cached(bad("check", d.spec, "--out", d.run, "--baseline", d.table))},
		"fit":                   {cached(good("fit", d.spec, "--cell", "set/chooser", "-o", d.model, "--run", d.run)), cached(bad("fit", d.spec, "-o", d.model)), cached(bad("fit", d.spec, "--cell", "x"+loudly, "-o", d.model))},
		"predict":               {cached(good("predict", d.model, d.table)), cached(good("predict", d.model, d.table, "--score", "--raw")), cached(bad("predict", d.model, d.path("few"+loudly+".csv"))), bad("predict", d.model, d.path("none"+loudly))},
		"features":              {good("features", d.model), good("features", d.model, "--format", "csv"), good("features", d.model, "--format", "csv", "--raw"), good("features", d.model, "--format", "json"), bad("features", d.table)},
		"watch":                 {good("watch", d.run), bad("watch", d.table)},
		"serve":                 {good("serve", d.run), bad("serve", d.table)},
		"why":                   {cached(good("why", "chooser*", d.spec, "--out", d.run)), cached(good("why", "chooser*", d.spec, "--out", d.run, "--set", "seed=5")), cached(bad("why", "x"+loudly, d.spec))},
		"verify":                {cached(good("verify", d.run, "--sample", "1", "--jobs", "1")), bad("verify", d.table)},
		"reproduce":             {cached(good("reproduce", filepath.Join(d.run, "results.parquet"), "--out", d.path("reproduced"+loudly))), bad("reproduce", d.table)},
		"merge":                 {good("merge", d.run, d.other, "--out", d.path("merged"+loudly)), bad("merge", d.run, "--out", d.run)},
		"gc":                    {cached(good("gc", d.run)), bad("gc", d.path("none"+loudly))},
		"shard":                 {cached(good("shard", d.path("shards"+loudly+"/shards/1.json"), "0")), bad("shard", d.path("none"+loudly), "0"), bad("shard", d.table, "x"+loudly)},
		"cancel":                {bad("cancel", d.path("none"+loudly))},
		"version":               {good("version", "--check", d.run), bad("version", "x"+loudly)},
		"help":                  {good("help", "x"+loudly)},
		"completion bash":       {good("completion", "bash")},
		"completion zsh":        {good("completion", "zsh")},
		"completion fish":       {good("completion", "fish")},
		"completion powershell": {good("completion", "powershell")},
	}
}

// TestTerminal: no command lets what a name has of control characters, or its line feeds, reach a terminal.
func TestTerminal(t *testing.T) {
	t.Parallel()
	d := newLoudDesk(t)
	put(t, d.path("few"+loudly+".csv"), "b,new\n1,2\n3,4\n")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_, _ = io.WriteString(c, "HTTP/1.1 404 gone"+strings.NewReplacer("\r", "", "\n", "").Replace(loudly)+"\r\nContent-Length: 0\r\n\r\n")
			_ = c.Close()
		}
	}))
	defer server.Close()
	put(t, d.path("fetch.yaml"), fmt.Sprintf("tenfold: 1\nname: fetched\ndatasets: [{name: d, format: csv, files: {all: {path: %q, url: %q, licence: a licence}}, target: {column: 'y'}}]\nalgorithms: [{name: m, engine: mean}]\n",
		"far"+loudly+".csv", server.URL+"/far"))
	put(t, d.path("methods.yaml"), fmt.Sprintf(`tenfold: 1
name: methods
methods: [{name: m, command: [sh, -c, %q], code: [none], version: [sh, -c, %q], target: [real], output: [coefficients]}]
datasets: [{name: d, format: synthetic, rows: 300, truth: 2, seed: 1}]
folds: {kind: kfold, k: 2}
algorithms: [{name: m, engine: m}, {name: mean, engine: mean}]
metrics: [test_mse]
`, "echo 'wrong"+loudly+"' >&2; exit 1", "echo '1"+loudly+"'"))
	attempts := d.attempts()
	names := commandNames(t)
	for _, name := range names {
		if attempts[name] == nil {
			t.Errorf("tenfold %s has no case here", name)
		}
	}
	first := []string{"run", "plan", "fit"} // others build on these
	for _, name := range slices.Concat(first, slices.DeleteFunc(append(names, ""), func(name string) bool { return slices.Contains(first, name) })) {
		for _, a := range attempts[name] {
			limit := time.Minute
			if name == "serve" {
				limit = 2 * time.Second
			}
			ctx, stop := context.WithTimeout(t.Context(), limit)
			code, shown := terminal(t, ctx, a.args...)
			stop()
			if code != a.code {
				t.Errorf("%q: exit code %d, want %d\n%.2000s", a.args, code, a.code, shown)
			}
			checkShown(t, a.args, shown)
			t.Logf("%s: exit code %d\n%s", strings.ReplaceAll(strings.Join(a.args, " "), loudly, "!"), code, shown)
		}
	}
}

// commandNames are the names of all commands that do something.
func commandNames(t *testing.T) (names []string) {
	t.Helper()
	parts, err := parts()
	if err != nil {
		t.Fatal(err)
	}
	program := app.App{Parts: parts, Models: all.Models()}
	root := cli.Commands(&program)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if !c.HasSubCommands() {
			_, name, _ := strings.Cut(c.CommandPath(), " ")
			names = append(names, name)
		}
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	walk(root)
	return names
}
