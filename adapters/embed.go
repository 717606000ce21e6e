// Package adapters holds what makes a program in Python, R or a shell a method of tenfold (docs/methods.md): the adapters, one file
// each, which can be copied from here or with tenfold method init, and a first method in each language.
package adapters

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

//go:embed experiment.yaml python/first.* python/tenfold_method.py r/first.* r/tenfold_method.R shell
var files embed.FS

// Languages returns the languages that a first method is there for.
func Languages() []string { return []string{"python", "r", "shell"} }

// File is one of the files of a first method. Its path is relative to the folder of the experiment file, with slashes.
type File struct {
	Path    string
	Content string
	Shared  bool // the adapter, which methods in one folder have in common
}

// Experiment returns the experiment file and other files of a first method of that name: its declaration, its program, and the adapter
// that this uses. The experiment file is the first.
func Experiment(language, name string) ([]File, error) {
	entries, err := files.ReadDir(language)
	if err != nil {
		return nil, fmt.Errorf("language %s: expected one of %s", language, strings.Join(Languages(), ", "))
	}
	named := func(from, to string) (File, error) {
		content, err := files.ReadFile(from)
		return File{Path: to, Content: strings.ReplaceAll(string(content), "METHOD", name)}, err
	}
	experiment, err := named("experiment.yaml", name+".yaml")
	if err != nil {
		return nil, err
	}
	out := []File{experiment}
	for _, e := range entries {
		from := path.Join(language, e.Name())
		if ending, first := strings.CutPrefix(e.Name(), "first"); first {
			f, err := named(from, path.Join("methods", name+ending))
			if err != nil {
				return nil, err
			}
			out = append(out, f)
			continue
		}
		content, err := files.ReadFile(from)
		if err != nil {
			return nil, err
		}
		out = append(out, File{path.Join("methods", e.Name()), string(content), true})
	}
	return out, nil
}
