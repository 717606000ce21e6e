// Package sourcetest gives readers their files from memory, in tests.
package sourcetest

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/io/source"
)

type files map[string]string

// Input hands out contents by role. The name of a file in messages is its role. A content called "role/name" is the file
// of that name in the folder or archive of the role.
func Input(contents map[string]string) source.Input { return files(contents) }

func (f files) Has(role string) bool {
	_, ok := f[role]
	return ok || len(f.below(role)) > 0
}

func (f files) Bytes(role string) ([]byte, string, error) {
	content, ok := f[role]
	if !ok {
		return nil, role, fmt.Errorf("no file was given for the role %s", role)
	}
	return []byte(content), role, nil
}

func (f files) Members(role string, do func(name string, content []byte) error) error {
	if content, ok := f[role]; ok {
		if err := do(role, []byte(content)); err != nil {
			return fmt.Errorf("%s: %w", role, err)
		}
		return nil
	}
	names := f.below(role)
	if len(names) == 0 {
		return fmt.Errorf("no file was given for the role %s", role)
	}
	for _, name := range names {
		if err := do(name, []byte(f[role+"/"+name])); err != nil {
			return fmt.Errorf("%s:%s: %w", role, name, err)
		}
	}
	return nil
}

// below is the names of the files of a role, in order.
func (f files) below(role string) []string {
	var names []string
	for key := range f {
		if of, name, ok := strings.Cut(key, "/"); ok && of == role {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
