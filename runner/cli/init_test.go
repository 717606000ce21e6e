package cli_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tenfold/runner/cli/app"
)

// nasty is a table of columns that tables in the wild have, under names that they have there.
func nasty(r *rand.Rand) (text string, headers []string, rows int) {
	comma := []rune{',', ';', '\t', '|'}[r.IntN(4)]
	decimal := []string{".", ","}[r.IntN(2)]
	rows = []int{2, 3, 5, 12, 40}[r.IntN(5)]
	number := func(v float64) string {
		return strings.Replace(strconv.FormatFloat(v, 'f', 2, 64), ".", decimal, 1)
	}
	level := func(levels ...string) string { return levels[r.IntN(len(levels))] }
	kinds := []func(i int) string{
		func(i int) string { return strconv.Itoa(i) },
		func(i int) string { return strconv.Itoa(i + 1) },
		func(i int) string { return strconv.Itoa(1000 + 3*i) },
		func(i int) string { return fmt.Sprintf("%02d.%02d.2024", i%28+1, i/28+1) },
		func(i int) string { return fmt.Sprintf("2024-03-%02d", i%28+1) },
		func(i int) string { return fmt.Sprintf("row %d", i) },
		func(int) string { return number(r.NormFloat64()) },
		func(int) string { return number(r.NormFloat64() * 1e6) },
		func(int) string { return level("", "NA", number(r.Float64())) },
		func(int) string { return level("?", number(r.Float64()), number(r.Float64())) },
		func(int) string { return level("yes", "no") },
		func(int) string { return level("yes", "no", "") },
		func(int) string { return level(" yes", "yes ", "no") },
		func(int) string { return level("0", "1") },
		func(int) string { return level("1", "1.0", "2", "02") },
		func(int) string { return level("a", "b", "c, d", `e "f"`, "g: h", "#i", "null", "x=y") },
		func(int) string { return level("Inf", "1", "-Infinity", "0x10", "1e3", "1_000") },
		func(int) string { return level("true", "false") },
		func(int) string { return "" },
		func(int) string { return "same" },
		func(int) string { return "7" },
		func(int) string { return fmt.Sprintf("%x", r.Uint64()) },
		func(int) string { return level("ä", "ö\u00a0", "日本") },
		func(int) string { return strings.Repeat("long ", 30) + level("a", "b") },
		func(int) string { return fmt.Sprintf("what is the meaning of %x, then?", r.Uint64()) },
		func(int) string {
			return level("", "NA", fmt.Sprintf("a text of which \"%x\" is\none: word", r.Uint64()))
		},
		func(int) string { return fmt.Sprintf("日本語には空白がありません%d", r.IntN(100)) },
		func(int) string { return level("a|b", "a", "b", "b|a", "c") },
	}
	names := []string{"", "Unnamed: 0", "id", "sample", "x", "y", "class", "a", "a", "a#2", "b", "b=yes", "c=a", "c", "*", "a*", "2", "3.5", " blank ", "target", "no", "a: b", "q\"r", "l\nm", "null", "customer", "day", "test", "all"}
	columns := 1 + r.IntN(7)
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Comma = comma
	of := make([]func(int) string, columns)
	for k := range of {
		of[k] = kinds[r.IntN(len(kinds))]
		headers = append(headers, names[r.IntN(len(names))])
	}
	_ = w.Write(headers)
	for i := range rows {
		record := make([]string, columns)
		for k := range record {
			record[k] = of[k](i)
		}
		_ = w.Write(record)
	}
	w.Flush()
	return b.String(), headers, rows
}

// foundByInit are the numbers of rows and columns in what init prints.
var foundByInit = regexp.MustCompile(`\nrows     (?:\d+ of )?(\d+)(?: \(.*\))?\ncolumns  (?:\d+ of )?(\d+)(?:[ ,].*)?\n`)

