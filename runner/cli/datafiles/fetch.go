package datafiles

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/io/fetch"
	"tenfold/io/files"
	"tenfold/io/sanitize"
	"tenfold/runner/cli/app"
	"tenfold/runner/execute"
	"tenfold/runner/progress"
	"tenfold/runner/settings"
)

func dataFetchCommand(a *app.App) *cobra.Command {
	var to string
	var yes bool
	cmd := &cobra.Command{
		Use: "fetch [FILE...]", Short: "Download data files that are missing, from mirrors and from the URLs that experiments name",
		Long: "Files go below the first data folder that can be written to, or --to. A download that was cut goes on where it was. A file gets its\n" +
			"name when it is complete and its checksum is right; files that are there are never overwritten.\n" +
			"Licences that experiments state have to be accepted once: at the terminal, or with --yes.",
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := a.ToolSettings(cmd.Flags())
			if err != nil {
				return err
			}
			known := s.Data
			if to != "" {
				s.Data = append([]string{to}, known...) // files below it need no download
			}
			named, err := dataFiles(a, args, s)
			if err != nil {
				return err
			}
			err = fetchMissing(a, cmd, named, s, to, yes)
			warnOutsideDataFolders(a, named, to, known)
			return err
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "folder to download into (default: the first data folder that can be written to)")
	cmd.Flags().BoolVar(&yes, "yes", false, "accept the licences that are shown")
	cmd.Flags().StringArray("mirrors", nil, "folders, or beginnings of URLs, that have files by their paths: tried first (TENFOLD_MIRRORS)")
	return cmd
}

// Fetch downloads the file of ref unless it is there, below to or else the first data folder that can be written to, once its licence is
// accepted; user names what needs it. It returns the checksum of the decoded bytes.
func Fetch(a *app.App, cmd *cobra.Command, ref files.Ref, user string, s settings.Settings, to string, yes bool) (sha256 string, err error) {
	if err := ref.Validate(); err != nil {
		return "", fmt.Errorf("%s: %w", user, err)
	}
	f := &dataFile{Ref: ref, folders: files.Folders{Data: s.Data, Spec: ".", Memory: app.ReadingMemory(s)}, drafted: true}
	f.lookUp(s.Cache)
	f.addUser(user, ref)
	if f.missing() {
		if err := fetchMissing(a, cmd, []*dataFile{f}, s, to, yes); err != nil {
			return "", err
		}
	}
	return files.Check(ref, f.folders, s.Cache)
}

// download is a missing file with everything that experiments say of it. Members of one archive share a download.
type download struct {
	fetch.Item
	members []*dataFile
}

func fetchMissing(a *app.App, cmd *cobra.Command, named []*dataFile, s settings.Settings, to string, yes bool) error {
	todo, errs := planDownloads(named, s.Mirrors)
	for _, f := range named {
		if f.state() == stateWrong {
			errs = append(errs, app.Invalid(fmt.Errorf("%s: is there, with a wrong checksum (%s, expected %s); remove it to fetch it again",
				f.Status.Path, f.Digest, strings.ToLower(f.SHA256))))
		}
	}
	if len(todo) == 0 {
		if len(errs) == 0 {
			a.Notef("nothing to fetch: %s here\n", app.Pluralize(len(named), "data file"))
		}
		return errors.Join(errs...)
	}
	dir, err := downloadFolder(to, s.Downloads)
	if err != nil {
		return errors.Join(append(errs, app.Invalid(err))...)
	}
	if err := askConsent(a, cmd, todo, s.Cache, yes); err != nil {
		return errors.Join(append(errs, err)...)
	}
	return errors.Join(append(errs, downloadAll(cmd.Context(), a, todo, dir, s.Cache))...)
}

// downloadAll downloads one file after the other and returns the joined errors of those that failed.
func downloadAll(ctx context.Context, a *app.App, todo []*download, dir, cache string) error {
	meter := progress.NewTransfer(a.Live)
	defer meter.Close()
	f := fetch.New("tenfold/" + execute.Version())
	f.Progress = meter.At
	f.Warn = func(err error) { meter.Say("warning: " + app.UserMessage(err)) }
	var errs []error
	for i, d := range todo {
		meter.Begin(fmt.Sprintf("%d/%d %s", i+1, len(todo), d.Path))
		from, err := f.Get(ctx, dir, d.Item)
		meter.End()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			errs = append(errs, downloadError(fmt.Errorf("%s: %w", d.Path, err)))
		default:
			if err := a.PrintText(d.rememberDigests(dir, from, cache)); err != nil {
				return err
			}
		}
	}
	return errors.Join(errs...)
}

