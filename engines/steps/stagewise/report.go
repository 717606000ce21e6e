package stagewise

import (
	"fmt"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/steps/stagewise/design"
	"tenfold/engines/steps/stagewise/lookup"
)

// maxListed is how many columns, or groups of them, a fact lists.
const maxListed = 20

// fitted describes a fit by one path.
func (e Stagewise) fitted(p path) engines.Fitted {
	t := p.state()
	return engines.Fitted{
		Stop: t.stop, Iterations: t.iteration, Evaluated: t.evaluated, Best: t.best.iteration,
		Optimistic: e.Choose == "test", Facts: append(p.facts(), p.heldOutFacts("test")...), Notes: p.notes(),
	}
}

// fittedByValidation describes a fit by two paths: the search that set the number of iterations, and the refit.
func (e Stagewise) fittedByValidation(search, refit path) engines.Fitted {
	f, s, r := e.fitted(refit), search.state(), refit.state()
	f.Stop = s.stop
	f.Iterations += s.iteration
	f.Evaluated += s.evaluated
	f.Facts = append(f.Facts, search.heldOutFacts("validation")...)
	if r.iteration < s.best.iteration {
		f.Notes = append(f.Notes, fmt.Sprintf("the refit on all training rows ended after %d of %d iterations (%s)", r.iteration, s.best.iteration, r.stop))
	}
	return f
}

func (p *leastSquaresPath) facts() []data.Fact {
	facts := append(p.columnFacts(p.d), p.pathFacts()...)
	facts = append(facts, data.Fact{Name: "RSS", Value: formatNumber(p.best.loss)})
	if p.d.TSS > 0 {
		facts = append(facts, data.Fact{Name: "R²", Value: formatNumber(1 - p.best.loss/p.d.TSS)})
	}
	facts = append(facts, data.Fact{Name: "distinct features looked at", Value: fmt.Sprint(p.lookup.DistinctSeen())})
	if g, ok := p.correlations.(*gramCorrelations); ok {
		columns, entries := g.gram.Built()
		facts = append(facts,
			data.Fact{Name: "Gram columns computed", Value: fmt.Sprintf("%d, with %d entries", columns, entries)},
			data.Fact{Name: "Gram entries touched", Value: fmt.Sprint(g.gramEntriesRead)})
		facts = append(facts, g.blocks.Facts()...)
	}
	return append(facts, data.Fact{Name: "largest drift of a correlation", Value: fmt.Sprintf("%.3g", p.drift)})
}

func (p *leastSquaresPath) notes() []string {
	if !p.drifted {
		return nil
	}
	return []string{fmt.Sprintf("rounding drifted: a correlation was off by %.3g, more than 1e-6·ε·g; lower drift_every", p.drift)}
}

func (p *likelihoodPath) facts() []data.Fact {
	g := p.likelihood.GradientState()
	facts := append(p.columnFacts(g.Design), p.pathFacts()...)
	facts = append(facts,
		data.Fact{Name: "features", Value: fmt.Sprint(len(g.Column))},
		data.Fact{Name: "log-likelihood", Value: formatNumber(-p.best.loss)},
		data.Fact{Name: "log-likelihood at the start", Value: formatNumber(p.initialLogLikelihood)},
		data.Fact{Name: "gradient norm at the end of the path", Value: formatNumber(g.Norm())},
		data.Fact{Name: "largest partial derivative at the end of the path", Value: formatNumber(g.MaxAbs(0, len(p.multiples)))},
		data.Fact{Name: "distinct features looked at", Value: fmt.Sprint(p.lookup.DistinctSeen())})
	if t, ok := p.lookup.(*lookup.Increases); ok {
		facts = append(facts, data.Fact{Name: "increases computed", Value: fmt.Sprint(t.Evaluated)})
	}
	facts = append(facts, g.Blocks.Facts()...)
	return append(facts, data.Fact{Name: "largest drift of a partial derivative", Value: fmt.Sprintf("%.3g", p.drift)})
}

func (p *likelihoodPath) heldOutFacts(part string) []data.Fact {
	if !p.hasHeldOut {
		return nil
	}
	return []data.Fact{
		{Name: part + " log-likelihood of a row at the start", Value: formatNumber(-p.initialError)},
		{Name: "best " + part + " log-likelihood of a row", Value: fmt.Sprintf("%s at iteration %d", formatNumber(-p.best.error), p.best.iteration)},
	}
}

func (p *likelihoodPath) notes() []string {
	if p.note == "" {
		return nil
	}
	return []string{p.note}
}

func (p *pathState) columnFacts(d *design.Design) []data.Fact {
	rows, columns := d.X.Dims()
	return []data.Fact{
		{Name: "rows", Value: fmt.Sprint(rows)},
		{Name: "columns", Value: fmt.Sprint(columns)},
		{Name: "stored entries", Value: fmt.Sprint(d.X.NNZ())},
		{Name: "constant columns", Value: p.describeColumns(d.ConstantColumns())},
		{Name: "identical columns", Value: p.describeDuplicates(d)},
	}
}

func (p *pathState) pathFacts() []data.Fact {
	return []data.Fact{
		{Name: "iterations", Value: fmt.Sprint(p.iteration)},
		{Name: "steps", Value: fmt.Sprint(p.log.steps)},
		{Name: "skipped iterations", Value: fmt.Sprint(p.skipped)},
		{Name: "features entered", Value: fmt.Sprintf("%d (%d by the step chosen)", len(p.entered), p.best.entered)},
		{Name: "nonzero coefficients at the end of the path", Value: fmt.Sprint(p.nonzero)},
	}
}

func (p *leastSquaresPath) heldOutFacts(part string) []data.Fact {
	if !p.hasHeldOut {
		return nil
	}
	return []data.Fact{
		{Name: part + " MSE at the start", Value: formatNumber(p.initialError)},
		{Name: "best " + part + " MSE", Value: fmt.Sprintf("%s at iteration %d", formatNumber(p.best.error), p.best.iteration)},
	}
}

func formatNumber(x float64) string { return fmt.Sprintf("%.6g", x) }

// describeColumns gives the number of columns, and the first few by name.
func (p *pathState) describeColumns(columns []int32) string {
	if len(columns) == 0 {
		return "0"
	}
	list := make([]string, 0, maxListed)
	for _, j := range columns[:min(len(columns), maxListed)] {
		list = append(list, p.featureName(int(j)))
	}
	return fmt.Sprintf("%d: %s", len(columns), strings.Join(list, ", ")+ellipsis(len(columns)))
}

func ellipsis(n int) string {
	if n > maxListed {
		return ", …"
	}
	return ""
}

// describeDuplicates describes the groups of equal columns: only the lowest of a group ever moves.
func (p *pathState) describeDuplicates(d *design.Design) string {
	groups := d.Duplicates()
	if len(groups) == 0 {
		return "0 groups"
	}
	var list []string
	total := 0
	for q, group := range groups {
		total += len(group)
		if q < maxListed {
			var equal []string
			for _, j := range group[:min(len(group), maxListed)] {
				equal = append(equal, p.featureName(int(j)))
			}
			list = append(list, strings.Join(equal, " = ")+ellipsis(len(group)))
		}
	}
	return fmt.Sprintf("%d in %d groups: %s", total, len(groups), strings.Join(list, ", ")+ellipsis(len(groups)))
}
