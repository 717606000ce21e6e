package draft

import (
	"fmt"
	"strings"
	"testing"

	"tenfold/runner/draft/inspect"
)

// A first row of a text and a label is no row of names; what it might name gets names.
func TestTablesOfTexts(t *testing.T) {
	t.Parallel()
	rows := func(head string, line func(k int) string) string {
		for k := range 40 {
			head += line(k)
		}
		return head
	}
	text := func(k int) string { return fmt.Sprintf("here are the words of message number %d", k) }
	for name, c := range map[string]struct{ content, names, target, separator, evidence string }{
		"a label, a text":    {rows("", func(k int) string { return "ab"[k%2:k%2+1] + "\t" + text(k) + "\n" }), "label text", "label", "", "are called label, text"},
		"a text, a label":    {rows("", func(k int) string { return text(k) + "\t" + "ab"[k%2:k%2+1] + "\n" }), "text label", "label", "", "are called text, label"},
		"a number, texts":    {rows("", func(k int) string { return fmt.Sprint(k%3) + "\t" + text(k) + "\t" + text(-k) + "\n" }), "label text text2", "label", "", "text2: 40 cells of 8.0 words"},
		"names":              {rows("kind\tmessage\n", func(k int) string { return "ab"[k%2:k%2+1] + "\t" + text(k) + "\n" }), "kind message", "kind", "", "message: 40 cells of 8.0 words and 3"},
		"questions as names": {rows("day\tWhat do you think of our new shop?\n", func(k int) string { return fmt.Sprintf("d%d\t%s\n", k%4, text(k)) }), "day What do you think of our new shop?", "day", "", "What do you think"},
		"several labels":     {rows("", func(k int) string { return text(k) + "\t" + []string{"3", "4,27", "27", "3,4,27", "4"}[k%5] + "\n" }), "text label", "label", ",", "text: 40 cells"},
		"genres": {rows("name\tplot\tkind\n", func(k int) string {
			return fmt.Sprintf("n%d\t%s\t%s\n", k, text(k), []string{"War|Drama", "War", "Drama"}[k%3])
		}), "name plot kind", "kind", "|", "plot: 40 cells"},
		"names with commas": {rows("plot\tkind\n", func(k int) string { return text(k) + "\t" + []string{"Smith, Ann", "Jones, Bob"}[k%2] + "\n" }), "plot kind", "kind", "", "plot: 40 cells"},
	} {
		f, err := inspect.Look(t.Context(), file(t, "a.tsv", c.content), "", inspect.Asked{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		d := Draft{Found: *f, Class: true}
		d.Target, _ = f.Suggested()
		if got := strings.Join(f.Names(), " "); got != c.names || d.Target != c.target || d.Separator() != c.separator {
			t.Errorf("%s: %s, target %s, separator %q", name, got, d.Target, d.Separator())
		}
		if evidence := strings.Join(f.Evidence, "\n"); !strings.Contains(evidence, c.evidence) {
			t.Errorf("%s: %s", name, evidence)
		}
		if d.Text = []string{"none"}; len(d.Texts()) != 0 {
			t.Errorf("%s: texts that the user says there are none of: %v", name, d.Texts())
		}
	}
}
