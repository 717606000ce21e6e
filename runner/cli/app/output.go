package app

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

// EscapeNames makes the streams show what would command a terminal, wherever they lead. Only what programs read, JSON and CSV, passes
// as it is, unless a terminal shows it.
func (a *App) EscapeNames() (out *errorKeepingWriter) {
	terminal := IsTerminal(a.Out)
	out = &errorKeepingWriter{Writer: a.Out}
	a.Out, a.Raw = sanitize.Writer(out), out
	if terminal {
		a.Raw = a.Out
	}
	a.Errs, a.Live = sanitize.Writer(a.Errs), a.Errs
	return out
}

// Printf prints results.
func (a *App) Printf(format string, args ...any) (int, error) {
	return sanitize.Fprintf(a.Out, format, args...)
}

// Notef prints everything else.
func (a *App) Notef(format string, args ...any) { sanitize.Fprintf(a.Errs, format, args...) }

// PrintText prints results of several lines whose names are escaped.
func (a *App) PrintText(text string) error {
	_, err := io.WriteString(a.Out, text)
	return err
}

// WriteCells writes a line of a table, to a tabwriter.
func WriteCells(w io.Writer, cells ...string) {
	for i, c := range cells {
		if i > 0 {
			io.WriteString(w, "\t")
		}
		io.WriteString(w, sanitize.Line(c))
	}
	io.WriteString(w, "\n")
}

// AddRawFlag adds --raw to commands that print CSV.
func AddRawFlag(cmd *cobra.Command, raw *bool) {
	cmd.Flags().BoolVar(raw, "raw", false, "CSV for programs: no apostrophe before texts that a spreadsheet would take for formulas")
}

// RawFormat returns the format that --raw makes of one; an error if that is not CSV.
func RawFormat(format string, raw bool) (string, error) {
	switch {
	case !raw:
		return format, nil
	case format != AsCSV:
		return "", Invalid(fmt.Errorf("--raw is for CSV, and the format is %s", format))
	}
	return reports.RawCSV, nil
}

// Output returns where results of a format go.
func (a *App) Output(format string) io.Writer {
	if slices.Contains([]string{AsJSON, AsCSV, AsTSV, reports.RawCSV}, format) {
		return a.Raw
	}
	return a.Out
}

// Pluralize formats n with its noun: "1 fit", "2 fits".
func Pluralize(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Abridge joins at most the first six names, and counts the others.
func Abridge(names []string) string {
	if len(names) > 6 {
		return strings.Join(names[:6], ", ") + fmt.Sprintf(", and %d more", len(names)-6)
	}
	return strings.Join(names, ", ")
}
