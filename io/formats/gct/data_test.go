package gct

import (
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/io/formats/tabular"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

func gctOf(with func(*GCT)) GCT {
	g := Kind.Defaults().(GCT)
	if with != nil {
		with(&g)
	}
	return g
}

// joined joins a table by its first column.
var joined = tabular.Joins{{File: source.Ref{Path: "x"}, Header: true, Unmatched: "drop-joined"}}

func classes(with source.Classes) GCT {
	return gctOf(func(g *GCT) { g.Features.Classes = with })
}

// The numbers of genes, samples, covered genes and sets are those measured independently.
func TestGSEA(t *testing.T) {
	for _, c := range []struct {
		set, sets                     string
		samples, genes, classes, none int
		levels                        string
	}{
		{"Leukemia", "c1", 48, 10056, 182, 10056 - 8351, "ALL 24, AML 24"},
		{"Leukemia", "c2", 48, 10056, 305, 10056 - 4463, "ALL 24, AML 24"},
		{"Diabetes", "c1", 34, 15056, 212, 15056 - 11822, "DMT 17, NGT 17"},
		{"Diabetes", "c2", 34, 15056, 318, 15056 - 5138, "DMT 17, NGT 17"},
		{"P53", "c1", 50, 10100, 182, 10100 - 8381, "MUT 33, WT 17"},
		{"P53", "c2", 50, 10100, 308, 10100 - 4486, "MUT 33, WT 17"},
		{"P53", "h.all.v7.0", 50, 10100, 50, 10100 - 3010, "MUT 33, WT 17"},
		{"ALL_sex", "c1", 125, 9054, 169, 9054 - 6569, "F 42, M 83"},
		{"ALL_sex", "c2", 125, 9054, 285, 9054 - 3723, "F 42, M 83"},
	} {
		t.Run(c.set+" "+c.sets, func(t *testing.T) {
			matrix, labels := "gsea/"+c.set+"_collapsed_symbols.gct.gz", "gsea/"+c.set+".cls"
			if c.set == "ALL_sex" {
				matrix, labels = "all-leukemia/ALL_sex_symbols.gct.gz", "all-leukemia/ALL_sex.cls"
			}
			files := map[string]string{"all": sourcetest.File(t, matrix), "labels": sourcetest.File(t, labels), "gmt": sourcetest.File(t, "gsea/"+c.sets+".symbols.gmt")}
			all, err := sourcetest.Load(classes(source.Classes{GMT: "x", Overlap: "first"}), files)
			if err != nil {
				t.Fatal(err)
			}
			if got := enginetest.ClassSize(all.Features, len(all.Features.Classes())-1); all.Features.Classes()[len(all.Features.Classes())-1] != data.None || got != c.none {
				t.Errorf("%d genes are in no set, expected %d", got, c.none)
			}
			d, err := sourcetest.Load(classes(source.Classes{GMT: "x", Size: []int{15, 500}, Overlap: "first", Unclassed: "drop"}), files)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(d.Features.Classes()); got != c.classes {
				t.Errorf("%d classes, expected %d", got, c.classes)
			}
			if rows, cols := all.X.Dims(); rows != c.samples || cols != c.genes || sourcetest.Levels(all.Targets[0]) != c.levels {
				t.Errorf("%d samples, %d genes, %s", rows, cols, sourcetest.Levels(all.Targets[0]))
			}
			if c.set != "P53" || c.sets != "c2" { // one of them is enough
				return
			}
			doubled, err := sourcetest.Load(classes(source.Classes{GMT: "x", Size: []int{15, 500}, Overlap: "duplicate"}), files)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(doubled.Features.Classes()); got != c.classes+1 {
				t.Errorf("%d classes with %s, expected %d", got, data.None, c.classes+1)
			}
			if f := doubled.Features; f.Len() <= c.genes {
				t.Errorf("%d columns, although sets overlap", f.Len())
			}
		})
	}
}

func TestGender(t *testing.T) {
	targets, err := readCLS("Gender.cls", []byte(sourcetest.File(t, "gsea/Gender.cls")), 32, "")
	if err != nil || sourcetest.Levels(targets[0]) != "FEMALE 17, MALE 15" {
		t.Errorf("got %v %v", targets, err)
	}
}

// Probes that the chip gives symbols, the maximum of each symbol taken: the published matrix was made so.
func TestCollapsingALL(t *testing.T) {
	chip := sourcetest.File(t, "gsea/Human_AFFY_HG_U95_MSigDB_7_0_final.chip.gz")
	cls := map[string]string{"labels": sourcetest.File(t, "all-leukemia/ALL_sex.cls")}
	want, err := sourcetest.Load(gctOf(nil), map[string]string{"all": sourcetest.File(t, "all-leukemia/ALL_sex_symbols.gct.gz"), "labels": cls["labels"]})
	if err != nil {
		t.Fatal(err)
	}
	if rows, cols := want.X.Dims(); rows != 125 || cols != 9054 || sourcetest.Levels(want.Targets[0]) != "F 42, M 83" {
		t.Errorf("%d × %d, %s", rows, cols, sourcetest.Levels(want.Targets[0]))
	}
	got, err := sourcetest.Load(gctOf(func(g *GCT) {
		g.Collapse, g.Target.Column, g.Target.Missing, g.Join = "max", "sex", "drop-rows", joined
	}), map[string]string{"all": sourcetest.File(t, "all-leukemia/ALL_hgu95av2.gct.gz"), "chip": chip, "join": sourcetest.File(t, "all-leukemia/ALL_pheno.tsv")})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.IDs, want.IDs) || !slices.Equal(got.Targets[0].Values, want.Targets[0].Values) {
		t.Error("samples or their classes differ")
	}
	if got.Features.Len() != 9054 {
		t.Errorf("%d genes", got.Features.Len())
	}
	for j := range want.Features.Len() {
		k, ok := got.Features.Lookup(want.Features.Name(j))
		if !ok || !slices.Equal(got.X.Col(k).Val, want.X.Col(j).Val) {
			t.Fatalf("gene %s differs", want.Features.Name(j))
		}
	}
}

