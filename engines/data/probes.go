package data

import (
	"strings"

	"tenfold/engines/numeric/sparse"
)

// ProbePrefix begins the name of a probe; the name of its source column follows.
const ProbePrefix = "probe:"

// IsProbe reports whether a name is a probe's. Data with probes has no other column of such a name.
func IsProbe(name string) bool { return strings.HasPrefix(name, ProbePrefix) }

// Probes is the range of probes, which are the last columns of prepared data: columns drawn independently of the responses. The zero
// value is none.
type Probes struct {
	First      int // number of the first
	Number     int
	Candidates int // columns that could have had one: those that vary in the training rows
}

// Has reports whether column j is a probe; false for a model's own features, which are numbered after the columns.
func (p Probes) Has(j int) bool { return p.First <= j && j < p.First+p.Number }

// Probes returns the range of the probes.
func (v *View) Probes() Probes { return v.from.Probes }

// RealColumns returns the number of columns that are not probes.
func (v *View) RealColumns() int { return v.Columns() - v.from.Probes.Number }

// Competes reports whether column j is subject to selection, rather than in every model.
func (p *Prepared) Competes(j int) bool { return p.Treatment.competes(j) }

// Competes reports whether column j is subject to selection, rather than in every model.
func (v *View) Competes(j int) bool { return v.from.Competes(j) }

// AddProbes appends drawn columns, one for each source, out of the given number of candidates.
func (p *Prepared) AddProbes(sources []int32, candidates int, columns []sparse.Vec) {
	p.Probes = Probes{First: p.Columns(), Number: len(sources), Candidates: candidates}
	p.X, p.Features, p.Treatment = p.X.Beside(columns), p.Features.WithProbes(sources), p.Treatment.followedBy(sources)
}
