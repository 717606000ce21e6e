package cli_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tenfold/runner/cli/app"
)

// keeping is a method in a shell and awk that predicts by itself, by the mean and the slopes of single columns, which it keeps in its
// model. Its coefficients are there for comparison.
const keeping = `#!/bin/sh
set -e
[ "$1" = version ] && { echo "keeping 1"; exit; }
predict() {
	awk '
	FILENAME ~ "slopes$" { b[$1] = $2; next }
	/^%/ { next }
	!rows { rows = $1; for (i = 1; i <= rows; i++) p[i] = b[0]; next }
	{ p[$1] += $3 * b[$2] }
	END { print "%%MatrixMarket matrix array real general"; print rows, 1; for (i = 1; i <= rows; i++) printf "%.17g\n", p[i] }
	' "$1/model/deep/slopes" "$1/$2" > "$1/predictions.mtx"
	echo predicted
}
[ "$1" = predict ] && { predict "$2" "$3"; exit; }
cd "$1"
mkdir -p model/deep
awk '
/^%/ { next }
FILENAME == "y.mtx" { if (!rows) { rows = $1; next }; y[++n] = $1; mean += $1 / rows; next }
!columns { columns = $2; next }
{ xy[$2] += $3 * (y[$1] - mean); xx[$2] += $3 * $3 }
END {
	printf "%d %.17g\n", 0, mean > "model/deep/slopes"
	printf "{\"selected\": [1, 0], \"coefficients\": ["
	for (j = 1; j <= columns; j++) {
		printf "%s[%d, 0, %.17g]", (j > 1 ? ", " : ""), j - 1, xy[j] / xx[j] / columns
		printf "%d %.17g\n", j, xy[j] / xx[j] / columns > "model/deep/slopes"
	}
	printf "], \"intercept\": %.17g}\n", mean
}' y.mtx train.mtx > fitted.json
echo fitted
while read -r verb file folder; do predict "$folder" "$file"; done
`

const withKeeping = `tenfold: 1
name: kept
methods:
  - {name: keeping, command: [sh, keeping.sh], code: [keeping.sh], version: [sh, keeping.sh, version], params: {size: 1}, output: [selected, predictions], target: [real], matrix: mtx}
  - {name: linear, command: [sh, keeping.sh], code: [keeping.sh], output: [coefficients], target: [real], matrix: mtx}
datasets:
  - {name: rows, format: csv, files: {all: rows.csv}, target: y}
algorithms:
  - {name: keeping, engine: keeping}
  - {name: linear, engine: linear}
  - {name: tuned, engine: keeping, tune: {size: [1, 2], k: 2}}
  - {name: refitted, select: {engine: keeping}, refit: {engine: keeping}}
folds: {kind: kfold, k: 2}
`

func newKeeping(t *testing.T) (x tool, dir string) {
	t.Helper()
	dir = t.TempDir()
	put(t, filepath.Join(dir, "kept.yaml"), withKeeping)
	put(t, filepath.Join(dir, "keeping.sh"), keeping)
	var rows strings.Builder
	rows.WriteString("a,b,y\n")
	for i := range 24 {
		fmt.Fprintf(&rows, "%d,%d,%d\n", 1+i%5, 1+i%7, 3*(i%5)+(i%7))
	}
	put(t, filepath.Join(dir, "rows.csv"), rows.String())
	return tool{t, t.TempDir()}, dir
}

// TestMethodModel: a method that predicts by itself is kept in a model file, whatever its style, tuned, or on columns that were selected;
// another process predicts from the file what the method's coefficients do.
func TestMethodModel(t *testing.T) {
	t.Parallel()
	x, dir := newKeeping(t)
	spec, rows := filepath.Join(dir, "kept.yaml"), filepath.Join(dir, "rows.csv")
	fitted := func(cell, style string) string {
		put(t, spec, strings.Replace(withKeeping, "params: {size: 1}", "params: {size: 1}, "+style, 1))
		to := filepath.Join(dir, cell+".json.gz")
		x.ok("fit", spec, "--cell", cell, "-o", to, "--allow-methods")
		return to
	}
	digits := regexp.MustCompile(`(\.\d{9})\d*`) // sums are in another order
	predicted := func(model string) string {
		out, _ := x.ok("predict", model, rows, "--allow-methods")
		return digits.ReplaceAllString(out, "$1")
	}
	want := predicted(fitted("linear", "style: lines"))
	wants(t, want, "row,prediction\n0,8.888903225\n")
	var kept string
	for _, style := range []string{"style: calls", "style: lines"} {
		kept = fitted("keeping", style)
		if got := predicted(kept); got != want {
			t.Errorf("%s: by the method\n%s\nby its coefficients\n%s", style, got, want)
		}
	}
	for _, cell := range []string{"tuned", "refitted"} {
		if got := predicted(fitted(cell, "style: lines")); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", cell, got, want)
		}
	}
	list, _ := x.ok("features", kept)
	wants(t, list, "method   keeping: sh keeping.sh, version keeping 1, code ", "1      b", "2      a")
	list, _ = x.ok("features", kept, "--format", "json")
	wants(t, list, `"command": [`, `"version": "keeping 1"`, `"code": "`)
}

