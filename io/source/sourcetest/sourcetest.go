// Package sourcetest gives readers their files from memory, in tests.
package sourcetest

import (
	"fmt"

	"tenfold/io/source"
)

type files map[string]string

// Input hands out contents by role. The name of a file in messages is its role.
func Input(contents map[string]string) source.Input { return files(contents) }

func (f files) Has(role string) bool { _, ok := f[role]; return ok }

func (f files) Bytes(role string) ([]byte, string, error) {
	content, ok := f[role]
	if !ok {
		return nil, role, fmt.Errorf("no file was given for the role %s", role)
	}
	return []byte(content), role, nil
}
