package serve

import (
	"fmt"
	"html/template"
	"net/http"
	"slices"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/page"
)

// How many features a page lists.
const (
	mostFrequent = 200
	mostSelected = 500
)

// cellContent is the page of a cell.
type cellContent struct {
	Base    string
	Names   []cellName // it can go by several
	Trouble string
	Key     string
	Folded  template.HTML
	About   template.HTML
	Folds   []foldLink // of its fits
	Fit     template.HTML
	Average bool
	Of      *foldLink // the fit that Fit is about
}

type cellName struct{ Dataset, Algorithm string }

// foldLink is one of the fits of a cell.
type foldLink struct {
	Repeat, Fold int32
	Address      string
	Status       results.Status
	Shown        bool
}

// Name of a fit in a row of links.
func (f foldLink) Name(repeats bool) string {
	if repeats {
		return fmt.Sprintf("%d.%d", f.Repeat, f.Fold)
	}
	return fmt.Sprint(f.Fold)
}

// Repeats tells whether folds are repeated.
func (c cellContent) Repeats() bool {
	return slices.ContainsFunc(c.Folds, func(f foldLink) bool { return f.Repeat > 0 })
}

func cellPage(r *run, req *http.Request) (*answer, error) {
	v, err := r.load()
	if err != nil {
		return nil, err
	}
	key := req.PathValue("key")
	same := slices.Clone(v.of(key))
	if len(same) == 0 {
		return nil, missing("There is no cell " + key + " in this run.")
	}
	if len(same[0].Rows) == 0 {
		return nil, missing("No fit of this cell has ended yet.")
	}
	c := cellContent{Base: r.base(), Key: key}
	for i := range same {
		c.Names = append(c.Names, cellName{same[i].DatasetLabel(), same[i].AlgorithmLabel()})
		if same[i], err = v.complete(same[i]); err != nil {
			return nil, err
		}
	}
	cell := same[0]
	c.Trouble, c.Average = cell.Trouble(), cell.Averaged
	points, err := v.Points(cell)
	if err != nil {
		return nil, err
	}
	folds := "Folds"
	if cell.Averaged {
		folds = "Tasks"
	}
	if c.Folded, err = r.sections("folds-", page.Section{Title: folds, Blocks: v.Folds(cell)}, page.Section{Title: "Along the path", Blocks: points}); err != nil {
		return nil, err
	}
	if c.About, err = r.sections("about-", page.Section{Title: "Cell", Blocks: v.Identity(cell)}); err != nil {
		return nil, err
	}
	if !cell.Averaged {
		if err := c.fit(r, v, cell, req.URL.Query().Get("fold")); err != nil {
			return nil, err
		}
	}
	f := r.frame("cells", c.Names[0].Algorithm)
	f.Cell = cells.ShortKey(key)
	return render("cell", f, c)
}

// fit tells of one fit of a cell, the first that ended well unless another is asked for, and of what all selected.
func (c *cellContent) fit(r *run, v *view, cell *cells.Cell, fold string) error {
	row := cell.Rows[max(0, slices.IndexFunc(cell.Rows, func(r *results.Row) bool { return r.Status == results.OK }))]
	for _, one := range cell.Rows {
		if fold == fmt.Sprintf("%d.%d", one.Repeat, one.Fold) {
			row = one
		}
	}
	for _, one := range cell.Rows {
		c.Folds = append(c.Folds, foldLink{one.Repeat, one.Fold, fmt.Sprintf("%s?fold=%d.%d#fit", r.link(cell.Key), one.Repeat, one.Fold), one.Status, one == row})
		if one == row {
			c.Of = &c.Folds[len(c.Folds)-1]
		}
	}
	var all []page.Section
	add := func(title string, blocks []page.Block, err error) error {
		if err == nil && len(blocks) > 0 {
			all = append(all, page.Section{Title: title, Blocks: blocks})
		}
		return err
	}
	path, err := v.Path(cell, row)
	if path != nil {
		err = add("Path", []page.Block{path}, err)
	}
	if err != nil {
		return err
	}
	blocks, err := v.Ledger(cell, row)
	if err := add("Why features were taken", blocks, err); err != nil {
		return err
	}
	blocks, err = v.Selected(row, mostSelected)
	if err := add("Selected by this fit", blocks, err); err != nil {
		return err
	}
	if len(cell.Finished()) > 1 {
		blocks, err = v.Frequency(cell, mostFrequent)
		if err := add("Selected over the folds", blocks, err); err != nil {
			return err
		}
	}
	if err := add("What the engine said", v.Fit(cell), nil); err != nil {
		return err
	}
	c.Fit, err = r.sections("", all...)
	return err
}
