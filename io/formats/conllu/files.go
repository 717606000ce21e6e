package conllu

import (
	"context"
	"fmt"
	"strings"

	"tenfold/io/formats/tuples"
	"tenfold/io/source"
)

// eachSentence calls f with the file's name and the words of every sentence, file after file, to fill the table. part tells
// training records from test records, nil when one file holds all.
func eachSentence(ctx context.Context, in source.Input, t *tuples.Table, f func(name string, words []word)) (part []int8, err error) {
	var rows []int
	for _, role := range source.Parts(in) {
		content, name, err := in.Bytes(role)
		if err != nil {
			return nil, err
		}
		before := t.Len()
		for words, err := range sentences(content, name) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			f(name, words)
		}
		rows = append(rows, t.Len()-before)
	}
	return source.PartOf(rows...), nil
}

// inFiles adds the names of the files to an error about all of them.
func inFiles(in source.Input, err error) error {
	var names []string
	for _, role := range source.Parts(in) {
		if _, name, err := in.Bytes(role); err == nil {
			names = append(names, name)
		}
	}
	return fmt.Errorf("%s: %w", strings.Join(names, ", "), err)
}
