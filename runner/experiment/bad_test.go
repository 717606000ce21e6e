package experiment

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"tenfold/io/strictyaml/messagetest"
	"tenfold/runner/experiment/reading"
)

var update = flag.Bool("update", false, "write testdata/bad.golden anew")

// edit replaces one line of the small file, or appends when from is "".
type edit struct{ name, from, to string }

var bad = []edit{
	{"empty", small, ""},
	{"only a comment", small, "# nothing\n"},
	{"a list", small, "- a\n"},
	{"a word", small, "hello\n"},
	{"two documents", "", "---\nname: b\n"},
	{"tab, later", "folds:", "limits:\n  time: 1s\n\tmemory: 1GB\nfolds:"},
	{"dash without a blank", "folds:", "published:\n  -source: s\n   value: 1\nfolds:"},
	{"tab", "name: small", "name: small\nlimits:\n\ttime: 1s"},
	{"not YAML", "name: small", "name: [small"},
	{"not YAML, unclosed quote", "name: small", `name: "small`},
	{"not UTF-8", "name: small", "name: \xff\xfe"},
	{"merge key", "folds:", "defaults: &d {limits: {time: 1s}}\nlimits: {<<: *d}\nfolds:"},
	{"tag", "name: small", "name: !!binary c21hbGw="},
	{"own tag", "name: small", "name: !name small"},
	{"alias to itself", "name: small", "name: small\nmetrics: &m [*m, *m]"},
	{"anchor unknown", "name: small", "name: *n"},
	{"key that is a list", "name: small", "name: small\n[a]: b"},
	{"missing keys", small, "title: nothing else\n"},
	{"wrong version", "tenfold: 1", "tenfold: 2"},
	{"version as text", "tenfold: 1", `tenfold: "1"`},
	{"bad name", "name: small", "name: a/b"},
	{"null", "name: small", "name:"},
	{"null, as a tilde", "engine: stagewise", "engine: mdl, params: {sigma: ~}"},
	{"null, nothing", "engine: stagewise", "engine: mdl, grid: {sigma: [own, ]}, params: {code: }"},
	{"null is no word of it", "engine: stagewise", "engine: mdl, params: {code: null}"},
	{"null for a number", "engine: stagewise", "engine: stagewise, params: {patience: null}, grid: {epsilon: [0.1, null]}"},
	{"null in capitals", "engine: stagewise", "engine: mdl, params: {sigma: NULL}"},
	{"null is no metric", "name: small", "name: small\nmetrics: [null]"},
	{"unknown key", "folds:", "fold: {kind: kfold}\nfolds:"},
	{"unknown key, far off", "folds:", "zzz: 1\nfolds:"},
	{"duplicate key", "name: small", "name: small\nname: big"},
	{"integer overflow", "name: small", "name: small\nseed: 99999999999999999999"},
	{"fraction for integer", "name: small", "name: small\nseed: 1.5"},
	{"octal", "name: small", "name: small\nseed: 0123"},
	{"bool is a word", "name: small", "name: small\npredictions: yes"},
	{"metric is a mapping", "name: small", "name: small\nmetrics: {a: b}"},
	{"metric is a scalar", "name: small", "name: small\nmetrics: test_mse"},
	{"unknown metric", "name: small", "name: small\nmetrics: [test_mes, nonzero, bleu]"},
	{"metric that the target cannot have", "name: small", "name: small\nmetrics: [accuracy]"},
	{"limits", "folds:", "limits: {time: 10, memory: 4Gib, tme: 1s}\nfolds:"},
	{"limits not positive", "folds:", "limits: {time: 0s, memory: 0}\nfolds:"},
	{"datasets of an algorithm: no such", "engine: stagewise", "engine: stagewise, datasets: [ewd, 'e?t', '[x', '!ewt', 'ewt, gum', ewt train_fraction=0.5]"},
	{"datasets of an algorithm: twice", "engine: stagewise", "engine: stagewise, datasets: [ewt, '*', ewt]"},
	{"datasets of an algorithm: none", "engine: stagewise", "engine: stagewise, datasets: []"},
	{"datasets of an algorithm: a mapping", "engine: stagewise", "engine: stagewise, datasets: {ewt: yes}"},
	{"datasets of an algorithm: in its grid", "engine: stagewise", "engine: stagewise, grid: {datasets: [ewt]}"},
	{"failures", "folds:", "failures: {tolerate: 2, retries: -1}\nfolds:"},
	{"budget", "folds:", "budget: {tuned: 0}\nfolds:"},
	{"budget without a number", "folds:", "budget: {tune: 6.5}\nfolds:"},
	{"too many repeats", "{kind: holdout, test: 0.1}", "{kind: holdout, repeats: 1000000000}"},
	{"too many folds", "{kind: holdout, test: 0.1}", "{kind: kfold, k: 99999999}"},
	{"too many fits", "{kind: holdout, test: 0.1}", "{kind: kfold, repeats: 600000, k: 1000000}"},
	{"tolerate", "folds:", "failures: {tolerate: 1.5}\nfolds:"},

	{"no data sets", "  - {name: ewt, format: joins, files: {all: a.conllu}}", "  []"},
	{"data set is a word", "  - {name: ewt, format: joins, files: {all: a.conllu}}", "  - ewt"},
	{"data set without name", "{name: ewt, format", "{format"},
	{"unknown format", "format: joins", "format: join"},
	{"format not there yet", "format: joins", "format: gct"},
	{"unknown format key", "files:", "feature: {cutoff: 3}, files:"},
	{"unknown format key, nested", "files:", "features: {cutof: 3}, files:"},
	{"wrong type of a format key", "files:", "features: {cutoff: five}, files:"},
	{"features is a word", "files:", "features: pairs, files:"},
	{"family", "files:", "family: one-vs-one, files:"},
	{"family, unknown", "files:", "family: one-vs-on, files:"},
	{"family, word", "files:", "family: word, files:"},
	{"family, tasks", "files:", "family: {kind: tasks}, files:"},
	{"family, mapping", "files:", "family: {only: [a], kinds: folder}, files:"},
	{"family, pattern", "files:", "family: {kind: folder, only: [\"a\", \"[b\"]}, files:"},
	{"family, gridded", "files:", "grid: {family: [one-vs-one, folder]}, files:"},
	{"no files", ", files: {all: a.conllu}", ""},
	{"unknown role", "{all: a.conllu}", "{al: a.conllu}"},
	{"wrong roles", "{all: a.conllu}", "{all: a.conllu, test: b.conllu}"},
	{"bad file reference", "{all: a.conllu}", "{all: {url: 'https://example.org', sha256: abc, nme: x}}"},
	{"bad checksum", "{all: a.conllu}", "{all: {path: a, sha256: abc}}"},
	{"file without path", "{all: a.conllu}", "{all: {url: 'https://example.org'}}"},
	{"templates not defined", "files:", "features: {templates: pars}, files:"},
	{"templates not defined, near", "datasets:\n  - {", "templates: {pairs: [0200020000]}\ndatasets:\n  - {features: {templates: pars}, "},
	{"template too short", "files:", "features: {templates: [0200020000, 02]}, files:"},
	{"target both ways", "files:", "target: {column: a, columns: [b]}, files:"},
	{"target type", "files:", "target: {name: relation, type: rael}, files:"},
	{"train_fraction", "files:", "train_fraction: 1.5, files:"},
	{"two data sets of one name", "folds:", "  - {name: ewt, format: csv, files: {all: b}}\nfolds:"},
	{"label", "name: ewt", "name: e/w"},
	{"data grid: name", "files:", "grid: {name: [a, b]}, files:"},
	{"data grid: unknown", "files:", "grid: {features.cutof: [1, 2]}, files:"},
	{"data grid: also outside", "files:", "features: {cutoff: 3}, grid: {features.cutoff: [1, 2]}, files:"},
	{"data grid: fraction", "files:", "grid: {train_fraction: [0.5, 2]}, files:"},

	{"folds: unknown kind", "kind: holdout", "kind: holdot"},
	{"folds: unknown key", "test: 0.1", "tset: 0.1"},
	{"folds: wrong type", "test: 0.1", "test: NaN"},
	{"folds: infinite", "test: 0.1", "test: .inf"},
	{"folds: k of holdout", "test: 0.1", "k: 10"},
	{"folds: no such group", "test: 0.1", "by: sentence"},
	{"folds: stratify a real target", "test: 0.1", "stratify: true"},
	{"folds: given without test file", "{kind: holdout, test: 0.1}", "given"},
	{"folds of a data set", "files:", "folds: {kind: kfold, k: 1}, files:"},

	{"no algorithms", "  - {name: sw, engine: stagewise}", "  []"},
	{"unknown engine", "engine: stagewise", "engine: stagwise"},
	{"no engine", ", engine: stagewise", ""},
	{"unknown key of an algorithm", "engine: stagewise", "engine: stagewise, parms: {}"},
	{"unknown parameter", "engine: stagewise", "engine: stagewise, params: {epsilom: 0.1}"},
	{"unknown parameter in the grid", "engine: stagewise", "engine: stagewise, grid: {epsilom: [0.1, 0.2]}"},
	{"nested parameter", "engine: stagewise", "engine: stagewise, params: {stop: {afer: 3}}"},
	{"bad values", "engine: stagewise", "engine: stagewise, params: {epsilon: 0, patience: 0, choose: tset}"},
	{"bad value in the grid", "engine: stagewise", "engine: stagewise, grid: {epsilon: [0.1, -1]}"},
	{"wrong types", "engine: stagewise", "engine: stagewise, params: {epsilon: [1], patience: 1e3, choose: {a: b}, verbose: 1}"},
	{"tune and parts: empty", "engine: stagewise", "tune: {}, select: {engine: mdl}, refit: {}"},
	{"path: no mapping", "engine: stagewise", "engine: growing, path: 100"},
	{"path: empty", "engine: stagewise", "engine: growing, path: {}"},
	{"path: no list", "engine: stagewise", "engine: growing, path: {at: 100, refit: maybe, to: 3}"},
	{"path: no sizes", "engine: stagewise", "engine: growing, path: {at: []}"},
	{"path: bad sizes", "engine: stagewise", "engine: growing, path: {at: [10, 0, 10, -3, 2.5, many]}"},
	{"path: bad sizes, whole", "engine: stagewise", "engine: growing, path: {at: [10, 0, 10, 9000000000]}"},
	{"path: too many features", "engine: stagewise", "engine: growing, path: {at: [10, 2000000]}"},
	{"path: another engine", "engine: stagewise", "engine: stagewise, path: {at: [10]}"},
	{"path: unknown engine", "engine: stagewise", "engine: grwing, path: {at: [10], refitt: true}"},
	{"path: and its parameters", "engine: stagewise", "engine: growing, params: {features: 5, whole: true}, path: {at: [10], refit: true}"},
	{"path: and a grid of them", "engine: stagewise", "engine: growing, grid: {features: [5, 6], whole: [true, false]}, path: {at: [10], refit: true}"},
	{"path: and included points", "engine: stagewise", "engine: growing, grid: {include: [{features: 5}, {features: 6}]}, path: {at: [10]}"},
	{"path: never without an estimation", "engine: stagewise", "engine: counting, path: {at: [10], refit: false}"},
	{"params without value", "engine: stagewise", "engine: stagewise, params: "},
	{"engine needs classes", "engine: stagewise", "engine: logistic"},
	{"engine needs feature classes", "engine: stagewise", "engine: mdl, grid: {code: [ric, tpc]}"},
	{"engine fits one target", "format: joins, files: {all: a.conllu}", "format: csv, files: {all: a}, target: {columns: [a, b]}"},
	{"two algorithms of one name", "engine: stagewise}", "engine: stagewise}\n  - {name: sw, engine: mdl}"},
	{"defaults: unknown", "folds:", "defaults: {limit: {time: 1s}}\nfolds:"},
	{"defaults: unknown parameter", "folds:", "defaults: {params: {alpha: 1}}\nfolds:"},

	{"grid: list", "engine: stagewise", "engine: stagewise, grid: [1]"},
	{"grid: scalar", "engine: stagewise", "engine: stagewise, grid: {epsilon: 0.1}"},
	{"grid: empty", "engine: stagewise", "engine: stagewise, grid: {}"},
	{"grid: empty list", "engine: stagewise", "engine: stagewise, grid: {epsilon: []}"},
	{"grid: twice", "engine: stagewise", "engine: stagewise, grid: {epsilon: [0.1, 1e-1]}"},
	{"grid: what changes nothing", "engine: stagewise", "engine: stagewise, grid: {epsilon: [0.1, 0.2], verbose: [false, true]}"},
	{"grid: what changes nothing in the data", "files:", "grid: {features.templates: [[0200020000], [\"0200020000\"]]}, files:"},
	{"grid and params", "engine: stagewise", "engine: stagewise, params: {epsilon: 0.1}, grid: {epsilon: [0.2]}"},
	{"grid: log", "engine: stagewise", "engine: stagewise, grid: {epsilon: {log: [0, 1, 3]}}"},
	{"grid: lin", "engine: stagewise", "engine: stagewise, grid: {epsilon: {lin: [0, 1, 3]}}"},
	{"grid: log of integers", "engine: stagewise", "engine: stagewise, grid: {patience: {log: [1, 10, 3]}}"},
	{"zip: unknown", "engine: stagewise", "engine: stagewise, grid: {epsilon: [0.1], zip: [[epsilon, patince]]}"},
	{"zip: lengths", "engine: stagewise", "engine: stagewise, grid: {epsilon: [0.1], patience: [1, 2], zip: [[epsilon, patience]]}"},
	{"zip: twice", "engine: stagewise", "engine: stagewise, grid: {epsilon: [0.1], patience: [1], zip: [[epsilon, patience], [epsilon]]}"},
	{"zip: a pair twice", "engine: stagewise", "engine: stagewise, grid: {epsilon: [0.1, 0.1], patience: [1, 1], zip: [[epsilon, patience]]}"},
	{"zip: nothing to zip", "engine: stagewise", "engine: stagewise, grid: {zip: [[epsilon, patience], [0.1, 1], [0.2, 2]]}"},
	{"zip: flat", "engine: stagewise", "engine: stagewise, grid: {epsilon: [0.1], zip: [epsilon]}"},
	{"labels: a name like a point", "{name: sw, engine: stagewise", "{name: a epsilon=0.1, engine: stagewise}\n  - {name: a, engine: stagewise, grid: {epsilon: [0.1]}"},
	{"labels: points that print alike", "engine: stagewise", "engine: stagewise, grid: {epsilon: [0.1, 0.10000000001]}"},
	{"include: lacks", "engine: stagewise", "engine: stagewise, grid: {epsilon: [0.1], patience: [1], include: [{epsilon: 0.2}]}"},
	{"include: unknown", "engine: stagewise", "engine: stagewise, grid: {epsilon: [0.1], include: [{epsilon: 0.2, patience: 3}]}"},
	{"include: there already", "engine: stagewise", "engine: stagewise, grid: {epsilon: [0.1], include: [{epsilon: 0.1}]}"},
	{"include: no list", "engine: stagewise", "engine: stagewise, grid: {epsilon: [0.1], include: {epsilon: 0.1}}"},
	{"exclude: unknown", "engine: stagewise", "engine: stagewise, grid: {epsilon: [0.1], exclude: [{epsilo: 0.2}]}"},
	{"exclude: all", "engine: stagewise", "engine: stagewise, grid: {epsilon: [0.1], exclude: [{epsilon: 0.1}]}"},
	{"grid: too many", "engine: stagewise", "engine: stagewise, grid: {epsilon: {log: [1, 2, 2000]}, patience: {linear: [1, 2000, 2000]}}"},

	{"published", "folds:", "published:\n  - {source: s, dataset: ewf, algorithm: TPC, metric: acuracy, value: x}\n  - {value: 1, se: -1}\nfolds:"},
	{"gate", "folds:", "gate:\n  - {metric: test_mse, margin: 0.02, test: bootstrp}\n  - {metric: test_mse, margin: {relative: 1, absolute: -1}, alpha: 5, inconclusive: maybe, datasets: [ewf], against: s}\nfolds:"},
	{"gate: one fold", "folds:", "gate: [{metric: test_mse, test: paired-t}]\nfolds:"},
	{"report", "folds:", "report:\n  table: []\n  tables: [{baseline: swx}]\n  figures: [{x: epsilon, y: nonzer}]\nfolds:"},
	{"report: its own check", "folds:", "report: {figures: [{kind: pie}]}\nfolds:"},
	{"report: folds", "folds:", "report: {tables: [{test: paired-t}]}\nfolds:"},
	{"report: a dimension", "  - {name: sw, engine: stagewise}", "  - {name: sw, engine: growing, grid: {whole: [true, false]}, path: {at: [3]}}\nreport: {tables: [{rows: whole, columns: features}, {rows: data_kappa, columns: point}, {rows: task}]}"},
	{"all at once", small, "tenfold: 1\nname: a b\ndatasets:\n  - {name: d, format: joins, files: {all: x}, kapa: 1}\n" +
		"algorithms:\n  - {name: s, engine: stagewise, params: {epsilon: -1}}\n  - {name: s, engine: mld}\nmetrics: [acc]\n"},
	{"wide characters and tabs before the caret", "name: small", "title: {ä:\t\"ö\"}\nname: small"},
	{"import: beside an engine", "engine: stagewise", "engine: stagewise, import: {predictions: p.csv}"},
	{"import: unknown key", "engine: stagewise", "import: {prediction: p.csv}"},
	{"import: no predictions", "engine: stagewise", "import: {selections: p.csv}"},
	{"import: a word", "engine: stagewise", "import: p.csv"},
	{"import: with a path", "engine: stagewise", "import: {predictions: p.csv}, path: {at: [1]}"},
	{"family, end point", "files:", "family: endpoint, files:"},
}

