// Package docs_test holds the laws of the house, and the documents, to the code.
package docs_test

import (
	"fmt"
	"os"
	"testing"
)

// TestMain works in the root of the repository, from which documents name files.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