// warnOutsideDataFolders warns if a file exists below to, which is no data folder that experiments look in.
func warnOutsideDataFolders(a *app.App, named []*dataFile, to string, known []string) {
	for _, f := range named {
		copied := filepath.Join(to, filepath.FromSlash(f.Ref.Path))
		f.folders.Data = known
		if _, err := os.Stat(copied); to != "" && err == nil {
			if f.lookUp(""); f.missing() {
				a.Warn(fmt.Errorf("%s is not a data folder: name it with --data, TENFOLD_DATA or data: in tenfold.yaml", to))
				return
			}
		}
	}
}

// downloadError gives a failed download its exit code: content that differs from what the experiment says is invalid data.
func downloadError(err error) error {
	if errors.As(err, new(fetch.Rejected)) || errors.Is(err, fs.ErrExist) {
		return app.Invalid(err)
	}
	return err
}

// planDownloads returns the missing files, each once, and errors for those that cannot be downloaded.
func planDownloads(named []*dataFile, mirrors []string) (todo []*download, errs []error) {
	for _, f := range named {
		if f.err == nil {
			continue
		}
		if !f.missing() {
			errs = append(errs, app.Invalid(fmt.Errorf("%s: %w", f.displayName(), f.err)))
			continue
		}
		name := path.Clean(filepath.ToSlash(f.Ref.Path))
		k := slices.IndexFunc(todo, func(d *download) bool { return d.Path == name })
		if k < 0 {
			k, todo = len(todo), append(todo, &download{Item: fetch.Item{Path: name}})
		}
		todo[k].members = append(todo[k].members, f)
	}
	return slices.DeleteFunc(todo, func(d *download) bool {
		err := d.prepare(mirrors)
		if err != nil {
			errs = append(errs, app.Invalid(fmt.Errorf("%w (%s)", err, strings.Join(d.members[0].usedBy, ", "))))
		}
		return err != nil
	}), errs
}

// prepare sets the sources, mirrors first, and how to recognise the right content.
func (d *download) prepare(mirrors []string) error {
	if err := fetch.Allowed(d.Path); err != nil {
		return err
	}
	for _, m := range mirrors {
		source, err := fetch.Mirrored(m, d.Path)
		if err != nil {
			return err
		}
		d.Sources = append(d.Sources, source)
	}
	for _, f := range d.members {
		for _, url := range f.urls {
			if !slices.Contains(d.Sources, url) {
				d.Sources = append(d.Sources, url)
			}
		}
		d.Exact = d.Exact || f.SHA256 != ""
	}
	if len(d.Sources) == 0 {
		return fmt.Errorf("%s: is missing, the experiment names no url for it, and no mirrors are set", d.Path)
	}
	d.Check = d.checkContent
	return nil
}

// checkContent checks the downloaded file at path against the checksums of everything that is to be read from it.
func (d *download) checkContent(path string) error {
	for _, f := range d.members {
		digest, err := files.Check(files.Ref{Path: path, Member: f.Member, SHA256: f.SHA256}, files.Folders{}, "")
		if err != nil {
			return err
		}
		f.Digest = digest
	}
	return nil
}

// rememberDigests stores the digests in the cache and returns the text that says what came from where.
func (d *download) rememberDigests(dir, from, cache string) string {
	path := filepath.Join(dir, filepath.FromSlash(d.Path))
	text := sanitize.Sprintf("%s from %s\n", path, fetch.Redacted(from))
	for _, f := range d.members {
		ref := files.Ref{Path: path, Member: f.Member}
		files.Remember(ref, files.Folders{}, cache, f.Digest)
		if f.SHA256 == "" && !f.drafted {
			text += sanitize.Sprintf("  no experiment names the checksum of %s; it is sha256: %s\n", f.displayName(), f.Digest)
		}
	}
	return text
}

// downloadFolder returns the folder asked for, or else the first data folder that is writable. Folders that exist
// come before those that would have to be made.
func downloadFolder(to string, data []string) (string, error) {
	if to != "" {
		return to, checkWritable(to)
	}
	if len(data) == 0 {
		return "", errors.New("no data folder to download into: give --to FOLDER or --data FOLDER, or set TENFOLD_DATA or data: in tenfold.yaml (below its folder, unless you have allowed that)")
	}
	var errs []error
	for _, make := range []bool{false, true} {
		for _, dir := range data {
			if _, err := os.Stat(dir); (err != nil) != make {
				continue
			}
			err := checkWritable(dir)
			if err == nil {
				return dir, nil
			}
			errs = append(errs, err)
		}
	}
	return "", fmt.Errorf("no data folder can be written to; give --to FOLDER: %w", errors.Join(errs...))
}

// checkWritable makes the folder if needed and tries to create a file in it.
func checkWritable(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	trial, err := files.Create(filepath.Join(dir, "fetch"))
	if err != nil {
		return err
	}
	return trial.Abort()
}
