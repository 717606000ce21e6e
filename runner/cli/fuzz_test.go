package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/runner/cli/app"
)

// hostile are data sets of every textual format: the entry of an experiment file, whose files.all is data, and contents that
// the format reads.
var hostile = []struct {
	entry    string
	contents []string
}{
	{`format: csv, target: {column: "y"}, columns: {categorical: [b]}, prepare: {missing: zero}`, []string{"a,y,b\n1,0,u\n2,1,v\n3,0,u\n4,1,v\n5,0,\n", "b,y\n1,\n,2\n\"3\n\",2\n4,1\n", "\ufeffa,\"y\n\",y\r\n1,2,\"3\n4\"\r\n"}},
	{`format: csv, target: {column: "y"}, columns: {categorical: [b]}, prepare: {encode: one-hot, missing: median, scale: sd, unseen: ignore}`, []string{"a,y,b\n1,0,u\n,1,v\n3,0,\n4,1,v\n5,0,w\n"}},
	{`format: tsv, target: {columns: ["y*"]}`, []string{"a\ty1\ty2\n1\t0\t3\n2\t1\t3.5\n3\t0\t4\n4\t1\t0\n"}},
	{`format: jsonl, target: {column: "y"}, columns: {categorical: [b]}, prepare: {missing: zero}`, []string{"{\"a\":1,\"y\":0,\"b\":\"u\"}\n{\"y\":1,\"b\":true}\n{\"a\":null,\"y\":0,\"b\":\"\\u00e4\"}\n{\"a\":4,\"y\":1}\n", `[{"a":1,"y":0},{"a":"2","y":1},{"a":3,"y":0,"b":"v"},{"a":4,"y":1}]`}},
	{`format: svmlight`, []string{"1 1:1 2:0.5 # c\n-1 1:2\n1 3:1e300\n-1 2:-1\n", "+1 qid:3 0:1e-3\n"}},
	{`format: svmlight, target: {type: class}`, []string{"1 1:1 2:0.5\n-1 1:2\n1 3:1\n-1 2:-1\n"}},
	{`format: vw`, []string{"1 |f a:1 b:0.5\n-1 2 'x|f:0.5 a a |g\n0.5 | z\n2 |f b\n"}},
	{`format: arff, target: {column: "y"}, prepare: {missing: mean}`, []string{"@relation r\n@attribute a numeric\n@attribute 'b c' {u,v}\n@attribute y {p,q}\n@data\n1,u,p\n2,v,q\n?,u,p\n3,v,q\n", "@attribute y real\n@attribute a real\n@data\n{0 1}\n{}\n{1 2,0 3}\n{0 4}\n"}},
	{`format: megam`, []string{"1 a b\n0 a\n1 b c\n0 d\n", "x a\nDEV\ny b\nTEST\nx a b\n"}},
	{`format: words, cut: ":"`, []string{"A:b x y\nB:c x\nA:d y z\nB w\n"}},
	{`format: conll, columns: {w: 0, c: 1}, target: {column: c}, features: {templates: window}`, []string{"The B-NP\ncat I-NP\n\nsat O\nit B-NP\n\nran O\n"}},
	{`format: conllu`, []string{strings.Repeat("1\tSue\tSue\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\n2\tlikes\tlike\tVERB\t_\t_\t0\troot\t_\t_\n3\tit\tit\tPRON\tPRP\t_\t2\tobj\t_\t_\n\n", 2)}},
	{`format: conllu-joins`, []string{strings.Repeat("1\tSue\tSue\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\n2\tlikes\tlike\tVERB\t_\t_\t0\troot\t_\t_\n3\tit\tit\tPRON\tPRP\t_\t2\tobj\t_\t_\n\n", 2)}},
	{`format: conllu-pairs`, []string{strings.Repeat("1\tSue\tSue\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\n2\tlikes\tlike\tVERB\t_\t_\t0\troot\t_\t_\n3\tit\tit\tPRON\tPRP\t_\t2\tobj\t_\t_\n\n", 2)}},
	{`format: documents, split: line, label: tab, encoding: latin-1`, []string{"u\ta b\nv\tc d\nu\t\xe9\nv\tb\n"}},
	{`format: senseval2, min_instances: 1`, []string{senseval}},
	{`format: noad, min_instances: 1, pos: all`, []string{noad}},
	{`format: knp`, []string{"# S-ID:a-1\n* 2D\n丘 おか 丘 名詞 6 普通名詞 1 * 0 * 0 NIL\n* 2D\n花 はな 花 名詞 6 普通名詞 1 * 0 * 0 NIL\n* -1D\n咲く さく 咲く 動詞 2 * 0 子音動詞カ行 2 基本形 2 NIL\nEOS\n" +
		"# S-ID:a-2\n* 2D\n丘 おか 丘 名詞 6 普通名詞 1 * 0 * 0 NIL\n* 2D\n花 はな 花 名詞 6 普通名詞 1 * 0 * 0 NIL\n* -1D\n咲く さく 咲く 動詞 2 * 0 子音動詞カ行 2 基本形 2 NIL\nEOS\n"}},
}

