package gate

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"gopkg.in/yaml.v3"
)

// Write writes the file in a fixed order, with numbers in the shortest form that reads back exactly: equal
// baselines are equal files.
func (b *Baseline) Write(w io.Writer) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "# What tenfold check compares the results of the experiment %s with, written by tenfold accept.\n"+
		"# By hand, and kept: tolerance: {relative: 0.02} or {absolute: 0.1} of a metric below, in place of the gate's margin;\n"+
		"# expected_failure: \"the reason\" of an algorithm or a metric that need not pass.\n", strconv.Quote(b.Experiment))
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(b); err != nil {
		return fmt.Errorf("baseline of %s: %w", b.Experiment, err)
	}
	_, err := w.Write(out.Bytes())
	return err
}
