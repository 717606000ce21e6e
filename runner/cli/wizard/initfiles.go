package wizard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tenfold/io/source"
	"tenfold/runner/cli/app"
	"tenfold/runner/draft/inspect"
)

// askArrays finds out the role of each of several arrays in a file.
func (w *wizard) askArrays(ctx context.Context) error {
	if w.Arrays == nil {
		return nil
	}
	all := w.Members()
	if w.Matrix = w.ask(ctx, "Which array has the columns?", w.Likely("columns", 2, 0), all); w.Array(w.Matrix) == nil {
		return fmt.Errorf("no array looks as if it had the columns: numbers, rows × columns (arrays: %s)", source.Abridge(all))
	}
	w.Measure(*w.Array(w.Matrix))
	if w.Format == inspect.MAT && w.Likely("targets", 1, w.Rows) == "" && w.Likely("targets", 1, w.Width()) != "" {
		w.SamplesInColumns = true
		w.Turn()
	}
	w.NameArray = w.Likely("names", 1, w.Width())
	if w.Labels != "" && w.Format == inspect.MAT {
		return errors.New("--labels: the targets of a MAT-file are one of its variables")
	}
	if w.Labels != "" {
		return nil
	}
	w.TargetArray = w.ask(ctx, "Which array has the targets?", cmp.Or(w.Likely("targets", 1, w.Rows), w.Likely("targets", 2, w.Rows)), all)
	if w.Array(w.TargetArray) == nil {
		if w.Format == inspect.MAT {
			return fmt.Errorf("no variable looks as if it had the targets of %d samples (variables: %s)", w.Rows, source.Abridge(all))
		}
		for _, a := range w.Arrays {
			if a.Refused != nil {
				return fmt.Errorf("no array that can be read looks as if it had the targets: %w", a.Refused)
			}
		}
		return fmt.Errorf("no array looks as if it had the targets (arrays: %s): name a file with --labels", source.Abridge(all))
	}
	if w.Format == inspect.NPZ {
		w.TestArrays = w.TestsOf(w.Matrix, w.TargetArray)
	}
	if err := w.askGroups(ctx); err != nil {
		return err
	}
	return w.TakeTargets(*w.Array(w.TargetArray))
}

// joinSamples gives the data the columns of a table of samples, if there is one.
func (w *wizard) joinSamples(ctx context.Context, found *inspect.Found) error {
	if w.join == "" && w.Labels != "" && (w.Format == inspect.MTX || found.Format == inspect.MTX || found.Format == inspect.GCT) {
		// A file of labels has one on a line; a table of samples has more.
		if table, err := inspect.Look(ctx, w.findData(w.Labels, w.folders), "", inspect.Asked{}); err == nil && len(table.Columns) > 1 {
			w.join, w.Labels = w.Labels, ""
		}
	}
	if w.join == "" {
		if why := found.Sideways(); why != "" && !w.isGiven("target") {
			return fmt.Errorf("%s: its rows seem to be features and its columns samples: %s. Name the table of samples with --join FILE; or, if rows are samples, the column to predict with --target", found.Path, why)
		}
		return nil
	}
	table, err := inspect.Look(ctx, w.findData(w.join, w.folders), "", inspect.Asked{})
	if err != nil {
		return err
	}
	return found.JoinTable(ctx, table)
}

// askGroups finds out which array has the groups of the rows, if they have no arrays of test rows beside them.
func (w *wizard) askGroups(ctx context.Context) error {
	likely := w.Likely("groups", 1, w.Rows)
	name := func(member string) string {
		if w.Format == inspect.NPZ {
			return "groups" // as folds know them
		}
		return member
	}
	if a := w.Unread("groups"); a != nil {
		w.Notef("guess    the groups in %s are not used: %v\n", a.Member, a.Refused)
	}
	found, err := w.Grouping(likely, name(likely))
	if err != nil || w.TestArrays[0] != "" || found == nil && !w.isGiven("group") {
		return err
	}
	w.Draft.Groups = w.flagOrAsk("group", w.Group, func() string {
		return strings.TrimPrefix(w.ask(ctx, "Do rows belong together, by an array such as of patients?", likely, append(w.Members(), noColumn)), noColumn)
	})
	if w.Draft.Groups == "" {
		return nil
	}
	if file := w.Draft.Groups + ".npy"; w.Array(w.Draft.Groups) == nil && w.Array(file) != nil {
		w.Draft.Groups = file
	}
	if w.Queries, err = w.Grouping(w.Draft.Groups, name(w.Draft.Groups)); w.Queries == nil && err == nil {
		err = fmt.Errorf("--group %s: expected an array of %d whole numbers or texts, some of which are equal (arrays: %s)", w.Draft.Groups, w.Rows, source.Abridge(w.Members()))
	}
	if err == nil {
		w.Group = w.Queries.Name
	}
	return err
}

// askAcross decides, by the number of labels, which dimension of a Matrix Market file has the samples.
func (w *wizard) askAcross() {
	if w.Format == inspect.MTX && w.Draft.Found.Labels.Rows != w.Rows && w.Draft.Found.Labels.Rows == w.Width() {
		w.SamplesInColumns = true
		w.Turn()
	}
}

// besideData returns the path of a file beside the data, relative or absolute as the data's path is.
func (w *wizard) besideData(path string) string {
	if path == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(w.given), filepath.Base(path))
}

// askListed finds out whether the attributes in a Mulan list are the targets.
func (w *wizard) askListed(ctx context.Context) (err error) {
	switch {
	case w.Format != inspect.ARFF:
		return nil
	case w.Labels == "" && w.Beside != "":
		beside := w.besideData(w.Beside)
		if w.isGiven("target") && !slices.Contains(w.Listed, w.Target) ||
			w.ask(ctx, fmt.Sprintf("Are the %s that %s lists to be predicted?", app.Pluralize(len(w.Listed), "label"), beside), "yes", []string{"yes", "no"}) == "no" {
			return nil
		}
		w.Labels = beside
	case w.Labels == noColumn || w.Labels == "":
		w.Labels = ""
	default:
		w.Listed, err = w.ReadListed(w.findData(w.Labels, w.folders))
	}
	return err
}