// TestMethodModelConsent: a model's file runs nothing unless the user says so, whatever folder it names, and only the code that made it.
func TestMethodModelConsent(t *testing.T) {
	x, dir := newKeeping(t)
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("HOME", home)
	spec, rows, kept := filepath.Join(dir, "kept.yaml"), filepath.Join(dir, "rows.csv"), filepath.Join(dir, "kept.json")
	x.ok("fit", spec, "--cell", "keeping", "-o", kept, "--allow-methods")
	allowed := filepath.Join(home, "tenfold", "methods")
	refused := func(want string, args ...string) {
		t.Helper()
		code, _, errs := x.run(append([]string{"predict", kept, rows}, args...)...)
		if code != app.ExitInvalid {
			t.Errorf("exit code %d", code)
		}
		wants(t, errs, want)
	}
	put(t, allowed, dir+"\n") // consent to the files there, and to no file that names the folder
	refused("kept.json would run programs that nobody has allowed here:\n in " + filepath.Dir(spec) + ":\n  keeping: sh keeping.sh\n         : sh keeping.sh version\n--allow-methods")
	code := filepath.Join(dir, "keeping.sh")
	put(t, code, keeping+"# changed\n")
	refused(`method keeping: the model was fitted by other code: code file keeping.sh changed; fit it again`, "--allow-methods")
	put(t, code, keeping)
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	kept, rows = filepath.Join(moved, "kept.json"), filepath.Join(moved, "rows.csv")
	refused("which is not here: --methods FOLDER says where it is", "--allow-methods")
	refused(`code: "keeping.sh" matches no file in `, "--allow-methods", "--methods", t.TempDir())
	x.ok("predict", kept, rows, "--allow-methods", "--methods", moved)
	x.ok("features", kept)
	put(t, filepath.Join(moved, "kept.yaml"), strings.NewReplacer("sh, keeping.sh, version", "cat, version", "code: [keeping.sh], version", "code: [none], version").Replace(withKeeping))
	put(t, filepath.Join(moved, "version"), "one\n")
	x.ok("fit", filepath.Join(moved, "kept.yaml"), "--cell", "keeping", "-o", kept, "--allow-methods")
	put(t, filepath.Join(moved, "version"), "two\n")
	refused(`the model was fitted by other code: version is "two", was "one"; fit it again`, "--allow-methods")
}

// TestMethodModelDamaged: whatever stands in a model's file, it is an error in words, and nothing is written outside the exchange folder.
func TestMethodModelDamaged(t *testing.T) {
	t.Parallel()
	x, dir := newKeeping(t)
	kept := filepath.Join(dir, "kept.json")
	x.ok("fit", filepath.Join(dir, "kept.yaml"), "--cell", "keeping", "-o", kept, "--allow-methods")
	content, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	sound := regexp.MustCompile(`,\s*"checksum": "[^"]*"`).ReplaceAllString(string(content), "")
	files := regexp.MustCompile(`"files":\[.*?\]`)
	if !files.MatchString(sound) {
		t.Fatal("no files in the model")
	}
	holding := func(path string) func(string) string {
		text, err := json.Marshal(path)
		if err != nil {
			t.Fatal(err)
		}
		return func(s string) string {
			return files.ReplaceAllLiteralString(s, fmt.Sprintf(`"files":[{"path":%s,"content":%q}]`, text, base64.StdEncoding.EncodeToString([]byte("x"))))
		}
	}
	replacing := func(old, by string) func(string) string {
		return func(s string) string {
			if !strings.Contains(s, old) {
				t.Fatalf("no %q in the model:\n%s", old, s)
			}
			return strings.Replace(s, old, by, 1)
		}
	}
	for want, change := range map[string]func(string) string{
		`files[0]: path "../x", expected one below the folder model`:   holding("../x"),
		`files[0]: path "/tmp/x", expected one below the folder model`: holding("/tmp/x"),
		`files[0]: path "", expected one below the folder model`:       holding(""),
		`files[0]: path "a/../b", expected one below the folder model`: holding("a/../b"),
		`folder: "here", expected a path from the root`:                replacing(`"folder":"`+dir+`"`, `"folder":"here"`),
		`output: ["selected"], expected predictions among it`:          replacing(`"output":["selected","predictions"],"matrix"`, `"output":["selected"],"matrix"`),
		`request: 9 columns, and there are 2`:                          replacing(`"columns":2,"outputs"`, `"columns":9,"outputs"`),
		`request: target y: type "word" with 0 levels`:                 replacing(`"type":"real"`, `"type":"word"`),
		`is of column 7, and there are 2`:                              replacing(`"feature":[0,`, `"feature":[7,`),
		`unknown field "folders"`:                                      replacing(`"folder":`, `"folders":`),
		`illegal base64 data`:                                          func(s string) string { return files.ReplaceAllLiteralString(s, `"files":[{"path":"x","content":"?"}]`) },
		`expected a program`:                                           replacing(`"command":["sh","keeping.sh"],"code":["keeping.sh"]`, `"command":[],"code":["keeping.sh"]`),
		`method keeping: exit code 2`:                                  holding("other"), // its file is not there
	} {
		put(t, kept, change(sound))
		code, _, errs := x.run("predict", kept, filepath.Join(dir, "rows.csv"), "--allow-methods")
		if code == app.ExitOK || !strings.Contains(errs, want) {
			t.Errorf("exit code %d\ngot  %s\nwant %s", code, errs, want)
		}
	}
	put(t, kept, sound)
	x.ok("predict", kept, filepath.Join(dir, "rows.csv"), "--allow-methods")
}

