package enginetest

import (
	"context"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
)

// chooses checks that an engine which can choose by itself chooses the columns of its model; a second model, fitted to a selection,
// may do without some of them.
func chooses(e engines.Engine, p problem) error {
	c, ok := e.(engines.Chooser)
	if !ok {
		return nil
	}
	m, _, err := p.fit(e)
	if err != nil {
		return err
	}
	chosen, fitted, err := c.Choose(context.Background(), p.run(1, nil))
	if err != nil {
		return err
	}
	r := m.(engines.Reporter).Fitted()
	selection := ofSelection(fitted)
	refitted := len(r.Facts) >= len(selection) && slices.Equal(r.Facts[:len(selection)], selection)
	has := map[int]engines.Coef{}
	for _, k := range engines.Entries(m) {
		has[k.Feature] = k
	}
	if len(has) > len(chosen) || len(has) < len(chosen) && !refitted {
		return fmt.Errorf("%d columns chosen, %d in the model", len(chosen), len(has))
	}
	for i, k := range chosen {
		in, ok := has[k.Feature]
		if !ok && refitted { // such as a constant column
			in = k
		}
		if !ok && !refitted || in.Rank != k.Rank || in.Score != k.Score || k.Value != 0 || i > 0 && chosen[i-1].Feature >= k.Feature {
			return fmt.Errorf("chosen %+v, in the model %+v", k, in)
		}
	}
	if fitted.Evaluated > r.Evaluated || !refitted && (fitted.Evaluated != r.Evaluated || r.Stop != fitted.Stop || !slices.Equal(r.Facts, fitted.Facts)) {
		return fmt.Errorf("told of the choice %+v, of the fit %+v", fitted, r)
	}
	return nil
}

// ofSelection returns what a model tells that was fitted to a selection, of the selection.
func ofSelection(fitted engines.Fitted) []data.Fact {
	facts := []data.Fact{{Name: "selection: ended by", Value: fitted.Stop}}
	for _, f := range fitted.Facts {
		facts = append(facts, data.Fact{Name: engines.OfSelection + f.Name, Value: f.Value})
	}
	return facts
}
