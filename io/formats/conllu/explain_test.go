package conllu

import (
	"os"
	"strings"
	"testing"

	"tenfold/io/formats/tuples"
	"tenfold/io/source/sourcetest"
)

// TestWorkedSentence: the reader makes of the sentence what describe and the page of the format say.
func TestWorkedSentence(t *testing.T) {
	r := reading{Joins: JoinsKind.Defaults().(Joins), table: tuples.NewTuples()}
	r.joins = tuples.NewJoins(r.table)
	for words, err := range sentences([]byte(worked), "") {
		if err != nil {
			t.Fatal(err)
		}
		r.addSentence("", words)
	}
	relations := r.table.Classes(relation)
	lines := strings.Split(strings.TrimSpace(workedJoins), "\n")[1:]
	if r.table.Len() != len(lines) {
		t.Fatalf("%d joins, %d are shown", r.table.Len(), len(lines))
	}
	for i, line := range lines {
		var got []string
		for _, v := range r.table.Tuple(i) {
			got = append(got, r.table.Text(v))
		}
		got = append(got, relations.Levels[int(relations.Values[i])])
		if strings.Join(got, " ") != strings.Join(strings.Fields(line), " ") {
			t.Errorf("join %d is %q, shown is %q", i, got, line)
		}
	}
	set := sourcetest.MustLoad(t, JoinsKind.Defaults(), map[string]string{"all": worked})
	for _, name := range []string{"T0:1=VERB;5=NOUN", "T17:1=VERB;2=*;3=*;5=NOUN"} {
		j, ok := set.Features.Lookup(name)
		if row := set.X.Row(1); !ok || row.ValueOf(int32(j)) != 1 {
			t.Errorf("the second join has no column %s", name)
		}
	}
	page, err := os.ReadFile("../../../docs/formats/treebanks.md")
	if err != nil {
		t.Fatal(err)
	}
	table := strings.TrimSuffix(workedJoins, "\n")
	if explained := (Joins{}).Explain(); !strings.Contains(string(page), table) || !strings.Contains(explained, table) {
		t.Error("describe and the page show other joins")
	}
	for _, template := range tuples.DefaultTemplates() {
		if !strings.Contains(string(page), template) {
			t.Errorf("the page does not show the template %s", template)
		}
	}
}
