package declaration

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// CodeFile is a file of a method's code with the digest of its content.
type CodeFile struct {
	Path   string `json:"path"` // relative to the declaring file, with slashes
	Sha256 string `json:"sha256"`
}

// Files returns the existing files of the method's code, by path. A pattern without a match is an error: a mistyped name would let
// results outlive the code that made them.
func (d *Declaration) Files() ([]CodeFile, error) {
	paths, err := d.CodePaths()
	if err != nil {
		return nil, err
	}
	return d.hashFiles(paths)
}

// hashFiles returns files with the digests of their content; the paths are relative to the declaring file.
func (d *Declaration) hashFiles(paths []string) (out []CodeFile, err error) {
	for _, file := range paths {
		sum, err := HashFile(d.pathOf(file))
		if err != nil {
			return nil, fmt.Errorf("code: %w", err)
		}
		out = append(out, CodeFile{file, sum})
	}
	return out, nil
}

// realFolder returns the folder of the declaration without links: where .. leads from there, for processes that run in it.
func (d *Declaration) realFolder() string {
	if real, err := filepath.EvalSymlinks(d.Folder); err == nil {
		return real
	}
	return d.Folder
}

// pathOf returns the path of a file of the code.
func (d *Declaration) pathOf(file string) string {
	return filepath.Join(d.realFolder(), filepath.FromSlash(file))
}

// FilePath returns the path of a file in the folder of the declaration.
func (d *Declaration) FilePath(file string) string {
	return filepath.Join(d.Folder, filepath.FromSlash(file))
}