func (e edit) file() string {
	if e.from == "" {
		return small + e.to
	}
	return strings.Replace(small, e.from, e.to, 1)
}

// TestBad compares the messages of a table of bad files with testdata/bad.golden, which has them in full or their facts (messagetest).
func TestBad(t *testing.T) {
	var got strings.Builder
	for _, e := range bad {
		if !strings.Contains(small, e.from) {
			t.Fatalf("%s: %q is not in the file", e.name, e.from)
		}
		_, err := parse(t, e.file())
		if err == nil {
			t.Errorf("%s: no error", e.name)
			continue
		}
		if _, ok := err.(reading.Errors); !ok {
			t.Errorf("%s: %T", e.name, err)
		}
		fmt.Fprintf(&got, "== %s\n%v\n", e.name, err)
	}
	golden(t, "testdata/bad.golden", got.String())
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	wants, gots := strings.Split(string(want), "== ")[1:], strings.Split(got, "== ")[1:]
	for i := range max(len(wants), len(gots)) {
		w, g := "(nothing)", "(nothing)"
		if i < len(wants) {
			w = wants[i]
		}
		if i < len(gots) {
			g = gots[i]
			name, message, _ := strings.Cut(g, "\n")
			_, before, _ := strings.Cut(w, "\n")
			gots[i] = name + "\n" + messagetest.Renewed(before, message)
		}
		if !matches(w, g) && !*update {
			t.Errorf("%s differs (go test -update writes it anew):\ngot  %s\nwant %s", path, g, w)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte("== "+strings.Join(gots, "== ")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// matches tells whether a case with its message, below its name, is the expected one.
func matches(want, got string) bool {
	name, message, _ := strings.Cut(got, "\n")
	expected, before, _ := strings.Cut(want, "\n")
	return name == expected && messagetest.Match(before, message)
}
