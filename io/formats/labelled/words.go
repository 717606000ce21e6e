package labelled

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/io/formats/text"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// Words reads short texts: each line a label and words. A column is a word, or so many words in a row.
type Words struct {
	Target   Target        `yaml:"target"`
	Cut      string        `yaml:"cut" doc:"labels end before this text: with cut: \":\" NUM:date is NUM; empty keeps them whole"`
	Lower    bool          `yaml:"lower" doc:"write words in lower case"`
	Prepare  source.Topics `yaml:"prepare"`
	Features WordFeatures  `yaml:"features"`
	Encoding string        `yaml:"encoding" doc:"of the files: utf-8, latin-1, replace (utf-8 in which what is none becomes U+FFFD)"`
}

// WordFeatures are the columns.
type WordFeatures struct {
	Ngrams           int `yaml:"ngrams" doc:"longest run of words that is a column, 1 to 5; the ends of a text count as the word *"`
	Cutoff           int `yaml:"cutoff" key:"-" doc:"keep columns that occur in at least this many training rows, at least 1"`
	source.Treatment `yaml:",inline"`
}

// WordsKind is the format words.
var WordsKind = source.Define(source.Kind{
	Name: "words",
	Doc:  "a label and the words of a short text a line, as in the questions of TREC; a column is a word or a run of words",
	Cite: "Li & Roth 2002, Learning Question Classifiers",
	Rev:  1,
}, Words{Target: Target{Name: label}, Features: WordFeatures{Ngrams: 1}, Encoding: rawtext.UTF8})

// Validate checks the options by themselves.
func (w Words) Validate() error {
	errs := []error{
		w.Target.Validate(), rawtext.CheckEncoding(w.Encoding), w.Prepare.Check(source.Topics{}), source.Features{Cutoff: w.Features.Cutoff, Treatment: w.Features.Treatment}.Validate(),
	}
	if w.Features.Ngrams < 1 || w.Features.Ngrams > 5 {
		errs = append(errs, param.Errorf("features.ngrams", "%d, expected 1 to 5", w.Features.Ngrams))
	}
	return errors.Join(errs...)
}

// Declares one class target.
func (w Words) Declares() source.Declares {
	return w.Prepare.Declare(source.Declares{
		Targets: []source.Declared{{Name: label, Type: data.Class}}, Roles: source.PartRoles(), Binary: true, Groups: []string{"text"},
	})
}

// Recipe applies the cutoff and finds topics on training rows.
func (w Words) Recipe() prepare.Recipe {
	return w.Features.Treatment.Into(w.Prepare.Into(prepare.Recipe{Cutoff: max(1, w.Features.Cutoff)}))
}

// Load reads the files. Equal texts are one group.
func (w Words) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	r := newRows()
	var texts []string
	err := eachLine(ctx, in, w.Encoding, func(part int8, fields []string) error {
		class := fields[0]
		if w.Cut != "" {
			class, _, _ = strings.Cut(class, w.Cut)
		}
		if class == "" {
			return fmt.Errorf("found the label %q, expected text before %q", fields[0], w.Cut)
		}
		words := fields[1:]
		if w.Lower {
			for k := range words {
				words[k] = strings.ToLower(words[k])
			}
		}
		r.beginRow(class)
		w.addWords(r, words)
		texts = append(texts, strings.Join(words, " "))
		return r.endRow(part)
	})
	if err != nil {
		return nil, err
	}
	d, err := r.buildDataset(w.Target)
	if err != nil {
		return nil, err
	}
	d.Groups = data.GroupBy("text", texts)
	return d, nil
}

// addWords adds the words of a row, and runs of them. A word * is written %2A, so that the ends of a text are its own.
func (w Words) addWords(r *rows, words []string) {
	for k := range words {
		if words[k] == "*" {
			words[k] = "%2A"
		}
		r.setFeature(words[k])
	}
	if len(words) == 0 {
		return
	}
	framed := make([][]byte, 0, len(words)+2)
	framed = append(framed, []byte("*"))
	for _, word := range words {
		framed = append(framed, []byte(word))
	}
	framed = append(framed, []byte("*"))
	text.Runs(nil, framed, 2, w.Features.Ngrams, func(run []byte) { r.setFeature(string(run)) })
}
