package method

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// ReadAllowed reads a file of consent, which need not exist.
func ReadAllowed(path string) (Allowed, error) {
	a := Allowed{path: path}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil
	} else if err != nil {
		return a, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
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
	return a, lines.Err()
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

// Allows reports whether the program is allowed: by its digest, or by its folder or one above, if the folder tells who wrote it.
func (a Allowed) Allows(p Program) bool {
	folder, err := filepath.EvalSymlinks(p.Declared().Folder)
	if err != nil {
		folder = p.Declared().Folder
	}
	return slices.ContainsFunc(a.list, func(entry string) bool {
		if entry == p.Consent() {
			return true
		}
		below, err := filepath.Rel(entry, folder)
		return p.InFolder() && filepath.IsAbs(entry) && err == nil && below != ".." && !strings.HasPrefix(below, ".."+string(filepath.Separator))
	})
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
