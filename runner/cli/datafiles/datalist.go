package datafiles

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"tenfold/io/fetch"
	"tenfold/io/files"
	"tenfold/runner/cli/app"
	"tenfold/runner/progress"
)

// printDataTable prints a line for each data file, and sums up what is missing.
func printDataTable(a *app.App, named []*dataFile) error {
	t := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', 0)
	app.WriteCells(t, "file", "size", "checksum", "licence", "found at", "url")
	missing, can, bytes := 0, 0, int64(0)
	counted := map[string]bool{} // by path: members of one archive are listed separately
	for _, f := range named {
		size := "–"
		if f.err == nil {
			size = progress.Bytes(f.Size)
			if !counted[f.Status.Path] {
				counted[f.Status.Path], bytes = true, bytes+f.Size
			}
		} else {
			missing++
			if len(f.urls) > 0 && fetch.Allowed(f.Ref.Path) == nil {
				can++
			}
		}
		app.WriteCells(t, f.displayName(), size, f.state(), orDash(f.Licence), orDash(f.Status.Path), orDash(strings.Join(f.urls, " ")))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	a.Printf("%s: %d here (%s), %d missing", app.Pluralize(len(named), "file"), len(named)-missing, progress.Bytes(bytes), missing)
	if can > 0 {
		a.Printf(", of which tenfold data fetch can download %d", can)
	}
	a.Printf("\n")
	var faults []error
	for _, f := range named {
		switch err := fmt.Errorf("%s: %w", f.displayName(), f.err); {
		case f.err == nil || f.missing():
		case files.Fault(err):
			faults = append(faults, err)
		default:
			a.Warn(err)
		}
	}
	return errors.Join(faults...)
}

func orDash(s string) string { return cmp.Or(s, "–") }

// dataFileJSON is a line of data list --format json.
type dataFileJSON struct {
	Path     string   `json:"path"`
	Member   string   `json:"member,omitempty"`
	At       string   `json:"at,omitempty"` // "" if it is missing
	Size     int64    `json:"size"`
	Checksum string   `json:"checksum"` // missing, right, wrong, not known, none
	SHA256   string   `json:"sha256,omitempty"`
	Digest   string   `json:"digest,omitempty"` // of the file found, if known
	Licence  string   `json:"licence,omitempty"`
	URLs     []string `json:"urls,omitempty"`
	UsedBy   []string `json:"used_by"`
}

func printDataJSON(a *app.App, named []*dataFile) error {
	e := json.NewEncoder(a.Raw)
	e.SetEscapeHTML(false)
	for _, f := range named {
		one := dataFileJSON{f.Ref.Path, f.Member, f.Status.Path, f.Size, f.state(), f.SHA256, f.Digest, f.Licence, f.urls, f.usedBy}
		if err := e.Encode(one); err != nil {
			return err
		}
	}
	return nil
}

// verifyData reads every file and compares checksums.
func verifyData(ctx context.Context, a *app.App, named []*dataFile, cache string) error {
	bad := 0
	var faults []error
	for _, f := range named {
		if err := ctx.Err(); err != nil {
			return err
		}
		digest, err := "", f.err
		if err == nil {
			digest, err = files.Check(f.Ref, f.folders, cache)
		}
		if files.Fault(err) {
			faults = append(faults, fmt.Errorf("%s: %w", f.displayName(), err))
		}
		switch {
		case f.missing():
			bad++
			a.Printf("missing    %s\n", f.displayName())
		case err != nil:
			bad++
			a.Printf("wrong      %s: %s (%s)\n", f.displayName(), app.UserMessage(err), strings.Join(f.usedBy, ", "))
		case f.SHA256 == "":
			a.Printf("unchecked  %s: the experiment names no checksum; it is sha256: %s\n", f.displayName(), digest)
		default:
			a.Printf("right      %s\n", f.displayName())
		}
	}
	if bad > 0 {
		faults = append(faults, app.Invalid(fmt.Errorf("data files missing or wrong: %d of %d", bad, len(named))))
	}
	return errors.Join(faults...)
}