// What init writes is good, or it says before it writes what is wrong with the data and which flag helps.
func TestInitWritesWhatValidates(t *testing.T) {
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	dir := t.TempDir()
	written := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		text, headers, rows := nasty(r)
		path, out := filepath.Join(dir, "t.csv"), filepath.Join(dir, fmt.Sprintf("x%d.yaml", seed))
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		args := []string{"init", path, "--yes", "-o", out}
		if r.IntN(3) == 0 {
			args = append(args, "--target", strings.TrimSpace(headers[r.IntN(len(headers))]))
		}
		if r.IntN(6) == 0 {
			args = append(args, "--type", []string{"class", "real"}[r.IntN(2)])
		}
		_, errs, code := invoke(t, args...)
		_, err := os.Stat(out)
		switch {
		case code == 0 && err == nil:
			written++
			if !strings.Contains(errs, "\npredicts ") || !strings.Contains(errs, "\nfrom     ") || !strings.Contains(errs, "\nfolds    ") {
				t.Errorf("seed %d: it does not say what was decided: %s", seed, errs)
			}
			if strings.Contains(errs, "no row names the columns") {
				rows++
			}
			read := !strings.Contains(errs, "what comes before line") // and not another table
			if of := foundByInit.FindStringSubmatch(errs); of == nil || read && (of[1] != fmt.Sprint(rows) || of[2] != fmt.Sprint(len(headers))) {
				t.Errorf("seed %d: it does not account for %d rows and %d columns: %s", seed, rows, len(headers), errs)
			}
		case strings.Contains(errs, "would not be good"):
			t.Errorf("seed %d, %v: %s\n%s", seed, args[4:], errs, text)
		case code != app.ExitInvalid || err == nil:
			content, _ := os.ReadFile(out)
			t.Errorf("seed %d, %v: code %d, %s\n%s\n%s", seed, args[4:], code, errs, text, content)
		}
	}
	if written < 100 {
		t.Errorf("%d files written", written)
	}
}

// Counters of rows are no features, whatever they are called, and that is said; --keep takes one all the same.
func TestInitLeavesCountersOut(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	t.Setenv("TENFOLD_DATA", "")
	for name, from := range map[string]int{"Unnamed: 0": 0, "": 0, "sample": 1, "n": 1, "nr": 100, "position": 0, "sorted": -1} {
		var b strings.Builder
		fmt.Fprintf(&b, "%s;weight;day;class\n", name)
		for i := range 30 {
			n := from + i
			if from < 0 {
				n = 5*i + i%3
			}
			fmt.Fprintf(&b, "%d;%d,%d;%02d.01.2024;%s\n", n, i*7%5, i%10, i%28+1, []string{"a", "b"}[i/15])
		}
		if err := os.WriteFile(filepath.Join(dir, "t.csv"), []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, "t.yaml")
		_, errs, code := invoke(t, "init", "t.csv", "--data", dir, "--yes", "--force", "-o", out, "--time", "day")
		content, err := os.ReadFile(out)
		if err != nil || code != 0 || !strings.Contains(errs, "from     1 column of numbers: weight\n") || !strings.Contains(errs, "times    day\n") ||
			!strings.Contains(string(content), "decimal: ','") {
			t.Errorf("%q: code %d, %s\n%s", name, code, errs, content)
		}
		if name == "" {
			continue
		}
		if _, errs, _ = invoke(t, "init", "t.csv", "--data", dir, "--yes", "--force", "-o", out, "--keep", name); !regexp.MustCompile(`2 columns of numbers: .*weight`).MatchString(errs) {
			t.Errorf("--keep %s: %s", name, errs)
		}
	}
}

// Two values are two classes, in whatever format they come: −1 and 1, 0 and 1.
func TestInitKnowsClasses(t *testing.T) {
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	t.Setenv("TENFOLD_DATA", "")
	t.Chdir(t.TempDir())
	for _, pair := range [][2]string{{"-1", "1"}, {"0", "1"}, {"-1.0", "+1.0"}} {
		var csv, arff, svm strings.Builder
		csv.WriteString("a,y\n")
		arff.WriteString("@relation r\n@attribute a numeric\n@attribute y numeric\n@data\n")
		X, y := "npy X.npy <f8 24,2", "npy y.npy <f8 24"
		for i := range 24 {
			a, level := strconv.Itoa(i*i%11+1), pair[i%5/3]
			fmt.Fprintf(&csv, "%s.5,%s\n", a, level)
			fmt.Fprintf(&arff, "%s.5,%s\n", a, level)
			fmt.Fprintf(&svm, "%s 1:%s.5\n", level, a)
			X, y = X+" "+a+" 0", y+" "+level
		}
		put(t, "a.csv", csv.String())
		put(t, "b.arff", arff.String())
		put(t, "c.svm", svm.String())
		prepare(t, X)
		prepare(t, y)
		for _, args := range [][]string{{"a.csv"}, {"b.arff"}, {"c.svm"}, {"X.npy", "--labels", "y.npy"}} {
			_, errs, code := invoke(t, append([]string{"init", "-y", "--force", "-o", "new.yaml"}, args...)...)
			content, err := os.ReadFile("new.yaml")
			if code != 0 || err != nil || !regexp.MustCompile(`predicts .*, a class`).MatchString(errs) || !strings.Contains(string(content), `positive: "1"`) || !strings.Contains(string(content), "stratify: true") {
				t.Errorf("%v, %v: code %d, %v\n%s\n%s", pair, args, code, err, errs, content)
			}
		}
	}
}

