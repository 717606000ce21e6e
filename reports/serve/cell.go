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
	maxFrequent = 200
	maxSelected = 500
)

type cellContent struct {
	Base    string
	Names   []cellName // of all cells with the same key
	Trouble string
	Key     string
	Folded  template.HTML
	About   template.HTML
	Folds   []foldLink // of its fits
	Fit     template.HTML
	Average bool
	Of      *foldLink // the fit that Fit shows
}

type cellName struct{ Dataset, Algorithm string }

// foldLink is a link to one fit of a cell.
type foldLink struct {
	Repeat, Fold int32
	Address      string
	Status       results.Status
	Shown        bool
}

// Name returns the text of the link.
func (f foldLink) Name(repeats bool) string {
	if repeats {
		return fmt.Sprintf("%d.%d", f.Repeat, f.Fold)
	}
	return fmt.Sprint(f.Fold)
}

// Repeats reports whether folds are repeated.
func (c cellContent) Repeats() bool {
	return slices.ContainsFunc(c.Folds, func(f foldLink) bool { return f.Repeat > 0 })
}

func cellPage(r *run, req *http.Request) (*response, error) {
	v, err := r.loadView()
	if err != nil {
		return nil, err
	}
	key := req.PathValue("key")
	same := slices.Clone(v.cellsOf(key))
	if len(same) == 0 {
		return nil, notFound("There is no cell " + key + " in this run.")
	}
	if len(same[0].Rows) == 0 {
		return nil, notFound("No fit of this cell has ended yet.")
	}
	c := cellContent{Base: r.basePath(), Key: key}
	for i := range same {
		c.Names = append(c.Names, cellName{same[i].DatasetLabel(), same[i].AlgorithmLabel()})
		if same[i], err = v.completeRows(same[i]); err != nil {
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
	if c.Folded, err = r.renderSections("folds-", page.Section{Title: folds, Blocks: v.Folds(cell)}, page.Section{Title: "Along the path", Blocks: points}); err != nil {
		return nil, err
	}
	if c.About, err = r.renderSections("about-", page.Section{Title: "Cell", Blocks: v.Identity(cell)}); err != nil {
		return nil, err
	}
	if !cell.Averaged {
		if err := c.addFit(r, v, cell, req.URL.Query().Get("fold")); err != nil {
			return nil, err
		}
	}
	f := r.pageFrame("cells", c.Names[0].Algorithm)
	f.Cell = cells.ShortKey(key)
	return renderPage("cell", f, c)
}

// addFit adds one fit of a cell, the first that ended well unless fold asks for another, and what all fits selected.
func (c *cellContent) addFit(r *run, v *view, cell *cells.Cell, fold string) error {
	row := cell.Rows[max(0, slices.IndexFunc(cell.Rows, func(r *results.Row) bool { return r.Status == results.OK }))]
	for _, one := range cell.Rows {
		if fold == fmt.Sprintf("%d.%d", one.Repeat, one.Fold) {
			row = one
		}
	}
	for _, one := range cell.Rows {
		c.Folds = append(c.Folds, foldLink{one.Repeat, one.Fold, fmt.Sprintf("%s?fold=%d.%d#fit", r.cellLink(cell.Key), one.Repeat, one.Fold), one.Status, one == row})
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
	blocks, err = v.Selected(row, maxSelected)
	if err := add("Selected by this fit", blocks, err); err != nil {
		return err
	}
	if len(cell.Finished()) > 1 {
		blocks, err = v.Frequency(cell, maxFrequent)
		if err := add("Selected over the folds", blocks, err); err != nil {
			return err
		}
	}
	blocks, err = v.Fit(cell)
	if err := add("What the engine said", blocks, err); err != nil {
		return err
	}
	c.Fit, err = r.renderSections("", all...)
	return err
}
