package tabular

import (
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

// tsvOf is the tsv format with options changed.
func tsvOf(with func(*Text)) Text {
	t := TSVKind.Defaults().(Text)
	with(&t)
	return t
}

// The counts are those measured independently of this package.
func TestMicroarrays(t *testing.T) {
	for _, c := range []struct {
		name       string
		rows, cols int
		levels     string
	}{
		{"alon", 62, 2000, "n 22, t 40"}, {"golub", 72, 7129, "ALL 47, AML 25"}, {"singh", 102, 12600, "Normal 50, Tumor 52"},
		{"gravier", 168, 2905, "good 111, poor 57"}, {"west", 49, 7129, "negative 25, positive 24"},
		{"khan", 63, 2308, "BL 8, EWS 23, NB 12, RMS 20"}, {"shipp", 77, 7129, "DLBCL 58, FL 19"},
	} {
		d, err := sourcetest.Load(tsvOf(func(t *Text) { t.Columns.ID, t.Target.Column, t.Columns.Repeated = "sample", "class", "number" }),
			map[string]string{"all": sourcetest.File(t, "microarray/"+c.name+".tsv.gz")})
		if err != nil {
			t.Fatal(err)
		}
		if rows, cols := d.X.Dims(); rows != c.rows || cols != c.cols || sourcetest.Levels(d.Targets[0]) != c.levels {
			t.Errorf("%s: %d × %d, %s", c.name, rows, cols, sourcetest.Levels(d.Targets[0]))
		}
	}
}

func TestYeastOfBrem(t *testing.T) {
	d, err := sourcetest.Load(tsvOf(func(t *Text) {
		t.Header, t.Target.Binarize, t.Target.Columns, t.Join = false, "train-mean", []string{"*"}, byColumn("")
	}),
		map[string]string{"all": sourcetest.File(t, "yeast-brem2005/X.tsv"), "join": sourcetest.File(t, "yeast-brem2005/Y.tsv")})
	if err != nil {
		t.Fatal(err)
	}
	if rows, cols := d.X.Dims(); rows != 112 || cols != 500 || len(d.Targets) != 231 || !d.X.Binary() {
		t.Errorf("%d × %d, %d targets", rows, cols, len(d.Targets))
	}
	if y := d.Targets[0]; y.Name != "YAL046C" || y.Numbers[0] != -0.1638 || y.Type != data.Class {
		t.Errorf("%s %v", y.Name, y.Numbers[0])
	}
}

func TestYeastOfBloom(t *testing.T) {
	files := map[string]string{"all": sourcetest.File(t, "yeast-bloom2013/BYxRM_GenoData.txt.gz"), "join": sourcetest.File(t, "yeast-bloom2013/BYxRM_PhenoData.txt.gz")}
	options := func(missing string) Text {
		return tsvOf(func(t *Text) {
			t.Samples, t.Columns.Codes, t.Target.Missing = "columns", map[string]float64{"B": 0, "R": 1}, missing
			t.Target.Columns, t.Join = []string{"*"}, byColumn("")
		})
	}
	d, err := sourcetest.Load(options("mean"), files)
	if err != nil {
		t.Fatal(err)
	}
	rows, cols := d.X.Dims()
	if rows != 1008 || cols != 11623 || d.X.NNZ() != 5887649 || len(d.Targets) != 46 || d.IDs[0] != "A01_01" {
		t.Errorf("%d strains, %d markers, %d R, %d traits, %s", rows, cols, d.X.NNZ(), len(d.Targets), d.IDs[0])
	}
	gaps := 0
	for _, y := range d.Targets {
		gaps += len(slices.DeleteFunc(slices.Clone(y.Values), func(v float64) bool { return v == v }))
	}
	if gaps != 2422 {
		t.Errorf("%d missing traits", gaps)
	}
	p, err := options("mean").Recipe().Fit(d, nil)
	if err != nil || p.Facts[len(p.Facts)-1].Value != "2422" {
		t.Errorf("filled in: %v %v", p, err)
	}
	if d, err = options("drop-rows").Target.Finish(d, source.Gaps{}); err != nil || d.Rows() != 303 {
		t.Errorf("complete: %v", err)
	}
	if _, err = sourcetest.Load(options(""), files); err == nil || !strings.Contains(err.Error(), "the value is missing") {
		t.Errorf("gaps without a policy: %v", err)
	}
}

func TestYeastOfSmith(t *testing.T) {
	files := map[string]string{
		"all": sourcetest.File(t, "yeast-smith2008/markers.tsv.gz"), "join2": sourcetest.File(t, "yeast-smith2008/expression_glucose.tsv.gz"),
		"join": sourcetest.File(t, "yeast-smith2008/tasks20_binary.tsv"), "classes": sourcetest.File(t, "yeast-smith2008/marker_positions.tsv"),
	}
	s := tsvOf(func(t *Text) {
		t.Columns.ID, t.Columns.Repeated, t.Target.Type = "strain", "number", "class"
		t.Target.Columns, t.Join = []string{"*"}, append(byColumn(""), byColumn("", "*")...)
	})
	s.Features.Classes = source.Classes{File: "x", Column: "chromosome"}
	d, err := sourcetest.Load(s, files)
	if err != nil {
		t.Fatal(err)
	}
	if rows, cols := d.X.Dims(); rows != 109 || cols != 2820+4482 || len(d.Targets) != 20 {
		t.Errorf("%d × %d, %d targets", rows, cols, len(d.Targets))
	}
	if f := d.Features; len(f.Classes()) != 17 || enginetest.ClassSize(f, 16) != 4482 { // 16 chromosomes; transcripts have no position there
		t.Errorf("classes %v, %d in the last", f.Classes(), enginetest.ClassSize(f, 16))
	}
	least, most := 109, 0
	for _, y := range d.Targets {
		ones := 0
		for _, v := range y.Values {
			ones += int(v)
		}
		least, most = min(least, ones), max(most, ones)
	}
	if least != 43 || most != 69 {
		t.Errorf("positives %d to %d, expected 43 to 69", least, most)
	}
	// The binary tasks are the real ones, cut at their means.
	s.Target.Type, s.Target.Binarize = "", "train-mean"
	files["join"] = sourcetest.File(t, "yeast-smith2008/tasks20_real.tsv")
	cut, err := sourcetest.Load(s, files)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Recipe().Fit(cut, nil)
	if err != nil {
		t.Fatal(err)
	}
	for k := range d.Targets {
		if _, y := p.View(nil).Target(k); !slices.Equal(y, d.Targets[k].Values) {
			t.Errorf("task %d differs", k+1)
		}
	}
	for _, more := range []string{"yeast-smith2008/expression_ethanol.tsv.gz"} {
		files["join2"] = sourcetest.File(t, more)
		if d, err := sourcetest.Load(s, files); err != nil || d.Features.Len() != 7302 {
			t.Errorf("%s: %v", more, err)
		}
	}
	s.Columns.Repeated = ""
	if _, err := sourcetest.Load(s, files); err == nil || !strings.Contains(err.Error(), "two columns are named") {
		t.Errorf("names twice: %v", err)
	}
}

func TestBreastOfNKI(t *testing.T) {
	files := map[string]string{
		"all": sourcetest.File(t, "breast-nki/expression.tsv.gz"), "join": sourcetest.File(t, "breast-nki/tasks5.tsv"), "classes": sourcetest.File(t, "breast-nki/genes.tsv"),
	}
	s := tsvOf(func(t *Text) {
		t.Columns.ID, t.Target.Type, t.Target.Missing, t.Target.Columns, t.Join = "sample", "class", "drop-rows", []string{"*"}, byColumn("")
	})
	s.Prepare.Missing.All = "mean"
	s.Features.Classes = source.Classes{File: "x", Column: "cytoband"}
	d, err := sourcetest.Load(s, files)
	if err != nil {
		t.Fatal(err)
	}
	if rows, cols := d.X.Dims(); rows != 129 || cols != 922 || len(d.Targets) != 5 {
		t.Errorf("%d × %d, %d targets", rows, cols, len(d.Targets))
	}
	s.Target.Columns = []string{"er", "age*", "size*", "grade*"}
	if d, err = sourcetest.Load(s, files); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, y := range d.Targets {
		got = append(got, sourcetest.Levels(y))
	}
	if want := "0 38, 1 112; 0 73, 1 77; 0 88, 1 62; 0 90, 1 60"; strings.Join(got, "; ") != want || d.Rows() != 150 {
		t.Errorf("%d rows, %v", d.Rows(), got)
	}
	p, err := s.Recipe().Fit(d, nil)
	if err != nil || p.Facts[0].Value != "361" {
		t.Errorf("filled in: %v %v", p, err)
	}
	s.Prepare.Missing.All = "drop-rows"
	if d, err = sourcetest.Load(s, files); err != nil || d.Rows() != 150-53 {
		t.Errorf("without samples that have gaps: %v %v", d, err)
	}
	s.Prepare.Missing.All = ""
	if d, err = sourcetest.Load(s, files); err != nil {
		t.Fatal(err)
	}
	if err := s.Recipe().Check(d); err == nil || !strings.Contains(err.Error(), "as are 360 others") {
		t.Errorf("gaps without a policy: %v", err)
	}
	// Age and size from the clinical table, cut at their means over all patients.
	s.Prepare.Missing.All, s.Target.Columns, s.Target.Type, s.Target.Binarize = "mean", []string{"grade", "size", "age"}, "", "train-mean"
	files["join"] = sourcetest.File(t, "breast-nki/clinical.tsv")
	if d, err = sourcetest.Load(s, files); err != nil {
		t.Fatal(err)
	}
	if p, err = s.Recipe().Fit(d, nil); err != nil {
		t.Fatal(err)
	}
	for k, ones := range []int{60, 62, 77} {
		_, y := p.View(nil).Target(k)
		sum := 0.0
		for _, v := range y {
			sum += v
		}
		if sum != float64(ones) {
			t.Errorf("%s: %v at or above the mean, expected %d", d.Targets[k].Name, sum, ones)
		}
	}
}

func TestBreastOfVanTVeer(t *testing.T) {
	files := map[string]string{
		"all": sourcetest.File(t, "breast-vantveer/expression.tsv.gz"), "join": sourcetest.File(t, "breast-vantveer/pheno.tsv"), "gmt": sourcetest.File(t, "breast-vantveer/pathways.gmt"),
	}
	s := tsvOf(func(t *Text) {
		t.Columns.ID, t.Target.Type, t.Target.Columns, t.Join = "sample", "class", []string{"*"}, byColumn("")
	})
	s.Features.Classes = source.Classes{GMT: "x"}
	if _, err := sourcetest.Load(s, files); err == nil || !strings.Contains(err.Error(), "overlapping classes: 94 columns are in several") {
		t.Errorf("overlapping classes: %v", err)
	}
	s.Features.Classes.Overlap = "duplicate"
	d, err := sourcetest.Load(s, files)
	if err != nil {
		t.Fatal(err)
	}
	if rows, cols := d.X.Dims(); rows != 96 || cols != 1208 || len(d.Features.Classes()) != 10 || enginetest.ClassSize(d.Features, 9) != 1 {
		t.Errorf("%d × %d, classes %v", rows, cols, d.Features.Classes())
	}
	if got := sourcetest.Levels(d.Targets[0]) + "; " + sourcetest.Levels(d.Targets[1]) + "; " + sourcetest.Levels(d.Targets[2]); got != "0 45, 1 51; 1 11, 2 25, 3 60; neg 29, pos 67" && got != "0 51, 1 45; 1 11, 2 25, 3 60; neg 29, pos 67" {
		t.Errorf("got %s", got)
	}
	s.Features.Classes.Overlap, s.Features.Classes.Unclassed = "first", "drop"
	if d, err = sourcetest.Load(s, files); err != nil || d.Features.Len() != 1112 || len(d.Features.Classes()) != 9 {
		t.Errorf("%v %v", d, err)
	}
}

func BenchmarkBloom(b *testing.B) {
	files := map[string]string{"all": sourcetest.File(b, "yeast-bloom2013/BYxRM_GenoData.txt.gz"), "join": sourcetest.File(b, "yeast-bloom2013/BYxRM_PhenoData.txt.gz")}
	s := tsvOf(func(t *Text) {
		t.Samples, t.Columns.Codes, t.Target.Missing = "columns", map[string]float64{"B": 0, "R": 1}, "drop-rows"
		t.Target.Columns, t.Join = []string{"*"}, byColumn("")
	})
	b.SetBytes(int64(len(files["all"])))
	for b.Loop() {
		if _, err := sourcetest.Load(s, files); err != nil {
			b.Fatal(err)
		}
	}
}
