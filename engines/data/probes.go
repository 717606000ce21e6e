package data

import (
	"strings"

	"tenfold/engines/core/sparse"
)

// ProbePrefix begins the names of probes, which end in those of the columns that they are drawn from.
const ProbePrefix = "probe:"

// IsProbe tells a probe by its name, of data that has any: no other column of it has such a name.
func IsProbe(name string) bool { return strings.HasPrefix(name, ProbePrefix) }

// Probes are the columns of prepared data that were drawn without regard to the responses: the last ones. The zero value is none.
type Probes struct {
	First      int // number of the first
	Number     int
	Candidates int // columns that could have had one: those that vary in the training rows
}

// Has tells whether column j is a probe. Features that a model numbers after the columns are none.
func (p Probes) Has(j int) bool { return p.First <= j && j < p.First+p.Number }

// Probes among the columns.
func (v *View) Probes() Probes { return v.from.Probes }

// RealColumns is the number of columns that are no probes.
func (v *View) RealColumns() int { return v.Columns() - v.from.Probes.Number }

// Competes tells whether column j may be selected or not, and is not in every model.
func (p *Prepared) Competes(j int) bool { return p.Treatment.competes(j) }

// Competes tells whether column j may be selected or not, and is not in every model.
func (v *View) Competes(j int) bool { return v.from.Competes(j) }

// AddProbes appends drawn columns, one of each source among so many candidates.
func (p *Prepared) AddProbes(sources []int32, candidates int, columns []sparse.Vec) {
	p.Probes = Probes{First: p.Columns(), Number: len(sources), Candidates: candidates}
	p.X, p.Features, p.Treatment = p.X.Beside(columns), p.Features.WithProbes(sources), p.Treatment.followedBy(sources)
}
