package conllu

import (
	"fmt"
	"strings"
	"testing"
)

func TestSentencesOfDocuments(t *testing.T) {
	word := "1\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n\n"
	text := word + "# newdoc id = a\n# sent_id = 1\n" + word + word + "# newdoc id = empty\n# newdoc id = b\r\n" + word
	var got []string
	for s, err := range Sentences([]byte(text)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(s.Document, "@", s.Words[0].Line))
	}
	if want := "@1 a@5 a@7 b@11"; strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, " "), want)
	}
	for _, err := range Sentences([]byte(word + "1\tgo\n")) {
		if err != nil && err.Error() != "line 3: found 2 columns, expected 10 separated by tabs" {
			t.Errorf("got %v, want an error with its line and without a file", err)
		}
	}
}
