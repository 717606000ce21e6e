package results

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"
	"strconv"

	"tenfold/io/files"
)

// PlanFile is the frozen plan, as JSON whose first entry is a checksum of the text without it.
const PlanFile = "plan.json"

// largestPlan is the maximum size of a plan, in bytes: some millions of fits.
const largestPlan = 1 << 31

const (
	planOpen  = "{\n"
	planSum   = planOpen + " \"checksum\": \"crc32c:"
	planClose = "\",\n"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// WritePlan stores a plan in a run's folder atomically. text is an object as json.MarshalIndent writes it.
func WritePlan(dir string, text []byte) error {
	rest, ok := bytes.CutPrefix(text, []byte(planOpen))
	if !ok {
		return errors.New("a plan that is no object with a line for each entry")
	}
	return files.Root(dir).Replace(PlanFile, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s%08x%s%s", planSum, crc32.Checksum(text, castagnoli), planClose, rest)
		return err
	})
}

// ReadPlan returns the text of the plan in a run's folder, without its checksum, which it must match. The error is fs.ErrNotExist if
// there is none.
func ReadPlan(dir string) (text []byte, err error) {
	b, err := files.Root(dir).ReadFile(PlanFile, largestPlan)
	if err != nil {
		return nil, err
	}
	const digits = 8
	rest, sealed := bytes.CutPrefix(b, []byte(planSum))
	if !sealed {
		return nil, fmt.Errorf("%s: damaged: it has no checksum; tenfold run writes it anew, and fits nothing again", filepath.Join(dir, PlanFile))
	}
	wrong := fmt.Errorf("%s: damaged: it does not match its checksum; tenfold run writes it anew, and fits nothing again", filepath.Join(dir, PlanFile))
	if len(rest) < digits+len(planClose) || string(rest[digits:][:len(planClose)]) != planClose {
		return nil, wrong
	}
	sum, err := strconv.ParseUint(string(rest[:digits]), 16, 32)
	text = b[len(b)-len(rest)+digits+len(planClose)-len(planOpen):]
	copy(text, planOpen)
	if err != nil || crc32.Checksum(text, castagnoli) != uint32(sum) {
		return nil, wrong
	}
	return text, nil
}
