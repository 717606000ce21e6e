package declaration

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tenfold/io/planfile"
)

// Limits of a folder whose content stands for the code of a method that declares none.
const (
	maxFolderFiles = 1000
	maxFolderBytes = 64 << 20
)

// folderFiles returns all files of the folder, but for those that tenfold writes: what lies in excluded folders, results in folders of runs, and
// baselines. What git keeps in .git is not part of the folder's content, either. A link counts by where it leads, and one to a file
// also by the content there; a link to a folder that does not count is an error.
func (d *Declaration) folderFiles(excluded []string) (out []CodeFile, err error) {
	root, err := filepath.EvalSymlinks(d.Folder)
	if err != nil {
		return nil, err
	}
	f := folderContent{root: root, runs: map[string]bool{}}
	for _, folder := range excluded {
		if real, err := filepath.EvalSymlinks(folder); err == nil {
			f.excluded = append(f.excluded, real)
		}
	}
	err = filepath.WalkDir(root, f.add)
	if errors.Is(err, errTooMuch) {
		err = fmt.Errorf("without code, consent is to all files of %s, and there are more than %d, or than %d MiB: declare those that it runs as code", d.Folder, maxFolderFiles, maxFolderBytes>>20)
	}
	return f.files, err
}

// errTooMuch is the error of a folder beyond the limits.
var errTooMuch = errors.New("too much")

// folderContent collects the files of a folder.
type folderContent struct {
	root     string
	excluded []string        // folders in it that do not count
	runs     map[string]bool // whether a folder is that of a run, or below one
	files    []CodeFile
	bytes    int64
}

// add adds a file of the folder, or passes over a part of it, for filepath.WalkDir.
func (f *folderContent) add(path string, e fs.DirEntry, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist): // gone meanwhile
		return nil
	case err != nil:
		return err
	case e.IsDir() && path != f.root && f.excludes(path):
		return filepath.SkipDir
	case e.IsDir():
		plan, err := os.Lstat(filepath.Join(path, planfile.Name))
		f.runs[path] = f.runs[filepath.Dir(path)] || err == nil && plan.Mode().IsRegular()
		return nil
	case strings.HasSuffix(path, baselineEnding), f.runs[filepath.Dir(path)] && isResult(e.Name()):
		return nil
	}
	relative, err := filepath.Rel(f.root, path)
	if err != nil {
		return err
	}
	file := CodeFile{Path: filepath.ToSlash(relative)}
	info, err := os.Stat(path)
	if e.Type()&fs.ModeSymlink != 0 {
		to, _ := os.Readlink(path) // a link that is gone leads nowhere
		file.Path += " -> " + to
		if err == nil && info.IsDir() && !f.counts(path) {
			return fmt.Errorf("without code, consent is to all files of %s, and the link %s leads to a folder that is not among them: declare the files that it runs as code", f.root, file.Path)
		}
	}
	if err == nil && info.Mode().IsRegular() {
		if f.bytes += info.Size(); f.bytes > maxFolderBytes {
			return errTooMuch
		}
		if file.Sha256, err = HashFile(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if f.files = append(f.files, file); len(f.files) > maxFolderFiles {
		return errTooMuch
	}
	return nil
}

// excludes reports whether a folder does not count.
func (f *folderContent) excludes(folder string) bool {
	return filepath.Base(folder) == ".git" || slices.Contains(f.excluded, folder)
}

// counts reports whether the folder that a link leads to is part of the content.
func (f *folderContent) counts(link string) bool {
	folder, err := filepath.EvalSymlinks(link)
	for ; err == nil && folder != f.root; folder = filepath.Dir(folder) {
		if f.excludes(folder) || folder == filepath.Dir(folder) {
			return false
		}
	}
	return err == nil
}

// baselineEnding ends the names of baselines, beside their experiments.
const baselineEnding = ".baseline.yaml"

// isResult reports whether a file in a run's folder is, by its name, one that tenfold writes: results, outcomes, plans, reports, figures,
// logs. No interpreter takes such a file for a part of a program by itself.
func isResult(name string) bool {
	return strings.HasPrefix(name, ".tmp-") ||
		slices.Contains([]string{".parquet", ".cell", ".json", ".md", ".html", ".tex", ".csv", ".svg", ".png", ".pdf", ".stderr", ".log", ".jobs"}, filepath.Ext(name))
}
