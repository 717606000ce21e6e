package datafiles

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/io/files"
	"tenfold/runner/cli/app"
)

// askConsent shows the licences of downloads and asks to accept them. Each is asked once: what was accepted is
// remembered in the cache folder.
func askConsent(a *app.App, cmd *cobra.Command, todo []*download, cache string, yes bool) error {
	var notes []string              // where acceptance is remembered
	covers := map[string][]string{} // files, by licence
	for _, d := range todo {
		for _, f := range d.members {
			note := filepath.Join(cache, "licences", fmt.Sprintf("%x", sha256.Sum256([]byte(f.Licence+"\x00"+f.Ref.Path))))
			if _, err := os.Stat(note); f.Licence == "" || err == nil {
				continue
			}
			notes = append(notes, note)
			covers[f.Licence] = append(covers[f.Licence], f.displayName())
		}
	}
	if len(notes) == 0 {
		return nil
	}
	a.Notef("Licences of what is to be downloaded:\n")
	for _, licence := range slices.Sorted(maps.Keys(covers)) {
		a.Notef("  %s: %s\n", licence, strings.Join(covers[licence], ", "))
	}
	if !yes {
		if !app.IsTerminal(cmd.InOrStdin()) {
			return app.Invalid(errors.New("nothing was downloaded: these licences have to be accepted, and there is no terminal to ask at; read them, and give --yes"))
		}
		a.Notef("Do you accept them? [y/N] ")
		if !app.AskYes(cmd.Context(), cmd.InOrStdin()) {
			return app.Invalid(errors.New("nothing was downloaded: the licences were not accepted"))
		}
	}
	for _, note := range notes {
		if err := files.Replace(note, func(io.Writer) error { return nil }); err != nil {
			a.Warn(fmt.Errorf("what was accepted will be asked for again: %w", err))
			break
		}
	}
	return nil
}
