package reports

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/io/results"
	"tenfold/reports/browsertest"
	"tenfold/reports/page"
	"tenfold/reports/table"
)

// hostile is text that a page must show as it is and that must not break its layout.
var hostile = `</script><script>alert(1)</script> <img src=x onerror="alert(2)"> & 'quotes' עברית ` + strings.Repeat("longtoken", 30)

// awkward is a table whose columns are hard to sort.
func awkward() *table.Grid {
	g := &table.Grid{Title: "awkward", Corner: "label", Columns: []string{"mean", "text"},
		Footer: []table.Row{{Label: "total", Slots: []table.Slot{{Text: "99"}, {Text: "z"}}}}}
	for _, r := range [][3]string{
		{"a x=0.1", "0.9580 ± 0.0080 (12)", "b"},
		{"b", "−3.5 v", "–"},
		{"a x=0.03", "∞", "b"},
		{"c", "1/5 failed", "a 10"},
		{"a x=10", "<0.001", "a 9"},
		{"d", "–", ""},
		{"e", "0.958", "c"},
	} {
		g.Rows = append(g.Rows, table.Row{Label: r[0], Slots: []table.Slot{{Text: r[1]}, {Text: r[2]}}})
	}
	return g
}

// whole is a page with everything that reports can have, and its number of figures.
func whole(t *testing.T) (text string, figures int) {
	in := sample()
	in.Title, in.Spec = hostile, "experiments/it's here.yaml"
	in.Rows[1].Error, in.Rows[1].Status = hostile, results.Failed
	in.Rows[0].Outcome.Selected[0].Feature = hostile
	for i := range in.Rows {
		r := &in.Rows[i]
		r.Params = `{"epsilon":0.1,"step":"fixed","lists":null,"list":["` + strings.Repeat("0200020000", 40) + `"]}`
		if r.Algorithm == "ridge" {
			r.Algorithm = "ridge " + strings.Repeat("long", 40)
		}
	}
	in.Clusterings = clustered()
	in.Clusterings[0].Clusters[0].Shared = hostile
	in.Clusterings[0].Clusters[1].Members[0].Output = hostile
	c := sampleConfig()
	c.Tables[0].Baseline = ""
	r := newReport(c, in)
	charts := r.charts()
	doc, err := r.document(charts)
	if err != nil || r.problem() != nil {
		t.Fatal(err, r.problem())
	}
	wide := &table.Grid{Title: "wide", Corner: "row"}
	line := table.Row{Label: strings.Repeat("a long label ", 9)}
	for i := range 30 {
		wide.Columns = append(wide.Columns, fmt.Sprint("column ", i))
		line.Slots = append(line.Slots, table.Slot{Text: "0.9580 ± 0.0080"})
	}
	wide.Rows = []table.Row{line, line}
	extra := page.Section{Title: "Extra", Blocks: []page.Block{page.Table{Grid: awkward()}, page.Table{Grid: wide}}}
	doc.Sections = slices.Insert(doc.Sections, 0, extra)
	var b bytes.Buffer
	if err := page.HTML(&b, doc); err != nil {
		t.Fatal(err)
	}
	return b.String(), len(charts)
}

//go:embed testdata/browser.js
var ownChecks string

var browserScript = browsertest.Look + ownChecks

// findings is what testdata/browser.js says.
type findings struct {
	Problems []string
	Width    int
	Dark     bool
	Figures  int
	Links    int
	Orders   map[string][]string // of the first table, by column and click
	Open     bool                // the details that the address names
}

// windowPage shows a report in a frame, which can be narrower than a browser's window, and takes what it says.
const windowPage = `<!DOCTYPE html>
<script>addEventListener("message", e => document.body.append(Object.assign(document.createElement("pre"), { id: "findings", textContent: e.data })))</script>
<iframe style="border: 0; width: %dpx; height: 900px" src="%s"></iframe>
`

