package main

import (
	"bytes"
	"strings"
	"testing"
)

// What a message quotes of a file is cut, and neither a name of a file nor one in an archive begins a line of what is printed.
func TestMessagesOfAnything(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	long := strings.Repeat("x", 100_000)
	put(t, "long.csv", "y,a\n1,"+long+"\n2,3\n")
	put(t, "name.csv", "y,a\n1,2\n2,b\n")
	for name, c := range map[string]struct{ file, engine, want string }{
		"a cell":             {"long.csv", "ridge", `long.csv:2:3: column "a": found "xxxxx`},
		"an engine":          {"name.csv", long, `unknown engine "xxxxx`},
		"a file that is not": {`"a\n::error::forged"`, "ridge", `looked for a\n::error::forged`},
	} {
		put(t, "spec.yaml", "tenfold: 1\nname: x\ndatasets:\n  - {name: d, format: csv, files: {all: "+c.file+"}, target: y}\nalgorithms:\n  - {name: r, engine: "+c.engine+"}\n")
		var out, errs bytes.Buffer
		code := run(t.Context(), &out, &errs, []string{"validate", "spec.yaml"})
		if said := errs.String(); code != 2 || len(said) > 2000 || strings.Contains(said, "\n::error") || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit %d, %d bytes: %.500s", name, code, len(said), said)
		}
	}
}
