package wizard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"tenfold/io/fetch"
	"tenfold/io/files"
	"tenfold/io/openml"
	"tenfold/runner/cli/app"
	"tenfold/runner/cli/datafiles"
	"tenfold/runner/draft"
	"tenfold/runner/execute"
	"tenfold/runner/settings"
)

// openMLVariable names the environment variable with the address of another OpenML server.
const openMLVariable = "TENFOLD_OPENML"

// fetchOpenML asks the server what name means, downloads the files that are missing, and returns the path of the data. What the server
// says of target, columns and folds is taken where no flag says otherwise.
func (w *wizard) fetchOpenML(cmd *cobra.Command, name string, tool settings.Settings) (path string, err error) {
	server := openml.Server{Address: cmp.Or(os.Getenv(openMLVariable), openml.Address), Get: getText}
	found, err := server.Find(cmd.Context(), name)
	if err != nil {
		return "", err
	}
	d := found.Data
	id := strconv.Itoa(d.ID)
	table := files.Ref{Path: "openml/" + id + "-" + draft.NameOf(d.Name) + ".arff", URL: d.URL, Licence: d.Licence}
	if (files.Ref{Path: table.Path, Licence: table.Licence}).Validate() != nil { // a text in place of a name
		table.Licence = ""
	}
	wanted := []*files.Ref{&table}
	splits := files.Ref{Path: fmt.Sprintf("openml/%d-splits.arff", found.Task), URL: found.Splits}
	given := found.Splits != "" && !w.isGiven("folds")
	if given {
		wanted = append(wanted, &splits)
	}
	folder := ""
	if len(tool.Downloads) == 0 {
		folder = "." // where an experiment file finds it
	}
	for _, ref := range wanted {
		if ref.SHA256, err = datafiles.Fetch(w.App, cmd, *ref, name, tool, folder, w.yes); err != nil {
			return "", err
		}
	}
	w.Published = table
	if given {
		w.Given = draft.Given{File: splits, Why: fmt.Sprintf("The folds of OpenML's task %d.", found.Task)}
	}
	for _, column := range d.Left {
		if !slices.Contains(w.Keep, column) {
			w.Left = append(w.Left, column)
		}
	}
	w.published = found.Target
	if found.Task != 0 && !w.isGiven("type") {
		if w.kind = "class"; found.Real {
			w.kind = "real"
		}
	}
	if !w.isGiven("name") {
		w.Name = draft.NameOf(d.Name)
	}
	w.Notef("%s: data set %s of OpenML, %s\n", name, id, d.Name)
	return filepath.FromSlash(table.Path), nil
}

// getText downloads a text into memory.
func getText(ctx context.Context, url string) (text []byte, err error) {
	dir, err := os.MkdirTemp("", "tenfold-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	const name, most = "answer.json", 16 << 20
	f := fetch.New("tenfold/" + execute.Version())
	if _, err := f.Get(ctx, dir, fetch.Item{Path: name, Sources: []string{url}, Check: func(path string) error {
		if info, err := os.Stat(path); err != nil || info.Size() > most {
			return cmp.Or(err, fmt.Errorf("an answer of %s, expected at most %d", app.Pluralize(int(info.Size()), "byte"), most))
		}
		return nil
	}}); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, name))
}
