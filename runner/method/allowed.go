package method

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tenfold/io/files"
)

// Allowed holds the declarations that a user has allowed to run, from a file of the user's, never of a project, with a folder or a
// digest per line.
type Allowed struct {
	path string
	list []string
}

// AllowedFile returns the path of the user's consent: the file methods in the folder tenfold of the user's settings.
func AllowedFile() (string, error) {
	folder, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, "tenfold", "methods"), nil
}

// maxAllowed limits the size of a file of consent, in bytes.
const maxAllowed = 16 << 20

// ReadAllowed reads a file of consent, which need not exist.
func ReadAllowed(path string) (Allowed, error) {
	a := Allowed{path: path}
	content, err := files.ReadRegular(path, maxAllowed)
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil
	} else if err != nil {
		return a, err
	}
	n := 0
	for line := range strings.Lines(string(content)) {
		n++
		line = strings.TrimSpace(line)
		if first, _, _ := strings.Cut(line, "#"); !filepath.IsAbs(line) { // names of folders may contain #
			line = strings.TrimSpace(first)
		}
		if line != "" && !filepath.IsAbs(line) && !isDigest(line) {
			return a, fmt.Errorf("%s:%d: %q, expected a folder from the root or the digest of a declaration", path, n, line)
		}
		if line != "" {
			a.list = append(a.list, line)
		}
	}
	return a, nil
}

func isDigest(text string) bool {
	return len(text) == 32 && strings.Trim(text, "0123456789abcdef") == ""
}

// Program is something that a user is asked to allow: a declaration of an experiment file, or a model file that contains one.
type Program interface {
	Consent() string // digest of what would run
	Declared() *Declaration
	InFolder() bool // whether consent to the declaration's folder covers it
}

// Declared returns the declaration itself.
func (d *Declaration) Declared() *Declaration { return d }

// InFolder reports whether the folder is known to be that of the file that declares the method.
func (d *Declaration) InFolder() bool { return !d.Stored }

// AllowsFolder reports whether a line allows the folder, or one above.
func (a Allowed) AllowsFolder(folder string) bool {
	return slices.ContainsFunc(a.list, func(line string) bool {
		_, ok := files.Below(line, folder)
		return ok && filepath.IsAbs(line)
	})
}

// Allows reports whether the program is allowed: by its digest, or by its folder or one above, if the folder tells who wrote it.
func (a Allowed) Allows(p Program) bool {
	return slices.Contains(a.list, p.Consent()) || p.InFolder() && a.AllowsFolder(p.Declared().Folder)
}

// Remember adds the programs to the file of consent.
func (a Allowed) Remember(programs []Program) error {
	if err := os.MkdirAll(filepath.Dir(a.path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(a.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	for _, p := range programs {
		d := p.Declared()
		if _, err := fmt.Fprintf(f, "%s  # %s: %s\n", p.Consent(), d.Name, strings.ReplaceAll(strings.Join(d.Command, " "), "\n", " ")); err != nil {
			f.Close()
			return err
		}
	}
	return f.Close()
}
