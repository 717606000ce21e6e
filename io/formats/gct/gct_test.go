package gct

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/formats/tabular"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

const (
	small     = "#1.2\r\n3\t2\r\nNAME\tDESCRIPTION\ts1\ts2\r\nA\tna\t1\t-2.5\r\nB\tx y\t0\t3e1\r\n\r\nC\tna\t5\tNA\r\n\r\n"
	smallCLS  = "2 2 1\n# no yes\n0 1\n"
	smallChip = "Probe Set ID\tGene Symbol\tGene Title\nA\tG1\tt\nB\tG1 /// G2\tt\nB\tG9\tt\nC\t---\tt\n"
)

// show writes the columns as text, in order of row.
func show(d *data.Dataset) string {
	var b strings.Builder
	for i := range d.Rows() {
		fmt.Fprintf(&b, "%s:", d.IDs[i])
		row := d.X.Row(i)
		for k, j := range row.Idx {
			fmt.Fprintf(&b, " %s=%v", d.Features.Name(int(j)), row.At(k))
		}
		b.WriteString("; ")
	}
	return b.String()
}

func TestGCT(t *testing.T) {
	with := func(files ...string) map[string]string {
		m := map[string]string{"all": small, "labels": smallCLS}
		for k := 0; k < len(files); k += 2 {
			m[files[k]] = files[k+1]
		}
		return m
	}
	repeated := "#1.2\n3\t2\nNAME\tDESCRIPTION\ts1\ts2\nA\t\t1\t4\nB\t\t5\t6\nA\t\t3\t\n"
	for _, c := range []struct {
		name    string
		options func(*GCT)
		files   map[string]string
		want    string
	}{
		{"samples are rows", nil, with(), "s1: A=1 C=5; s2: A=-2.5 B=30 C=NaN; "},
		{"samples without gaps", func(g *GCT) { g.Prepare.Missing.All = "drop-rows" }, with("labels", "2 2 1\n#no yes\nno yes"), "s1: A=1 C=5; "},
		{"the maximum of a gene's lines", func(g *GCT) { g.Collapse = "max" }, with("all", repeated), "s1: A=3 B=5; s2: A=4 B=6; "},
		{"the mean", func(g *GCT) { g.Collapse = "mean" }, with("all", repeated), "s1: A=2 B=5; s2: A=4 B=6; "},
		{"the first", func(g *GCT) { g.Collapse = "first" }, with("all", repeated), "s1: A=1 B=5; s2: A=4 B=6; "},
		{"genes that a chip names", func(g *GCT) { g.Collapse = "max" }, with("chip", smallChip), "s1: G1=1; s2: G1=30; "},
		{"probes under names that a chip knows", func(g *GCT) {
			g.Collapse, g.Features.Classes = "none", source.Classes{GMT: "x", Unclassed: "drop"}
		}, with("chip", smallChip, "gmt", "set\tna\tG1\tG7"), "s1: A=1; s2: A=-2.5 B=30; "},
	} {
		d, err := sourcetest.Load(gctOf(c.options), c.files)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := show(d); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestResponses(t *testing.T) {
	files := map[string]string{"all": small, "join": "sample\tage\tsex\ns2\t50\tF\ns0\t9\tM\ns1\t40\t\n"}
	d, err := sourcetest.Load(gctOf(func(g *GCT) { g.Target.Columns, g.Target.Binarize, g.Join = []string{"age"}, "train-mean", joined }), files)
	if err != nil {
		t.Fatal(err)
	}
	if y := d.Targets[0]; len(d.Targets) != 1 || !slices.Equal(y.Numbers, []float64{40, 50}) || !slices.Equal(y.Values, []float64{0, 1}) || y.Type != data.Class {
		t.Errorf("%+v", d.Targets)
	}
	if d, err = sourcetest.Load(gctOf(func(g *GCT) { g.Target.Column, g.Target.Missing, g.Join = "sex", "drop-rows", joined }), files); err != nil || show(d) != "s2: A=-2.5 B=30 C=NaN; " {
		t.Errorf("%v %v", d, err)
	}
	files["join"] = "sample\tage\ns2\t50\n"
	skip := func(g *GCT) {
		g.Target.Column, g.Join = "age", tabular.Joins{{File: source.Ref{Path: "x"}, Header: true, Unmatched: "drop"}}
	}
	if d, err = sourcetest.Load(gctOf(skip), files); err != nil || d.Rows() != 1 || d.Facts[len(d.Facts)-1] != (data.Fact{Name: "rows left out, that join does not have", Value: "1"}) {
		t.Errorf("%v %v", d, err)
	}
	if got, want := d.Accounts().String(), "rows: 1 of 2 (1 without a partner in join); columns: 3 of 5 (id: sample; target: age)"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
}

func TestLabels(t *testing.T) {
	for _, c := range []struct{ cls, want string }{
		{"4 2 1\n# NGT DMT\n0 0 1 1\n\n", "DMT 2, NGT 2"},
		{"4 2 1\n# NGT DMT\nn d d d\n", "DMT 3, NGT 1"},
		{"4 2 1\n#B A\nA B B B\n", "A 1, B 3"},
		{"4 3 1\r\n# x y z\r\n2 0 0 1\r\n", `which of the classes x, y, z the label "2" means: by order of appearance it is x`},
		{"4 2 1\n# A B\nA A c c\n", `the label "A" means`},
		{"4 2 1\n# A B\nc c A A\n", `the label "c" means`},
		{"4 2 1\n# A B\nA A A A\n", "f:3: 1 different labels, expected 2, one for each name (A, B)"},
		{"4 2 1\n# A B C\nA A A B\n", "f:2: 3 names of classes, expected 2 as the first line says"},
		{"4 2 1\n\n# A B\nA A B\n", "f:4: 3 labels, expected one for each of the 4 samples"},
		{"5 2 1\n# A B\nA A B B\n", "f:1: 5 samples, says the first line, expected 4 as in the matrix"},
		{"4 2\n# A B\nA A B B\n", `f:1: found "4 2", expected the number of samples`},
		{"4 2 1\nA B\nA A B B\n", `f:2: found "A B", expected # and the names`},
		{"4 2 1\n# A B\n", "2 lines, expected three"},
		{"", "0 lines, expected three"},
		{"#numeric\n#age\n1 2 3 4\n#size\n5 6 7 8.5\n", "numbers [1 2 3 4] [5 6 7 8.5]"},
		{"#numeric\n#age\n1 2 x 4\n", `f:3: age, sample 3: found "x", expected a finite number`},
		{"#numeric\n#age\n1 2 4\n", "f:3: age: 3 numbers, expected one for each of the 4 samples"},
		{"#numeric\n#age\n", "f:2: found \"#age\", expected # and a name, and a line"},
		{"#numeric", "no phenotype"},
	} {
		targets, err := readCLS("f", []byte(c.cls), 4, "")
		got := fmt.Sprint(err)
		if err == nil && targets[0].Type == data.Class {
			got = sourcetest.Levels(targets[0])
		} else if err == nil {
			got = fmt.Sprint("numbers ", targets[0].Values, " ", targets[1].Values)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%q: got %s, want %s", c.cls, got, c.want)
		}
	}
}

// described is a matrix with columns about genes and lines about samples.
const described = "#1.3\n2\t3\t2\t3\nid\tsymbol\tlocus\ts1\ts2\ts3\ntype\tna\tna\ttumour\tnormal\ttumour\nsex\tna\tna\tF\tM\tF\nage\tna\tna\t50\tNA\t60\nA\tTP53\t17p\t1\t2\t3\nB\tEGFR\t7p\t0\t5\t6\n"

func TestMetadata(t *testing.T) {
	d, err := sourcetest.Load(gctOf(func(g *GCT) {
		g.Target.Column, g.Metadata, g.Columns.Categorical, g.Prepare.Missing.All = "type", []string{"age", "sex"}, []string{"sex"}, "mean"
	}), map[string]string{"all": described})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := show(d), "s1: A=1 sex=F=1 age=50; s2: A=2 B=5 sex=M=1 age=NaN; s3: A=3 B=6 sex=F=1 age=60; "; got != want || sourcetest.Levels(d.Targets[0]) != "normal 1, tumour 2" {
		t.Errorf("got %s, want %s; %s", got, want, sourcetest.Levels(d.Targets[0]))
	}
	both, err := sourcetest.Load(gctOf(func(g *GCT) {
		g.Target.Column, g.Columns.Group, g.Join = "stage", "sex", tabular.Joins{{File: source.Ref{Path: "x"}, By: "id", Header: true, Unmatched: "drop"}}
	}), map[string]string{"all": described, "join": "id,stage\ns3,II\ns1,I\n"})
	if err != nil || show(both) != "s1: A=1; s3: A=3 B=6; " || both.Groups == nil {
		t.Errorf("%v %v", err, both)
	}
}

func TestErrors(t *testing.T) {
	byID := func(g *GCT) {
		g.Target.Column, g.Join = "y", tabular.Joins{{File: source.Ref{Path: "x"}, By: "id", Header: true}}
	}
	for _, c := range []struct {
		name, all, want string
		files           []string
		options         func(*GCT)
	}{
		{name: "empty", all: "", want: `all:1: found "", expected #1.2`},
		{name: "a table", all: "gene\ts1\nA\t1\n", want: `all:1: found "gene\ts1", expected #1.2`},
		{name: "not UTF-8", all: "#1.2\n1\t1\nNAME\tDESCRIPTION\ts\xe9\nA\tna\t1\n", want: "all:3:19: found byte 0xe9, expected UTF-8 text"},
		{name: "labels not UTF-8", all: small, files: []string{"labels", "2 2 1\n# a \xe9\n0 1\n"}, want: "labels:2:5: found byte 0xe9, expected UTF-8 text"},
		{name: "a chip not UTF-8", all: small, files: []string{"chip", smallChip + "\xe9"}, options: func(g *GCT) { g.Collapse = "max" }, want: "chip:6:1: found byte 0xe9, expected UTF-8 text"},
		{name: "1.3 without a header", all: "#1.3\n1\t1\t0\t0\n", want: "all:2: 1 names, expected NAME, 0 columns about genes and 1 samples as line 2 says"},
		{name: "1.3 that ends early", all: "#1.3\n1\t1\t0\t1\nid\ts\n", want: "all: it ends before the 1 lines about samples that line 2 counts"},
		{name: "1.3 with a short line", all: "#1.3\n1\t1\t1\t1\nid\tgene\ts\nage\t5\nA\tna\t1\n", want: "all:4: 2 cells, expected a line about samples: its name, 1 cells about genes, and one for each of 1 samples"},
		{name: "1.3 with a text", all: described, options: func(g *GCT) { g.Target.Column, g.Metadata = "type", []string{"sex"} }, want: `all:5: "sex" of the sample "s1": found "F", expected a finite number`},
		{name: "1.3 without the target", all: described, options: func(g *GCT) { g.Target.Column = "kind" }, want: `target: no table of samples has a column "kind" (columns of all: id, type, sex, age)`},
		{name: "no targets", all: small, files: []string{"labels", ""}, want: "all: nothing says what is to be predicted: give labels: FILE.cls under files, or a table of samples with join: {file: FILE, by: COLUMN}"},
		{name: "no numbers", all: "#1.2\nx\t2\n", want: `all:2: found "x\t2", expected the numbers of genes and of samples`},
		{name: "too large", all: "#1.2\n99999999\t99999999\n", want: "at most 2^30 values"},
		{name: "fewer samples", all: "#1.2\n1\t3\nNAME\tDESCRIPTION\ts1\ts2\nA\tna\t1\t2\n", want: "all:3: 4 names, expected NAME, DESCRIPTION and 3 samples"},
		{name: "samples of one name", all: "#1.2\n1\t2\nNAME\tDESCRIPTION\ts1\ts1\nA\tna\t1\t2\n", want: `all:3:21: two samples are named "s1"`},
		{name: "sample without name", all: "#1.2\n1\t2\nNAME\tDESCRIPTION\t\ts1\nA\tna\t1\t2\n", want: "all:3:18: the sample has no name"},
		{name: "fewer genes", all: "#1.2\n2\t1\nNAME\tDESCRIPTION\ts1\nA\tna\t1\n", want: "all: 1 genes, expected 2 as line 2 says"},
		{name: "more genes", all: "#1.2\n1\t1\nNAME\tDESCRIPTION\ts1\nA\tna\t1\nB\tna\t2\n", want: "all:5: a further line, expected 1 genes"},
		{name: "text", all: "#1.2\n1\t2\nNAME\tDESCRIPTION\ts1\ts2\nA\tna\t1\tP\n", want: `all:4:8: gene A, sample s2: found "P", expected a finite number`},
		{name: "infinite", all: "#1.2\n1\t1\nNAME\tDESCRIPTION\ts1\nA\tna\tInf\n", want: `all:4:6: gene A, sample s1: found "Inf"`},
		{name: "fewer values", all: "#1.2\n1\t2\nNAME\tDESCRIPTION\ts1\ts2\nA\tna\t1\n", want: "all:4: gene A: 1 values, expected 2"},
		{name: "more values", all: "#1.2\n1\t1\nNAME\tDESCRIPTION\ts1\nA\tna\t1\t2\n", want: "all:4: gene A: more values than the 1 samples"},
		{name: "gene without name", all: "#1.2\n1\t1\nNAME\tDESCRIPTION\ts1\n\tna\t1\n", want: "all:4: the gene has no name"},
		{name: "gene twice", all: "#1.2\n2\t1\nNAME\tDESCRIPTION\ts1\nA\tna\t1\nA\tna\t2\n", files: []string{"labels", "1 1 1\n# a\na\n"}, want: "all:5: the gene A stands on line 4 already; say what becomes of them, collapse"},
		{name: "three genes twice", all: "#1.2\n4\t1\nNAME\tDESCRIPTION\ts1\nA\t\t1\nA\t\t1\nA\t\t1\nA\t\t1\n", files: []string{"labels", "1 1 1\n# a\na\n"}, want: "all:7: the gene A stands on line 6 already"},
		{name: "four genes twice", all: "#1.2\n5\t1\nNAME\tDESCRIPTION\ts1\nA\t\t1\nA\t\t1\nA\t\t1\nA\t\t1\nA\t\t1\n", files: []string{"labels", "1 1 1\n# a\na\n"}, want: "first\nall: and 1 further lines"},
		{name: "a chip without a choice", all: small, files: []string{"chip", smallChip}, want: "collapse: a chip is given"},
		{name: "a chip without header", all: small, files: []string{"chip", "A\tG1\n"}, options: func(g *GCT) { g.Collapse = "max" }, want: "chip:1: found"},
		{name: "a chip of other probes", all: small, files: []string{"chip", "Probe Set ID\tGene Symbol\nX\tG1\n"}, options: func(g *GCT) { g.Collapse = "max" }, want: `chip: it names no gene for any line of the matrix, such as "A"`},
		{name: "a short line of a chip", all: small, files: []string{"chip", "Probe Set ID\tGene Symbol\nX\n"}, options: func(g *GCT) { g.Collapse = "max" }, want: "chip:2: 1 cells, expected at least 2"},
		{name: "a column of labels", all: small, options: func(g *GCT) { g.Target.Column = "sex" }, want: "target: a .cls file has no columns"},
		{name: "positive", all: small, options: func(g *GCT) { g.Target.Positive = "yess" }, want: `has no level "yess"; did you mean "yes"?`},
		{name: "other samples", all: small, files: []string{"labels", "", "join", "id\ty\nt1\t1\n"}, options: byID, want: `join: join.by: no value of "id" is the id of a row of data: they are such as "t1", the ids such as "s1"`},
		{name: "a sample missing", all: small, files: []string{"labels", "", "join", "id\ty\ns1\t1\n"}, options: byID, want: "join: it has no row for 1 of 2 rows of data: s2"},
		{name: "collapse", all: small, options: func(g *GCT) { g.Collapse = "median" }, want: `collapse: "median" is not one of`},
	} {
		files := map[string]string{"all": c.all, "labels": smallCLS}
		if c.all == described {
			delete(files, "labels")
		}
		for k := 0; k < len(c.files); k += 2 {
			if files[c.files[k]] = c.files[k+1]; c.files[k+1] == "" {
				delete(files, c.files[k])
			}
		}
		if _, err := sourcetest.Load(gctOf(c.options), files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

func FuzzGCT(f *testing.F) {
	f.Add(small, smallCLS, smallChip, "max")
	f.Add(small, smallCLS, "", "")
	f.Add("#1.3\n1\t2\t1\t1\nid\tg\ts\tt\nclass\t\tu\tv\nA\tx\t1\t2\n", "", "", "")
	f.Add("#1.2\n1\t1\nN\tD\ts\nA\t\t1\n", "#numeric\n#a\n1\n", "Probe Set ID\tGene Symbol\nA\tG", "none")
	f.Fuzz(func(t *testing.T, all, cls, chip, collapse string) {
		files := map[string]string{"all": all, "labels": cls}
		if chip != "" {
			files["chip"] = chip
		}
		sourcetest.Fuzz(t, gctOf(func(g *GCT) {
			if g.Collapse = collapse; cls == "" { // of the samples' metadata
				delete(files, "labels")
				g.Target.Columns, g.Target.Missing, g.Metadata = []string{"*"}, "drop-rows", []string{"class"}
			}
		}), files)
	})
}
