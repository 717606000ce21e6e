package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/io/sanitize"
	"tenfold/reports"
)

// Names come from data, files and servers of others. What commands print is either composed by printf, notef or writeCells, which keep
// each name on its line, or is text that was composed so elsewhere (printText). The streams escape the rest.

// escapeNames makes the streams show what would command a terminal, wherever they lead. Only what programs read, JSON and CSV, passes
// as it is, unless a terminal shows it.
func (a *App) escapeNames() (out *errorKeepingWriter) {
	terminal := isTerminal(a.Out)
	out = &errorKeepingWriter{Writer: a.Out}
	a.Out, a.data = sanitize.Writer(out), out
	if terminal {
		a.data = a.Out
	}
	a.Errs, a.live = sanitize.Writer(a.Errs), a.Errs
	return out
}

// printf prints results.
func (a *App) printf(format string, args ...any) (int, error) {
	return sanitize.Fprintf(a.Out, format, args...)
}

// notef prints everything else.
func (a *App) notef(format string, args ...any) { sanitize.Fprintf(a.Errs, format, args...) }

// printText prints results of several lines whose names are escaped.
func (a *App) printText(text string) error {
	_, err := io.WriteString(a.Out, text)
	return err
}

// writeCells writes a line of a table, to a tabwriter.
func writeCells(w io.Writer, cells ...string) {
	for i, c := range cells {
		if i > 0 {
			io.WriteString(w, "\t")
		}
		io.WriteString(w, sanitize.Line(c))
	}
	io.WriteString(w, "\n")
}

// addRawFlag adds --raw to commands that print CSV.
func addRawFlag(cmd *cobra.Command, raw *bool) {
	cmd.Flags().BoolVar(raw, "raw", false, "CSV for programs: no apostrophe before texts that a spreadsheet would take for formulas")
}

// rawFormat returns the format that --raw makes of one; an error if that is not CSV.
func rawFormat(format string, raw bool) (string, error) {
	switch {
	case !raw:
		return format, nil
	case format != asCSV:
		return "", invalidInput(fmt.Errorf("--raw is for CSV, and the format is %s", format))
	}
	return reports.RawCSV, nil
}

// output returns where results of a format go.
func (a *App) output(format string) io.Writer {
	if slices.Contains([]string{asJSON, asCSV, reports.RawCSV}, format) {
		return a.data
	}
	return a.Out
}

// pluralize formats n with its noun: "1 fit", "2 fits".
func pluralize(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func abridge(names []string) string {
	if len(names) > 6 {
		return strings.Join(names[:6], ", ") + fmt.Sprintf(", and %d more", len(names)-6)
	}
	return strings.Join(names, ", ")
}
