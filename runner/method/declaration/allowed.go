package declaration

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tenfold/io/files"
	"tenfold/io/sanitize"
)

// Allowed holds what a user has allowed to run, from a file of the user's, never of a project, with a folder or the digest of a consent
// per line.
type Allowed struct {
	Path string
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
	a := Allowed{Path: path}
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
		if line != "" && !filepath.IsAbs(line) && !IsDigest(line) {
			return a, fmt.Errorf("%s:%d: %q, expected a folder from the root or the digest of a declaration", path, n, line)
		}
		if line != "" {
			a.list = append(a.list, line)
		}
	}
	return a, nil
}

// IsDigest reports whether a text is a digest of a consent or a declaration.
func IsDigest(text string) bool {
	return len(text) == 32 && strings.Trim(text, "0123456789abcdef") == ""
}

// Program is something that a user is asked to allow: a declaration of an experiment file, or a model file that contains one.
type Program interface {
	Declared() *Declaration
	InFolder() bool // whether a line for the declaration's folder covers it
	Digest() string // of what would run, whatever its code holds
	Consent(excluded ...string) (Consent, error)
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

// Allows reports whether the user has said yes to this very consent.
func (a Allowed) Allows(c Consent) bool { return slices.Contains(a.list, c.Digest()) }

// Line returns the line that allows a program, of which c is the consent: its folder, if that tells who wrote it, or else the digest.
func (a Allowed) Line(p Program, c Consent) string {
	if !p.InFolder() {
		return c.Digest()
	}
	if real, err := filepath.EvalSymlinks(c.Folder); err == nil {
		return real
	}
	return c.Folder
}

// record returns the path of what is kept of the last yes to a method, beside the file of consent.
func (a Allowed) record(c Consent) string {
	b, err := json.Marshal([]string{c.Folder, c.File, c.Method})
	if err != nil { // texts always encode
		panic(err)
	}
	sum := sha256.Sum256(b)
	return filepath.Join(filepath.Dir(a.Path), "consents", hex.EncodeToString(sum[:16])+".json")
}

// maxRecord limits the size of a record, in bytes: a path and a digest for each file of a large folder.
const maxRecord = 8 << 20

// Last returns what the user last said yes to of the same method; nil if that is not known, damaged, or no longer allowed.
func (a Allowed) Last(c Consent) *Consent {
	content, err := files.ReadRegular(a.record(c), maxRecord)
	var last Consent
	if err != nil || json.Unmarshal(content, &last) != nil || !a.Allows(last) {
		return nil
	}
	return &last
}

// Remember adds what the user said yes to to the file of consent, and keeps it, so that a later question can say what changed.
func (a Allowed) Remember(all []Consent) error {
	if err := os.MkdirAll(filepath.Dir(a.Path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(a.Path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	for _, c := range all {
		if _, err = fmt.Fprintf(f, "%s  # %s\n", c.Digest(), sanitize.Line(c.Method+": "+strings.Join(c.Command, " "))); err != nil {
			break
		}
		if err = files.Replace(a.record(c), func(w io.Writer) error { return json.NewEncoder(w).Encode(c) }); err != nil {
			break
		}
	}
	return errors.Join(err, f.Close())
}

// Agreed holds what a user has agreed to run.
type Agreed struct {
	Programs []Program
	Own      []string            // folders of tenfold itself: see Declaration.Consent
	Consents map[string]*Consent // by Program.Digest; nil if the code may hold anything
}

// Check returns an error if one of the programs is not, or no longer, what was agreed to. From then on, CodeWatch watches the files that
// were agreed to.
func (a *Agreed) Check() error {
	for _, p := range a.Programs {
		d := p.Declared()
		agreed, ok := a.Consents[p.Digest()]
		if !ok {
			return fmt.Errorf("%s: method %s is declared otherwise than a moment ago, when it was asked whether it may run: run again", d.File, d.Name)
		}
		if agreed == nil {
			continue
		}
		now, err := p.Consent(a.Own...)
		if err != nil {
			return err
		}
		if changes := now.Changes(*agreed); len(changes) > 0 {
			return fmt.Errorf("method %s: %s since it was asked whether it may run: run again", d.Name, sanitize.Line(changes[0]))
		}
		if !d.Untracked() { // such a method may write into its folder
			d.agreed = now.Files
		}
	}
	return nil
}