// senseval and noad are markup of four instances with two senses.
var (
	senseval = "<corpus lang=\"en\">\n<lexelt item=\"serve-v\">\n" + each(func(i, sense string) string {
		return "<instance id=\"" + i + "\">\n<answer instance=\"" + i + "\" senseid=\"" + sense + "\"/>\n<context>\n<wf pos=\"TO\">to</wf> <head><wf pos=\"VB\">serve</wf></head>\n</context>\n</instance>\n"
	}) + "</lexelt>\n</corpus>\n"
	noad = "<SimpleWsdDoc name=\"/d/x\">\n" + each(func(i, sense string) string {
		return "<word text=\"wrote\" lemma=\"write\" pos=\"VERB\" sense=\"/dictionary/x/" + sense + "\" break_level=\"SENTENCE_BREAK\"/>\n<word text=\"it" + i + "\" break_level=\"SPACE_BREAK\"/>\n"
	}) + "</SimpleWsdDoc>\n"
)

func each(instance func(i, sense string) string) (text string) {
	for i := range 4 {
		text += instance(fmt.Sprint(i), []string{"s", "t"}[i%2])
	}
	return text
}

// FuzzRun gives the whole program data of any kind, from the reader through cache, folds, preparation and fits to the report.
// It must end with one of the codes of the contract, without a panic in a fit, and say the same with the data from the cache.
func FuzzRun(f *testing.F) {
	for i, h := range hostile {
		for _, c := range h.contents {
			f.Add(uint8(i), []byte(c))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, content []byte) {
		if len(content) > 1<<16 || bytes.Contains(content, []byte("999999")) { // column numbers of any size are allowed, and take memory
			t.Skip()
		}
		dir := t.TempDir()
		spec := filepath.Join(dir, "x.yaml")
		text := "tenfold: 1\nname: x\ntemplates: {window: [\"w[0]\", \"w[-1]\", \"c[-1]\"]}\ndatasets: [{name: d, files: {all: data}, " + hostile[int(which)%len(hostile)].entry + "}]\n" +
			"folds: {kind: kfold, k: 2}\nalgorithms: [{name: r, engine: random, params: {features: 2}}]\n"
		for name, b := range map[string][]byte{"data": content, "x.yaml": []byte(text)} {
			if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		x := tool{t, filepath.Join(dir, "cache")}
		var seen [2]string
		for i := range seen {
			code, out, errs := x.run("run", spec, "--jobs", "1", "--out", filepath.Join(dir, "run"+string(rune('0'+i))))
			switch {
			case code != app.ExitOK && code != app.ExitInvalid && code != app.ExitIncomplete, strings.Contains(out+errs, "panic: "):
				t.Fatalf("%s: exit code %d\n%s\n%s", text, code, out, errs)
			case code == app.ExitOK:
				seen[i] = digest(out)
			}
			if loud(out + errs) {
				t.Fatalf("control characters reach the terminal: %q", out+errs)
			}
		}
		if seen[0] != seen[1] {
			t.Fatalf("%s, from the cache %s", seen[0], seen[1])
		}
	})
}

// FuzzFolder renders the folder of a run that somebody else made: its plan.json says anything. Commands refuse it in words, or
// do what it says without a panic.
func FuzzFolder(f *testing.F) {
	dir, spec := f.TempDir(), filepath.Join(f.TempDir(), "x.yaml")
	if err := os.WriteFile(spec, []byte(strings.Replace(small, "metrics:", "report:\n  tables: [{rows: algorithm, columns: dataset}]\n  figures: [{kind: sweep, x: epsilon, y: test_mse}, {kind: path}]\nmetrics:", 1)), 0o600); err != nil {
		f.Fatal(err)
	}
	var out, errs bytes.Buffer
	args := []string{"run", spec, "--out", dir, "--cache", f.TempDir()}
	if code := run(f.Context(), &out, &errs, args); code != app.ExitOK {
		f.Fatal(errs.String())
	}
	plan, err := os.ReadFile(filepath.Join(dir, "plan.json"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plan)
	f.Add([]byte(`{"schema":2,"name":"x","cells":[],"sections":{"report":{"tables":[{"rows":"nothing"}],"figures":[{"kind":"sweep","x":"epsilon"}]}}}`))
	f.Fuzz(func(t *testing.T, plan []byte) {
		at := t.TempDir()
		if err := os.CopyFS(at, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at, "plan.json"), plan, 0o600); err != nil {
			t.Fatal(err)
		}
		x := tool{t, filepath.Join(at, "cache")}
		for _, args := range [][]string{{"report", at}, {"report", at, "--rows", "epsilon", "--format", "html"}, {"gc", at}, {"diff", at, dir}} {
			code, out, errs := x.run(args...)
			if code == app.ExitInterrupted || strings.Contains(out+errs, "panic: ") || loud(errs) {
				t.Fatalf("%s: exit code %d\n%s", args[0], code, errs)
			}
		}
	})
}

// loud tells of characters that could command a terminal.
func loud(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 })
}
