// Package datafiles has the commands on the data files that experiments name: list says where they are, fetch downloads
// what is missing once its licence is accepted, verify compares checksums. It looks at files and reads no data set.
// Begin with dataFile and dataFiles in data.go.
package datafiles

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/io/files"
	"tenfold/runner/cli/app"
	"tenfold/runner/experiment"
	"tenfold/runner/settings"
)

// experimentsGlob matches the experiment files that data commands read by default.
var experimentsGlob = filepath.Join("experiments", "*.yaml")

// Command returns the command data.
func Command(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use: "data list|fetch|verify [FILE...]", Short: "The data files that experiments name: where they are, whether they are right; download what is missing",
		Long: "Without FILE, the experiment files are " + experimentsGlob + ".",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return app.Invalid(fmt.Errorf("unknown command %q of tenfold data; expected list, fetch or verify", args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(dataListCommand(a), dataFetchCommand(a), dataVerifyCommand(a))
	return cmd
}

func dataListCommand(a *app.App) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: "list [FILE...]", Short: "Say where data files are, how large, whether they are right, their licences; read none of them",
		Long: "The checksum of a file is right or wrong, not known where it was not computed since the file was last changed (see tenfold data\n" +
			"verify), or none where the experiment does not say what it should be.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := app.CheckFormat(format, app.AsText, app.AsJSON); err != nil {
				return err
			}
			s, err := a.ToolSettings(cmd.Flags())
			if err != nil {
				return err
			}
			named, err := dataFiles(a, args, s)
			if err != nil {
				return err
			}
			if format == app.AsJSON {
				return printDataJSON(a, named)
			}
			return printDataTable(a, named)
		},
	}
	cmd.Flags().StringVar(&format, "format", app.AsText, "of what is printed: text, or json (one object a file)")
	return cmd
}

func dataVerifyCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "verify [FILE...]", Short: "Read data files and compare their checksums with what experiments say; exit code 2 where one is wrong or missing",
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := a.ToolSettings(cmd.Flags())
			if err != nil {
				return err
			}
			named, err := dataFiles(a, args, s)
			if err != nil {
				return err
			}
			return verifyData(cmd.Context(), a, named, s.Cache)
		},
	}
}

// dataFile is a file, or a member of an archive, that experiments name.
type dataFile struct {
	files.Ref
	files.Status
	usedBy  []string // data sets, each prefixed with its experiment
	urls    []string
	folders files.Folders
	err     error // why it was not found; nil if it was
	drafted bool  // the experiment that names it is being written
}

// States of a data file.
const (
	stateMissing = "missing"
	stateRight   = "right"
	stateWrong   = "wrong"
	stateUnread  = "not known" // its checksum was never computed
	stateNone    = "none"      // there is no checksum to compare with
)

func (f *dataFile) missing() bool { return errors.Is(f.err, fs.ErrNotExist) }

func (f *dataFile) state() string {
	switch {
	case f.err != nil:
		return stateMissing
	case f.SHA256 == "":
		return stateNone
	case f.Digest == "":
		return stateUnread
	case strings.EqualFold(f.Digest, f.SHA256):
		return stateRight
	}
	return stateWrong
}

// displayName names the file in messages, as PATH or PATH:MEMBER.
func (f *dataFile) displayName() string {
	if f.Member != "" {
		return f.Ref.Path + ":" + f.Member
	}
	return f.Ref.Path
}

// dataFiles reads experiment files and looks up the data files that they name, each once, sorted by path.
func dataFiles(a *app.App, specs []string, s settings.Settings) (found []*dataFile, err error) {
	if len(specs) == 0 {
		if specs, err = filepath.Glob(experimentsGlob); err != nil {
			return nil, err
		}
	}
	specs = slices.DeleteFunc(slices.Clone(specs), func(path string) bool { return !app.IsExperiment(path) })
	if len(specs) == 0 {
		return nil, app.Invalid(errors.New("no experiment files in " + experimentsGlob + ": name them"))
	}
	var errs []error
	for _, path := range specs {
		file, _, err := a.LoadFile(path, nil)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		found = addDataFiles(found, file, s)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, app.Invalid(err)
	}
	slices.SortStableFunc(found, func(f, g *dataFile) int {
		return cmp.Or(cmp.Compare(f.Ref.Path, g.Ref.Path), cmp.Compare(f.Member, g.Member))
	})
	return found, nil
}

// addDataFiles appends the data files of an experiment, and merges those that others named already.
func addDataFiles(all []*dataFile, file *experiment.File, s settings.Settings) []*dataFile {
	folders := files.Folders{Data: s.Data, Spec: filepath.Dir(file.Path), Memory: app.ReadingMemory(s)}
	add := func(refs map[string]files.Ref, user string) {
		for _, role := range slices.Sorted(maps.Keys(refs)) {
			f := &dataFile{Ref: refs[role], folders: folders}
			f.lookUp(s.Cache)
			k := slices.IndexFunc(all, f.sameBytes)
			if k < 0 {
				k, all = len(all), append(all, f)
			}
			all[k].addUser(file.Path+": "+user, f.Ref)
		}
	}
	for _, set := range file.Datasets {
		add(set.NamedFiles(), set.Name)
	}
	for _, a := range file.Algorithms {
		if a.Import != nil {
			add(a.Import.Refs(), a.Name)
		}
	}
	return all
}

func (f *dataFile) lookUp(cache string) { f.Status, f.err = files.Look(f.Ref, f.folders, cache) }

// sameBytes reports whether two references mean the same bytes. Only one of them may know the checksum.
func (f *dataFile) sameBytes(g *dataFile) bool {
	return f.Ref.Path == g.Ref.Path && f.Status.Path == g.Status.Path && f.Member == g.Member &&
		(f.SHA256 == "" || g.SHA256 == "" || strings.EqualFold(f.SHA256, g.SHA256))
}

// addUser records another data set that uses the file, and takes over URL, licence and checksum where they were unknown.
func (f *dataFile) addUser(by string, ref files.Ref) {
	if !slices.Contains(f.usedBy, by) {
		f.usedBy = append(f.usedBy, by)
	}
	if ref.URL != "" && !slices.Contains(f.urls, ref.URL) {
		f.urls = append(f.urls, ref.URL)
	}
	f.Licence, f.SHA256 = cmp.Or(f.Licence, ref.Licence), cmp.Or(f.SHA256, ref.SHA256)
}
