package conllu

import (
	"context"
	"fmt"
	"strings"

	"tenfold/io/source"
	"tenfold/io/tuples"
)

// fileRoles are the files that both formats read.
var fileRoles = [][]string{{"all"}, {"train", "test"}}

func given(in source.Input) []string {
	if in.Has("train") {
		return fileRoles[1]
	}
	return fileRoles[0]
}

// each calls f with the file's name and the words of every sentence, file after file, to fill the table. part tells training records from test records, nil when one file holds all.
func each(ctx context.Context, in source.Input, t *tuples.Table, f func(name string, words []Word)) (part []int8, err error) {
	roles := given(in)
	for k, role := range roles {
		content, name, err := in.Bytes(role)
		if err != nil {
			return nil, err
		}
		for words, err := range Sentences(content, name) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			f(name, words)
		}
		for len(roles) > 1 && len(part) < t.Len() {
			part = append(part, int8(k))
		}
	}
	return part, nil
}

// inFiles adds the names of the files to an error about all of them.
func inFiles(in source.Input, err error) error {
	var names []string
	for _, role := range given(in) {
		if _, name, err := in.Bytes(role); err == nil {
			names = append(names, name)
		}
	}
	return fmt.Errorf("%s: %w", strings.Join(names, ", "), err)
}
