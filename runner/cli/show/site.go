package show

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/io/files"
	"tenfold/reports"
	"tenfold/reports/gallery"
	"tenfold/runner/cli/app"
	"tenfold/runner/plan"
)

// SiteCommand returns the command site.
func SiteCommand(a *app.App) *cobra.Command {
	var out, title string
	cmd := &cobra.Command{
		Use: "site [RUN...]", Short: "Write a static site of runs: a page that shows them, and the report of each", Args: app.CheckArguments(cobra.ArbitraryArgs),
		Long: "Renders the reports of runs, by default all in " + app.RunsFolder + "/, into a folder that any server of files can serve: an index with a card for\n" +
			"each run, and below it its report, which is one file, and its experiment file.",
		Example: "  tenfold site --out public",
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				return app.Invalid(errors.New("--out is missing: the folder of the site"))
			}
			if err := app.CheckFolders(args); err != nil {
				return err
			}
			if len(args) == 0 {
				if args = app.RunsHere(); len(args) == 0 {
					return app.Invalid(errors.New("no runs in " + app.RunsFolder + "/: name the folders of runs"))
				}
			}
			return writeSite(a, args, out, title)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "folder of the site; files of its names there are replaced, others stay")
	cmd.Flags().StringVar(&title, "title", "Experiments", "of the page of all runs")
	return cmd
}

func writeSite(a *app.App, dirs []string, out, title string) error {
	var shown []gallery.Run
	for _, dir := range dirs {
		r, err := galleryRun(a, dir)
		if err != nil {
			return err
		}
		shown = append(shown, r)
	}
	folders, err := gallery.Write(out, title, shown)
	if err != nil {
		return app.Invalid(err)
	}
	for k, folder := range folders {
		a.Printf("%s from %s\n", filepath.Join(out, filepath.FromSlash(folder), "index.html"), dirs[k])
	}
	a.Printf("%s\n", filepath.Join(out, "index.html"))
	return nil
}

// maxReport bounds the size of a report's page, in bytes.
const maxReport = 1 << 28

// galleryRun renders the report of a run anew, since a folder may be anybody's, and returns what the page of all shows of it.
func galleryRun(a *app.App, dir string) (r gallery.Run, err error) {
	frozen, err := a.ReadPlan(dir)
	if err != nil {
		return r, err
	}
	if _, err := RenderReport(a, dir, frozen); err != nil {
		return r, err
	}
	r = gallery.Run{
		Name: frozen.Name, Title: frozen.Title, About: firstSentence(frozen.Experiment), Fits: frozen.UnitCount, Spec: []byte(frozen.Experiment),
		Datasets: len(distinct(frozen.Cells, func(c *plan.FrozenCell) string { return c.Dataset })), Algorithms: len(distinct(frozen.Cells, func(c *plan.FrozenCell) string { return c.Algorithm })),
	}
	if r.Title == "" {
		r.Title = r.Name
	}
	err = WithResults(dir, frozen, func(_ reports.Sections, in reports.Input) error {
		good := 0
		for i := range in.Rows {
			if in.Rows[i].Status == "ok" {
				good++
			}
		}
		r.Digest, r.Lacking = in.Digest, max(frozen.UnitCount-good, 0)
		return nil
	})
	if err != nil {
		return r, app.Invalid(err)
	}
	in := files.Root(dir)
	if r.Page, err = in.ReadFile("report.html", maxReport); err != nil {
		return r, app.Invalid(err)
	}
	entries, err := in.ReadDir("figures")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r, app.Invalid(err)
	}
	for _, e := range entries { // in order of name
		if path.Ext(e.Name()) == ".svg" {
			r.Figure, err = in.ReadFile("figures/"+e.Name(), maxReport)
			return r, app.Invalid(err)
		}
	}
	return r, nil
}

// distinct returns the different values of cells, in their order.
func distinct(cells []plan.FrozenCell, value func(*plan.FrozenCell) string) (out []string) {
	for i := range cells {
		if v := value(&cells[i]); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// firstSentence returns the first sentence of the comment at the head of an experiment file; "" if there is none.
func firstSentence(text string) string {
	var words []string
	for line := range strings.Lines(text) {
		comment, is := strings.CutPrefix(line, "#")
		if !is {
			break
		}
		for _, word := range strings.Fields(comment) {
			if words = append(words, word); strings.ContainsAny(word[len(word)-1:], ".?!") {
				return strings.Join(words, " ")
			}
		}
	}
	return strings.Join(words, " ")
}
