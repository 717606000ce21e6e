package cells

import (
	"fmt"
	"slices"

	"tenfold/io/results"
	"tenfold/reports/digits"
)

// Caveats holds what a reader must know of the fits behind a number.
type Caveats struct {
	Optimistic  bool // test rows took part in some fit
	Unconverged bool // some fit stopped before it converged
	Imported    bool // predictions were made elsewhere
	Varying     bool // some fit is not repeatable
	AtEnd       bool // the tuning of some fit chose a parameter's last value
	Carried     bool // the path of some fit ended before this size, and its last model stands for it
}

// The marks of numbers, and what they mean, without the counts that a legend adds.
const (
	OptimisticMark   = " †"
	UnconvergedMark  = " §"
	AtEndMark        = " ¶"
	ImportedMark     = " ‖"
	VaryingMark      = " ≈"
	CarriedMark      = " »"
	OptimisticLegend = "†: test rows took part in the fit: optimistic."
	ImportedLegend   = "‖: imported: predictions made elsewhere, of which neither how they came about nor what the work took is known."
)

// CaveatsOf returns the caveats of one fit, but for those of a size along its path.
func CaveatsOf(r *results.Row) Caveats {
	if r.Status != results.OK {
		return Caveats{Optimistic: r.Optimistic}
	}
	return Caveats{Optimistic: r.Optimistic, Unconverged: r.Unconverged(), AtEnd: r.AtEndOfRange(), Imported: r.Imported(), Varying: r.NotRepeatable()}
}

// Caveats returns those of all fits of the cell.
func (c *Cell) Caveats() Caveats {
	out := Caveats{Optimistic: c.Optimistic(), Imported: c.Imported()}
	for _, r := range c.Fits() {
		out = out.Or(CaveatsOf(r))
	}
	out.Carried = len(c.pathEnds()) > 0
	return out
}

// pathEnds returns the sizes at which the paths of fits, or of tasks in the mean, ended that did not reach the cell's size.
func (c *Cell) pathEnds() (ends []float64) {
	for _, t := range c.Tasks {
		ends = append(ends, t.pathEnds()...)
	}
	for _, r := range c.Rows {
		if end, has := r.Metric(results.PathEndMetric); has && end < float64(c.size) {
			ends = append(ends, end)
		}
	}
	return ends
}

// Or returns the caveats of both together.
func (a Caveats) Or(b Caveats) Caveats {
	return Caveats{
		Optimistic: a.Optimistic || b.Optimistic, Unconverged: a.Unconverged || b.Unconverged,
		Imported: a.Imported || b.Imported, AtEnd: a.AtEnd || b.AtEnd, Varying: a.Varying || b.Varying, Carried: a.Carried || b.Carried,
	}
}

// AllMarks holds all marks of numbers.
const AllMarks = OptimisticMark + UnconvergedMark + AtEndMark + ImportedMark + VaryingMark + CarriedMark

// Marks returns the marks of a number.
func (a Caveats) Marks() string {
	text := ""
	if a.Optimistic {
		text += OptimisticMark
	}
	if a.Unconverged {
		text += UnconvergedMark
	}
	if a.AtEnd {
		text += AtEndMark
	}
	if a.Imported {
		text += ImportedMark
	}
	if a.Varying {
		text += VaryingMark
	}
	if a.Carried {
		text += CarriedMark
	}
	return text
}

// Optimistic reports whether test rows took part in some of the cell's fits.
func (c *Cell) Optimistic() bool {
	return slices.ContainsFunc(c.Rows, func(r *results.Row) bool { return r.Optimistic })
}

// Imported reports whether the cell's predictions were made elsewhere.
func (c *Cell) Imported() bool {
	return slices.ContainsFunc(c.Rows, func(r *results.Row) bool { return r.Imported() })
}

// Legend explains the marks of some cells: which marks there are, and of how many fits. A cell counts once.
func Legend(cs []*Cell) (out []string) {
	var unconverged, atEnd, varying counted
	optimistic, imported := false, false
	var ends []float64
	seen := map[*Cell]bool{}
	for _, c := range cs {
		if seen[c] {
			continue
		}
		seen[c] = true
		optimistic, imported = optimistic || c.Optimistic(), imported || c.Imported()
		ends = append(ends, c.pathEnds()...)
		fits := c.Fits()
		unconverged.add(fits, func(a Caveats) bool { return a.Unconverged })
		atEnd.add(fits, func(a Caveats) bool { return a.AtEnd })
		varying.add(fits, func(a Caveats) bool { return a.Varying })
	}
	if optimistic {
		out = append(out, OptimisticLegend)
	}
	if imported {
		out = append(out, ImportedLegend)
	}
	if unconverged.n > 0 {
		out = append(out, fmt.Sprintf("§: %s did not converge; their notes say how far they were.", unconverged))
	}
	if atEnd.n > 0 {
		out = append(out, fmt.Sprintf("¶: in %s tuning chose a value at the end of its range; their notes say which.", atEnd))
	}
	if varying.n > 0 {
		out = append(out, fmt.Sprintf("≈: %s may come out differently when made again: their method is declared as not deterministic, or their search ended at its time.", varying))
	}
	if len(ends) > 0 {
		sizes := digits.Format("%.6g", slices.Min(ends))
		if most := digits.Format("%.6g", slices.Max(ends)); most != sizes {
			sizes += " to " + most
		}
		out = append(out, fmt.Sprintf("»: the path of some fits ended before this size, at %s features, and their last models stand for it.", sizes))
	}
	return out
}

// KeptLegend says that what describes selections leaves out columns that are in every model, "" if these cells have none.
func KeptLegend(cs []*Cell) string {
	most := 0.0
	for _, c := range cs {
		for _, r := range c.Fits() {
			if n, has := r.Metric(results.KeptMetric); has {
				most = max(most, n)
			}
		}
	}
	switch most {
	case 0:
		return ""
	case 1:
		return "Features, their number, stability and agreement are those beyond the 1 that is kept in every model."
	}
	return fmt.Sprintf("Features, their number, stability and agreement are those beyond the %.0f that are kept in every model.", most)
}

// counted is a number of fits, out of those in cells that have some.
type counted struct{ n, total int }

func (c *counted) add(fits []*results.Row, is func(Caveats) bool) {
	n := 0
	for _, r := range fits {
		if is(CaveatsOf(r)) {
			n++
		}
	}
	if n > 0 {
		c.n, c.total = c.n+n, c.total+len(fits)
	}
}

func (c counted) String() string { return fmt.Sprintf("%d of %s", c.n, digits.Count(c.total, "fit")) }