// browse opens the page in a window and returns what the script found. The page's own policy stays in force: it only
// learns to allow this script.
func browse(t *testing.T, text string, width int, anchor string, flags ...string) findings {
	t.Helper()
	sum := sha256.Sum256([]byte(browserScript))
	text = strings.Replace(text, "script-src ", "script-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"' ", 1)
	text = strings.Replace(text, "<title>", "<script>"+browserScript+"</script><title>", 1)
	dir := t.TempDir()
	frame := fmt.Sprintf(windowPage, width, (&url.URL{Path: "report.html", Fragment: anchor}).String())
	file := filepath.Join(dir, "window.html")
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "report.html"), []byte(text), 0o600), os.WriteFile(file, []byte(frame), 0o600)); err != nil {
		t.Fatal(err)
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(file)}
	// The sandbox is for pages of strangers, and not to be had in many containers.
	args := append([]string{"--headless=new", "--disable-gpu", "--no-sandbox", "--no-first-run", "--enable-logging=stderr", "--user-data-dir=" + filepath.Join(dir, "profile"), "--virtual-time-budget=5000"}, flags...)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browsertest.Command(t), append(args, "--dump-dom", address.String())...)
	var dom, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &dom, &log
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, log.String())
	}
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, "CONSOLE") {
			t.Error("console:", line)
		}
	}
	_, rest, _ := strings.Cut(dom.String(), `<pre id="findings">`)
	found, _, ok := strings.Cut(rest, "</pre>")
	var f findings
	if err := json.Unmarshal([]byte(html.UnescapeString(found)), &f); !ok || err != nil {
		t.Fatalf("no findings in the page: %v\n%s", err, log.String())
	}
	return f
}

func TestInBrowser(t *testing.T) {
	browsertest.Command(t)
	text, figures := whole(t)
	anchor := regexp.MustCompile(`id="(cell-[^"]*)"`).FindStringSubmatch(text)[1]
	for _, c := range []struct {
		width int
		flags []string
	}{{1280, nil}, {390, []string{"--force-dark-mode"}}} {
		t.Run(fmt.Sprint(c.width), func(t *testing.T) {
			t.Parallel()
			f := browse(t, text, c.width, anchor, c.flags...)
			for _, p := range f.Problems {
				t.Error(p)
			}
			if f.Width != c.width || f.Dark != (c.flags != nil) || f.Figures != figures || f.Links < 10 || !f.Open {
				t.Errorf("got width %d, dark %v, %d figures, %d links, details open %v", f.Width, f.Dark, f.Figures, f.Links, f.Open)
			}
			for column, want := range map[string]string{
				"label up":   "a x=0.03, a x=0.1, a x=10, b, c, d, e",
				"mean up":    "b, a x=10, a x=0.1, e, a x=0.03, c, d",
				"mean down":  "a x=0.03, a x=0.1, e, a x=10, b, c, d",
				"text up":    "a x=10, c, a x=0.1, a x=0.03, e, b, d",
				"text down":  "e, a x=0.1, a x=0.03, c, a x=10, b, d",
				"mean again": "a x=0.1, b, a x=0.03, c, a x=10, d, e",
			} {
				if got := strings.Join(f.Orders[column], ", "); got != want {
					t.Errorf("%s: got %s, want %s", column, got, want)
				}
			}
		})
	}
}

// What is in the page itself, without a browser: nothing comes from elsewhere, and all text is only text.
func TestPageIsSelfContained(t *testing.T) {
	text, _ := whole(t)
	if found := regexp.MustCompile(`(?i)(?:src|href|action|data|poster)\s*=\s*["']?(?:https?:|//|file:|data:)[^>]*|url\([^)]*\)|@import[^;]*`).FindString(text); found != "" {
		t.Errorf("the page asks for %s", found)
	}
	if n := strings.Count(text, "<script"); n != 1 {
		t.Errorf("%d scripts, want the page's own", n)
	}
	for _, want := range []string{"<caption>", `id="table-1"`, `id="figure-1"`, "&lt;script&gt;", "sha256:0123", "Content-Security-Policy",
		`tenfold run &#39;experiments/it&#39;\&#39;&#39;s here.yaml&#39; --only `} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, bad := range []string{"<img", "<link", "<?xml", "NaN"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}