// TestMethodModelMissing: a method that leaves no model, or too much of one, cannot be kept, and the error says why.
func TestMethodModelMissing(t *testing.T) {
	t.Parallel()
	for change, want := range map[string]string{
		"mkdir -p model/deep; awk": `method keeping: its model cannot be kept in a file: it left nothing in the folder model of its answer`,
		"mkdir -p model/deep; head -c 300000000 /dev/zero > model/large; awk": `method keeping: its model cannot be kept in a file: large has more than the 268435456 bytes`,
	} {
		x, dir := newKeeping(t)
		text := strings.Replace(keeping, "mkdir -p model/deep\nawk", strings.ReplaceAll(change, "; ", "\n"), 1)
		if strings.Contains(want, "nothing") {
			text = strings.Replace(text, "echo fitted", "rm -r model; echo fitted", 1)
		}
		put(t, filepath.Join(dir, "keeping.sh"), text)
		kept := filepath.Join(dir, "kept.json")
		code, _, errs := x.run("fit", filepath.Join(dir, "kept.yaml"), "--cell", "keeping", "-o", kept, "--allow-methods")
		if code == app.ExitOK || !strings.Contains(errs, want) {
			t.Errorf("exit code %d\ngot  %s\nwant %s", code, errs, want)
		}
		if _, err := os.Stat(kept); err == nil {
			t.Error("a model file was written")
		}
	}
}

// TestPythonMethodModel: an estimator of scikit-learn that predicts by itself is kept, and predicts the same in another process.
func TestPythonMethodModel(t *testing.T) {
	t.Parallel()
	interpreter := pythonWith(t, "sklearn")
	x, dir := newKeeping(t)
	adapter, err := os.ReadFile("adapters/python/tenfold_method.py")
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "tenfold_method.py"), string(adapter))
	put(t, filepath.Join(dir, "tree.py"), "from sklearn.tree import DecisionTreeRegressor\nfrom tenfold_method import serve_sklearn\nserve_sklearn(DecisionTreeRegressor)\n")
	before, _, _ := strings.Cut(withKeeping, "methods:")
	for _, reuse := range []string{"none", "fold"} {
		put(t, filepath.Join(dir, "kept.yaml"), before+fmt.Sprintf(`methods:
  - {name: tree, command: [%s, tree.py], code: ["*.py"], output: [selected, predictions], target: [real], reuse: %s}
datasets:
  - {name: rows, format: csv, files: {all: rows.csv}, target: y}
algorithms: [{name: tree, engine: tree}]
`, interpreter, reuse))
		kept := filepath.Join(dir, "tree.json")
		x.ok("fit", filepath.Join(dir, "kept.yaml"), "-o", kept, "--allow-methods")
		out, errs := x.ok("predict", kept, filepath.Join(dir, "rows.csv"), "--score", "--allow-methods")
		wants(t, out, "row,prediction\n0,0\n1,4\n2,8\n") // a tree learns 35 kinds of rows by heart
		wants(t, errs, "test_mse             0")
	}
}

// TestRMethodModel: what R fits is kept by saveRDS, and predicts the same in another process.
func TestRMethodModel(t *testing.T) {
	t.Parallel()
	rscript := rscriptWith(t, "Matrix")
	x, dir := newKeeping(t)
	adapter, err := os.ReadFile(rAdapter)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "tenfold_method.R"), string(adapter))
	put(t, filepath.Join(dir, "sum.R"), `source("tenfold_method.R")
serve(function(x, y, request) {
  slope <- sum(y) / sum(x)
  list(selected = 2, predict = function(x) rowSums(as.matrix(x)) * slope)
})
`)
	before, _, _ := strings.Cut(withKeeping, "methods:")
	put(t, filepath.Join(dir, "kept.yaml"), before+"methods:\n"+rMethod(rscript, "sum", "sum.R", "output: [selected, predictions], target: [real]")+
		"datasets:\n  - {name: rows, format: csv, files: {all: rows.csv}, target: y}\nalgorithms: [{name: sum, engine: sum}]\n")
	kept := filepath.Join(dir, "sum.json")
	x.ok("fit", filepath.Join(dir, "kept.yaml"), "-o", kept, "--allow-methods")
	out, _ := x.ok("predict", kept, filepath.Join(dir, "rows.csv"), "--allow-methods")
	wants(t, out, "row,prediction\n0,2.55\n1,5.1\n") // all responses, 204, by all entries, 160
}
