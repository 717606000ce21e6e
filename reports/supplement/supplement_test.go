package supplement

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/prepare"
	"tenfold/engines/prepare/probes"
	"tenfold/engines/prepare/pruning"
)

// Entries are sorted, have keys of their own, and the braces of BibTeX.
func TestReferences(t *testing.T) {
	all := References()
	if lines := strings.Count(bibliography, "\n"); len(all) != lines {
		t.Errorf("%d entries in %d lines", len(all), lines)
	}
	for i, r := range all {
		if i > 0 && all[i-1].Key >= r.Key {
			t.Errorf("%s stands after %s", r.Key, all[i-1].Key)
		}
		if strings.Count(r.BibTeX, "{") != strings.Count(r.BibTeX, "}") || !strings.HasSuffix(r.Key, r.Year) || !strings.Contains(r.BibTeX, "title = {") {
			t.Errorf("not sound: %s", r.BibTeX)
		}
	}
}

func TestCited(t *testing.T) {
	for citation, want := range map[string]string{
		"": "",
		"Zhou et al. 2003, section 4; Chen & Rosenfeld 1999": "zhou2003 chen1999",
		"le Cessie & van Houwelingen 1992":                   "lecessie1992",
		"Dhillon 2009, chapter 7; Dhillon, Foster & Ungar 2011; clusters in the manner of Kandylas, Upham & Ungar 2008": "dhillon2009 dhillon2011 kandylas2008",
		"Daumé 2004": "daume2004",
		"Robnik-Šikonja & Kononenko 2003; Nobody 1850": "robniksikonja2003 ?Nobody 1850",
		"Li, Church and Hastie 2007 (sampled)":         "li2007",
	} {
		found, unknown := Cited(citation)
		var got []string
		for _, r := range found {
			got = append(got, r.Key)
		}
		for _, u := range unknown {
			got = append(got, "?"+u)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %s, want %s", citation, s, want)
		}
	}
}

// What is named in words of tests stands in the bibliography.
func TestNamed(t *testing.T) {
	for word, citation := range named {
		if found, unknown := Cited(citation); len(found) != 1 || unknown != nil {
			t.Errorf("%s: %v, unknown %q", word, found, unknown)
		}
	}
}

// Each step of a recipe is described: a field that is set adds a clause, or has no effect by itself.
func TestPreparationDescribesRecipe(t *testing.T) {
	if got := preparation(prepare.Recipe{}); got != nil {
		t.Errorf("nothing is done: %q", got)
	}
	set := prepare.Recipe{
		Cutoff: 3, Missing: "median", Scale: "sd", Beam: 5, TFIDF: "smooth", Normalize: "l2", Impute: "mean", Constant: "drop", Clusters: 4, Topics: 7, Words: prepare.Commonest,
		Drop: "a", Probes: probes.Rule{Kind: probes.Gaussian, Share: 1}, Frequency: true, Treatment: prepare.Treatment{Keep: "x"}, Discretize: 3,
		NearZero: pruning.NearZero{Rule: "share", Share: 0.9}, Correlated: pruning.Correlated{Rule: "first", Cutoff: 0.9},
	}
	silent := []string{"Unseen", "ClusterSeed", "TopicsFrom", "TopicSeed", "Gaps", "Levels"} // details, and revisions
	set.Levels = prepare.LevelsRevision
	whole := preparation(set)
	for i := range reflect.TypeFor[prepare.Recipe]().NumField() {
		name := reflect.TypeFor[prepare.Recipe]().Field(i).Name
		if slices.Contains(silent, name) {
			continue
		}
		less := set
		reflect.ValueOf(&less).Elem().Field(i).SetZero()
		if slices.Equal(preparation(less), whole) {
			t.Errorf("no words tell of %s", name)
		}
	}
}

// Neither form of a table gives a spreadsheet a formula, or breaks at what fields hold.
func TestTablesAreSafe(t *testing.T) {
	rows := [][]string{{"a", "b"}, {"=1+1", "x\ty\n\"z\", w"}, {"-0.5", "–"}}
	for format, want := range map[string]string{
		CSV: "a,b\n'=1+1,\"x\ty\n\"\"z\"\", w\"\n-0.5,–\n",
		TSV: "a\tb\n'=1+1\t\"x\ty\n\"\"z\"\", w\"\n-0.5\t–\n",
	} {
		var b bytes.Buffer
		if err := (&supplement{format: format}).writeTable(&b, rows); err != nil || b.String() != want {
			t.Errorf("%s: %q, %v, want %q", format, b.String(), err, want)
		}
	}
}