// All tasks of the leukemia patients, with their gaps.
func TestTasksOfALL(t *testing.T) {
	files := map[string]string{"all": sourcetest.File(t, "all-leukemia/ALL_hgu95av2.gct.gz"), "join": sourcetest.File(t, "all-leukemia/ALL_pheno.tsv")}
	for column, want := range map[string]string{"remission": "CR 99, REF 15", "kinet": "dyploid 94, hyperd. 27", "cyto.normal": "FALSE 69, TRUE 24"} {
		d, err := sourcetest.Load(gctOf(func(g *GCT) { g.Target.Column, g.Target.Missing, g.Join = column, "drop-rows", joined }), files)
		if err != nil {
			t.Fatal(err)
		}
		if got := sourcetest.Levels(d.Targets[0]); got != want {
			t.Errorf("%s: %s, expected %s", column, got, want)
		}
	}
	if _, err := sourcetest.Load(gctOf(func(g *GCT) { g.Target.Column, g.Join = "sex", joined }), files); err == nil || !strings.Contains(err.Error(), `column "sex": the value is missing`) {
		t.Errorf("gaps without a policy: %v", err)
	}
}

func TestProbesOfLeukemia(t *testing.T) {
	files := map[string]string{
		"all": sourcetest.File(t, "gsea/Leukemia_hgu95av2.gct.gz"), "labels": sourcetest.File(t, "gsea/Leukemia.cls"), "gmt": sourcetest.File(t, "gsea/c1.symbols.gmt"),
	}
	sets := source.Classes{GMT: "x", Size: []int{15, 500}, Overlap: "first"}
	if _, err := sourcetest.Load(classes(sets), files); err == nil || !strings.Contains(err.Error(), `is a column of the data, such as "AFFX-MurIL2_at"`) {
		t.Errorf("probes are no genes: %v", err)
	}
	files["chip"] = sourcetest.File(t, "gsea/Human_AFFY_HG_U95_MSigDB_7_0_final.chip.gz")
	probes, err := sourcetest.Load(gctOf(func(g *GCT) { g.Features.Classes, g.Collapse = sets, "none" }), files)
	if err != nil {
		t.Fatal(err)
	}
	if n := probes.Features.Len(); n != 12564 || len(probes.Features.Classes()) < 100 {
		t.Errorf("%d probes in %d classes", n, len(probes.Features.Classes()))
	}
	genes, err := sourcetest.Load(gctOf(func(g *GCT) { g.Collapse = "mean" }), files)
	if err != nil {
		t.Fatal(err)
	}
	if left := genes.Account.Columns.Unused; len(left) == 0 || left[len(left)-1].Count != 12564-11548 {
		t.Errorf("of 12564 probes the chip has 11548: %v", left)
	}
}

func BenchmarkGCT(b *testing.B) {
	files := map[string]string{"all": sourcetest.File(b, "all-leukemia/ALL_hgu95av2.gct.gz"), "join": sourcetest.File(b, "all-leukemia/ALL_pheno.tsv")}
	g := gctOf(func(g *GCT) { g.Target.Column, g.Target.Missing, g.Join = "sex", "drop-rows", joined })
	b.SetBytes(int64(len(files["all"])))
	for b.Loop() {
		if _, err := sourcetest.Load(g, files); err != nil {
			b.Fatal(err)
		}
	}
}
