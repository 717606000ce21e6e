// Package sourcetest gives readers their files from memory, in tests.
package sourcetest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/io/files"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

type inMemory map[string]string

// Input returns contents by role. The name of a file in messages is its role. A content called "role/name" is the file of that name
// in the folder or archive of the role.
func Input(contents map[string]string) source.Input { return inMemory(contents) }

func (f inMemory) Has(role string) bool {
	_, ok := f[role]
	return ok || len(f.below(role)) > 0
}

func (f inMemory) Bytes(role string) ([]byte, string, error) {
	content, ok := f[role]
	if !ok {
		return nil, role, fmt.Errorf("no file was given for the role %s", role)
	}
	return []byte(content), role, nil
}

func (f inMemory) Members(role string, do func(name string, content []byte) error) error {
	if content, ok := f[role]; ok {
		if err := do(role, []byte(content)); err != nil {
			return rawtext.Named(role, err)
		}
		return nil
	}
	names := f.below(role)
	if len(names) == 0 {
		return fmt.Errorf("no file was given for the role %s", role)
	}
	for _, name := range names {
		if err := do(name, []byte(f[role+"/"+name])); err != nil {
			return rawtext.Named(role+":"+name, err)
		}
	}
	return nil
}

// below returns the names of the files of a role, in order.
func (f inMemory) below(role string) []string {
	var names []string
	for key := range f {
		if folder, name, ok := strings.Cut(key, "/"); ok && folder == role {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Open finds files and folders by role in the data folder that the environment variable TENFOLD_DATA names. It skips the test if
// they are missing.
func Open(tb testing.TB, paths map[string]string) *files.Set {
	tb.Helper()
	folder := os.Getenv("TENFOLD_DATA")
	if folder == "" {
		tb.Skip("TENFOLD_DATA names no data folder")
	}
	refs := map[string]files.Ref{}
	for role, path := range paths {
		if _, err := os.Stat(filepath.Join(folder, filepath.FromSlash(path))); err != nil {
			tb.Skip(err)
		}
		refs[role] = files.Ref{Path: path}
	}
	in, err := files.Open(refs, files.Folders{Data: []string{folder}}, "")
	if err != nil {
		tb.Fatal(err)
	}
	return in
}

// File returns the unpacked content of a file in that folder.
func File(tb testing.TB, path string) string {
	tb.Helper()
	content, _, err := Open(tb, map[string]string{"all": path}).Bytes("all")
	if err != nil {
		tb.Fatal(err)
	}
	return string(content)
}
