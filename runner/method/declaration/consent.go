package declaration

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tenfold/io/files"
)

// Consent holds what a user is asked to allow: all that a method would run, with the content of its code.
type Consent struct {
	Method    string     `json:"method"` // its name, which is no part of the digest
	File      string     `json:"file"`   // name of the declaring file, likewise; "" if a model file holds the declaration
	Folder    string     `json:"folder"`
	Command   []string   `json:"command"`
	Version   []string   `json:"version,omitempty"`
	Container Container  `json:"container,omitzero"`
	Env       []string   `json:"env,omitempty"`
	Sandbox   bool       `json:"sandbox,omitempty"`
	Code      []string   `json:"code,omitempty"`  // patterns
	Files     []CodeFile `json:"files,omitempty"` // that they match, and that the words of command and version name; without patterns, all of the folder
	Model     string     `json:"model,omitempty"` // digest of a model file's model, which may be a program, too
}

// Digest returns the digest of all but the names of the method and its file: the same program under another name is the same.
func (c Consent) Digest() string {
	c.Method, c.File = "", ""
	b, err := json.Marshal(c)
	if err != nil { // texts always encode
		panic(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// Outline returns the consent to a declaration whatever its code holds.
func (d *Declaration) Outline() Consent {
	file := ""
	if d.File != "" {
		file = filepath.Base(d.File)
	}
	return Consent{
		Method: d.Name, File: file, Folder: d.Folder, Command: d.Command, Version: d.Version, Container: d.Container, Env: d.Env,
		Sandbox: d.Sandbox, Code: d.Code,
	}
}

// Digest returns the digest of what a declaration says that it runs: folder, command, version, container, environment, patterns of
// code. It does not depend on the content of the code.
func (d *Declaration) Digest() string { return d.Outline().Digest() }

// Consent returns what a user is asked to allow. excluded are folders of tenfold itself, the cache and the user's settings, which do not
// count as content of a folder that they lie in. A file that cannot be read is an error, and so is a declaration without code in a
// folder of too many files.
func (d *Declaration) Consent(excluded ...string) (c Consent, err error) {
	c = d.Outline()
	code, err := d.CodePaths()
	if err == nil {
		code = append(code, d.FilesNamed(slices.Concat(d.Command, d.Version))...)
		slices.Sort(code)
		c.Files, err = d.hashFiles(slices.Compact(code))
	}
	if err == nil && d.Untracked() {
		var all []CodeFile
		all, err = d.folderFiles(excluded)
		c.Files = slices.Compact(slices.SortedFunc(slices.Values(append(c.Files, all...)), func(a, b CodeFile) int { return strings.Compare(a.Path, b.Path) }))
	}
	if err != nil {
		return c, fmt.Errorf("method %s: %w", d.Name, err)
	}
	return c, nil
}

// Exposure is what a method gets at beyond its own folder and a small environment, which consent to all methods does not cover.
type Exposure struct {
	Secrets []string // variables of the environment whose names are those of secrets
	Outside []string // files of the code that lie outside of the folder of the declaration
}

// Any reports whether the method gets at anything that consent to all methods does not cover.
func (e Exposure) Any() bool { return len(e.Secrets)+len(e.Outside) > 0 }

// secretWords occur in the names of variables that hold secrets.
var secretWords = []string{"KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"}

// IsSecret reports whether a variable of the environment holds a secret, by its name.
func IsSecret(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(name, word) })
}

// Exposure returns what the method gets at. The program that a command begins with may lie anywhere, as those in PATH do.
func (d *Declaration) Exposure() (e Exposure, err error) {
	for _, name := range d.Env {
		if IsSecret(name) {
			e.Secrets = append(e.Secrets, name)
		}
	}
	code, err := d.CodePaths()
	if err != nil {
		return e, fmt.Errorf("method %s: %w", d.Name, err)
	}
	for _, words := range [][]string{d.Command, d.Version} {
		if len(words) > 0 {
			code = append(code, d.FilesNamed(words[1:])...)
		}
	}
	slices.Sort(code)
	for _, file := range slices.Compact(code) {
		if _, ok := files.Below(d.Folder, d.pathOf(file)); !ok {
			e.Outside = append(e.Outside, file)
		}
	}
	return e, nil
}

// Changes says what differs from an earlier consent to the same method.
func (c Consent) Changes(was Consent) (out []string) {
	words := func(name string, was, is []string) {
		if !slices.Equal(was, is) {
			out = append(out, fmt.Sprintf("%s is %q, was %q", name, strings.Join(is, " "), strings.Join(was, " ")))
		}
	}
	words("command", was.Command, c.Command)
	words("version", was.Version, c.Version)
	words("env", was.Env, c.Env)
	words("code", was.Code, c.Code)
	if c.Container != was.Container {
		out = append(out, "the container is another")
	}
	if c.Sandbox != was.Sandbox {
		out = append(out, fmt.Sprintf("sandbox is %t, was %t", c.Sandbox, was.Sandbox))
	}
	if c.Model != was.Model {
		out = append(out, "the model is another")
	}
	return append(out, codeChanges(was.Files, c.Files)...)
}