// CodePaths returns the paths of the code, relative to the declaring file and with slashes, sorted.
func (d *Declaration) CodePaths() (paths []string, err error) {
	if d.Untracked() || d.VersionDecides() {
		return nil, nil
	}
	for _, pattern := range d.Code {
		matched, err := matchFiles(d.realFolder(), pattern)
		if err != nil {
			return nil, err
		}
		if len(matched) == 0 {
			return nil, fmt.Errorf("code: %q matches no file in %s", pattern, d.Folder)
		}
		paths = append(paths, matched...)
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// FilesNamed returns the files that words of a command name, sorted, with slashes, relative to the declaring file: as a word, as a part
// of one (sh -c ". $PWD/m.sh", --file=m.R), or as a module of Python (python3 -m m). Absolute paths count if they lead into the folder.
func (d *Declaration) FilesNamed(words []string) (paths []string) {
	add := func(name string) {
		if path := d.fileNamed(name); path != "" {
			paths = append(paths, path)
		}
	}
	for _, word := range words {
		for _, part := range append(strings.FieldsFunc(word, endsPath), word) {
			module := strings.ReplaceAll(part, ".", "/")
			add(module + ".py")
			add(module + "/__main__.py")
			for more := true; more; _, part, more = strings.Cut(part, "/") {
				add(part)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// fileNamed returns the path of the regular file that a process in the folder finds by a name; "" if there is none.
func (d *Declaration) fileNamed(name string) string {
	folder := d.realFolder()
	path, absolute := name, filepath.IsAbs(name)
	if !absolute {
		path = folder + string(filepath.Separator) + name // not cleaned: .. behind a link leads up from where that leads
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	relative, err := filepath.Rel(folder, path)
	if same, _ := filepath.EvalSymlinks(filepath.Join(folder, relative)); err != nil || same != real || absolute && !filepath.IsLocal(relative) {
		relative, err = filepath.Rel(folder, real)
	}
	info, statErr := os.Stat(real)
	if err != nil || statErr != nil || !info.Mode().IsRegular() || absolute && !filepath.IsLocal(relative) {
		return ""
	}
	return filepath.ToSlash(relative)
}

// endsPath reports whether a character separates a path from what stands beside it in a word, such as a line of shell.
func endsPath(r rune) bool { return strings.ContainsRune(" \t\n\"'`=:,;&|<>(){}[]$", r) }

// Untracked reports whether the method declares no code. Its results are then valid in one run only, because nothing tells when
// they become invalid.
func (d *Declaration) Untracked() bool { return len(d.Code) == 0 }

// VersionDecides reports whether only the version line decides whether results are still valid.
func (d *Declaration) VersionDecides() bool { return len(d.Code) == 1 && d.Code[0] == CodeNone }

// matchFiles returns the files below a folder that match a pattern; patterns without * name one file.
func matchFiles(folder, pattern string) (out []string, err error) {
	pattern = path.Clean(filepath.ToSlash(pattern))
	if !strings.ContainsAny(pattern, "*?[") {
		info, err := os.Stat(filepath.Join(folder, filepath.FromSlash(pattern)))
		if err != nil || info.IsDir() {
			return nil, nil
		}
		return []string{pattern}, nil
	}
	root := path.Dir(pattern[:strings.IndexAny(pattern, "*?[")] + "x") // the folder before the first wildcard
	err = filepath.WalkDir(filepath.Join(folder, filepath.FromSlash(root)), func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		relative, err := filepath.Rel(folder, file)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		if ok, err := matchPath(pattern, relative); err != nil || !ok {
			return err
		}
		out = append(out, relative)
		return nil
	})
	if os.IsNotExist(err) {
		return nil, nil
	}
	return out, err
}

// matchPath reports whether a path matches a pattern, in which ** matches any number of folders.
func matchPath(pattern, name string) (bool, error) {
	return matchParts(strings.Split(pattern, "/"), strings.Split(name, "/"))
}

func matchParts(pattern, name []string) (bool, error) {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			for skip := range len(name) + 1 {
				if ok, err := matchParts(pattern[1:], name[skip:]); ok || err != nil {
					return ok, err
				}
			}
			return false, nil
		}
		first := ""
		if len(name) > 0 {
			first = name[0]
		}
		ok, err := path.Match(pattern[0], first)
		if err != nil || !ok || len(name) == 0 {
			return false, err
		}
		pattern, name = pattern[1:], name[1:]
	}
	return len(name) == 0, nil
}

// CodeWatch checks whether the code of methods has changed since their declarations were read. Its methods can be called from
// several goroutines.
type CodeWatch struct {
	methods []*Declaration
	mu      sync.Mutex
	digests Digests
}

// WatchCode watches the code of the methods of a file.
func WatchCode(methods []*Declaration) *CodeWatch {
	return &CodeWatch{methods: methods}
}

// Unchanged returns an error that names a file of the code, or one that consent was given to, that changed, or is gone. It compares each file's size and time, and reads those
// that differ.
func (w *CodeWatch) Unchanged() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, d := range w.methods {
		for _, f := range slices.Concat(d.Known.Code, d.agreed) {
			sum, err := w.digests.Sum(d.pathOf(f.Path), HashFile)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return fmt.Errorf("method %s: code file %s is gone; what was computed since is not kept: run again", d.Name, f.Path)
			case err != nil:
				return fmt.Errorf("method %s: code: %w", d.Name, err)
			case sum != f.Sha256:
				return fmt.Errorf("method %s: code file %s changed while it was in use; what was computed since is not kept: run again", d.Name, f.Path)
			}
		}
	}
	return nil
}

// Digests remembers digests of files by their paths. The zero value is empty.
type Digests struct{ known map[string]digested }

// digested is a digest, and the state of the file from before it was computed.
type digested struct {
	size     int64
	modified time.Time
	sum      string
}

// settled is the age from which on an unchanged size and time mean unchanged content: writes in one tick of the file system's clock
// have the same time.
const settled = 2 * time.Second

// Sum returns the digest of a file, which it computes again only if the file's size or time changed.
func (c *Digests) Sum(file string, compute func(file string) (string, error)) (string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	if was, ok := c.known[file]; ok && was.size == info.Size() && was.modified.Equal(info.ModTime()) {
		return was.sum, nil
	}
	sum, err := compute(file)
	if err == nil && time.Since(info.ModTime()) > settled {
		if c.known == nil {
			c.known = map[string]digested{}
		}
		c.known[file] = digested{info.Size(), info.ModTime(), sum}
	}
	return sum, err
}

// HashFile returns the SHA-256 digest of a regular file.
func HashFile(file string) (string, error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() { // reading a pipe or a device might not end
		return "", fmt.Errorf("%s is no regular file", file)
	}
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