// The arrays of a file of np.savez get the roles that their names and shapes tell.
func TestInitKnowsArrays(t *testing.T) {
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	t.Setenv("TENFOLD_DATA", "")
	content, err := os.ReadFile("io/formats/npz/testdata/all.npz")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	put(t, "all.npz", string(content))
	_, errs, code := invoke(t, "init", "-y", "all.npz")
	text, err := os.ReadFile("all.yaml")
	if code != 0 || err != nil || !strings.Contains(string(text), "all: {path: all.npz, member: X.npy}") || !strings.Contains(string(text), "all_y: {path: all.npz, member: y.npy}") ||
		!strings.Contains(string(text), "names: {path: all.npz, member: names.npy}") || !strings.Contains(string(text), "type: class") {
		t.Errorf("code %d, %v\n%s\n%s", code, err, errs, text)
	}
}

// Arrays of test rows beside those of training rows stay test rows.
func TestInitKnowsTestArrays(t *testing.T) {
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	t.Setenv("TENFOLD_DATA", "")
	t.Chdir(t.TempDir())
	r := rand.New(rand.NewPCG(1, 2))
	array := func(rows, columns int) string {
		x := make([]float64, rows*columns)
		for k := range x {
			x[k] = float64(r.IntN(2))
		}
		if columns == 1 {
			return npy(x, rows)
		}
		return npy(x, rows, columns)
	}
	arrays := map[string]string{"X_train.npy": array(24, 3), "y_train.npy": array(24, 1), "X_test.npy": array(10, 3), "y_test.npy": array(10, 1)}
	write := func() (text, errs string) {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for name, content := range arrays {
			w, err := z.Create(name)
			if err == nil {
				_, err = w.Write([]byte(content))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		put(t, "d.npz", b.String())
		_, errs, code := invoke(t, "init", "-y", "--force", "d.npz")
		content, err := os.ReadFile("d.yaml")
		if code != 0 || err != nil {
			t.Fatalf("code %d, %v\n%s", code, err, errs)
		}
		return string(content), errs
	}
	text, errs := write()
	wants(t, errs, "from     3 columns of X_train.npy in 24 rows; the targets are y_train.npy\ntests on X_test.npy and y_test.npy\n")
	for _, want := range []string{
		"train: {path: d.npz, member: X_train.npy}", "train_y: {path: d.npz, member: y_train.npy}", "test: {path: d.npz, member: X_test.npy}",
		"test_y: {path: d.npz, member: y_test.npy}", "folds: given", "{kind: frontier, y: accuracy}",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	arrays["X_test.npy"] = array(10, 4) // other columns: of something else
	if text, _ := write(); !strings.Contains(text, "all: {path: d.npz, member: X_train.npy}") || !strings.Contains(text, "kind: kfold") {
		t.Errorf("arrays of other columns:\n%s", text)
	}
}

// Variables of MAT-files, Matrix Market files and those of the challenge of NIPS 2003 get the roles that their names and shapes tell.
func TestInitKnowsMatrices(t *testing.T) {
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	t.Setenv("TENFOLD_DATA", "")
	content := map[string]string{}
	for _, name := range []string{"tall.mat", "across.mat", "version4.mat"} {
		text, err := os.ReadFile(filepath.Join("io/formats/mat/testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		content[name] = string(text)
	}
	t.Chdir(t.TempDir())
	for name, text := range content {
		put(t, name, text)
	}
	var dense, labels, market strings.Builder
	fmt.Fprintf(&market, "%%%%MatrixMarket matrix coordinate real general\n2 24 48\n")
	for i := range 24 {
		fmt.Fprintf(&dense, "%d %d\n", i*i%11, i%3)
		fmt.Fprintf(&labels, "%d\n", i%2*2-1)
		fmt.Fprintf(&market, "1 %d %d\n2 %d 7\n", i+1, i*i%11, i+1)
	}
	put(t, "d_train.data", dense.String())
	put(t, "d_train.labels", labels.String())
	put(t, "d.param", "Data type: non-sparse\nNumber of features: 2\n")
	put(t, "m.mtx", market.String())
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"tall.mat"}, []string{"format: mat", `variables: {x: X, y: "Y", names: names}`, "stratify: true"}},
		{[]string{"across.mat"}, []string{"variables: {x: data, y: label}", "samples: columns"}},
		{[]string{"d_train.data"}, []string{"format: nips", "files: {all: d_train.data, all_y: d_train.labels, param: d.param}", `positive: "1"`}},
		{[]string{"m.mtx", "--labels", "d_train.labels"}, []string{"format: mtx", "files: {all: m.mtx, all_y: d_train.labels}", "samples: columns"}},
	} {
		_, errs, code := invoke(t, append([]string{"init", "-y", "--force", "-o", "new.yaml"}, c.args...)...)
		text, err := os.ReadFile("new.yaml")
		if code != 0 || err != nil {
			t.Errorf("%v: code %d, %v\n%s", c.args, code, err, errs)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(string(text), want) {
				t.Errorf("%v: no %q in\n%s\n%s", c.args, want, text, errs)
			}
		}
	}
	if _, errs, code := invoke(t, "init", "-y", "-o", "old.yaml", "version4.mat"); code != app.ExitInvalid || !strings.Contains(errs, "a MAT-file of version 4, expected version 5 to 7") {
		t.Errorf("version 4: code %d, %s", code, errs)
	}
}

// The labels that Mulan lists beside an ARFF file are the targets, and no features.
func TestInitReadsLabelLists(t *testing.T) {
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	t.Setenv("TENFOLD_DATA", "")
	t.Chdir(t.TempDir())
	var arff strings.Builder
	arff.WriteString("@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute calm {0,1}\n@attribute sad {0,1}\n@data\n")
	for i := range 40 {
		fmt.Fprintf(&arff, "%d.5,%d.25,%d,%d\n", i*i%11, i*i%7, i%2, i/7%2)
	}
	put(t, "songs/music-train.arff", arff.String())
	put(t, "songs/music.xml", `<labels><label name="calm"/><label name="sad"/></labels>`)
	put(t, "other.xml", `<labels><label name="sad"/></labels>`)
	for _, c := range []struct {
		args        []string
		says, holds string
		columns     int
	}{
		{nil, "predicts 2 labels: calm, sad", "files: {all: songs/music-train.arff, labels: songs/music.xml}", 2},
		{[]string{"--target", "sad"}, "predicts sad, a class", `target: {column: sad, positive: "1"}`, 2},
		{[]string{"--labels", "other.xml"}, "predicts 1 label: sad", "labels: other.xml", 3},
		{[]string{"--labels", "none", "--target", "sad"}, "predicts sad, a class", "files: {all: songs/music-train.arff} #", 3},
	} {
		_, errs, code := invoke(t, append([]string{"init", "-y", "--force", "-o", "new.yaml", "songs/music-train.arff"}, c.args...)...)
		content, err := os.ReadFile("new.yaml")
		features := 0
		for _, m := range regexp.MustCompile(`(\d+) (?:columns? of numbers|of categories)`).FindAllStringSubmatch(errs, -1) {
			n, _ := strconv.Atoi(m[1])
			features += n
		}
		if code != 0 || err != nil || !strings.Contains(errs, c.says) || !strings.Contains(string(content), c.holds) || features != c.columns {
			t.Errorf("%v: code %d, %v\n%s\n%s", c.args, code, err, errs, content)
			continue
		}
		if _, errs, code := invoke(t, "run", "new.yaml", "--quiet"); code != 0 {
			t.Errorf("%v: run ends with %d: %s", c.args, code, errs)
		}
	}
}

// Where many rows have one time, blocks are made of so many rows that none is empty.
func TestInitDividesTies(t *testing.T) {
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	t.Setenv("TENFOLD_DATA", "")
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		rows [4]int // of each day
		time string
		want string
	}{
		{[4]int{9, 9, 9, 0}, "day", "{kind: time, column: day, k: 2, test: 9}"},
		{[4]int{22, 23, 22, 23}, "day", "{kind: time, column: day, k: 2, test: 23}"},
		{[4]int{22, 23, 22, 23}, "none", "{kind: kfold, k: 5, stratify: true}"},
	} {
		text := "day,a,y\n"
		for day, n := range c.rows {
			for i := range n {
				text += fmt.Sprintf("2024-01-0%d,0.%d,%s\n", day+1, i*i%7, []string{"p", "q"}[i%2])
			}
		}
		put(t, "t.csv", text)
		if _, errs, code := invoke(t, "init", "-y", "--force", "--time", c.time, "t.csv"); code != 0 || !strings.Contains(errs, "\nfolds    "+c.want) {
			t.Errorf("%v rows a day: %s", c.rows, errs)
		}
	}
}
