package reading

import (
	"gopkg.in/yaml.v3"

	"tenfold/engines/param"
	"tenfold/io/strictyaml"
)

// Error is one mistake in an experiment file, with its place: in the file, or the --set argument that it came from.
type Error = strictyaml.Mistake

// Errors lists all mistakes of a file in the order of their places; those of --set arguments come first.
type Errors = strictyaml.Mistakes

// Collector collects the mistakes of one file. Nodes that came from the i-th --set argument have line -1-i.
type Collector struct {
	strictyaml.Problems
	// idle collects parameters that mean nothing at a point of a list; nil: they are mistakes.
	idle *idlePoints
}

// idlePoints are the parameters that mean nothing at points of a list, in the order in which they are found.
type idlePoints struct {
	point int
	found []*idleField
}

type idleField struct {
	node   *yaml.Node // the parameter's place, with the first point's values
	err    *param.FieldError
	points int // at which it means nothing
	last   int
}

func (i *idlePoints) add(node *yaml.Node, err *param.FieldError) {
	for _, f := range i.found {
		if f.err.Field == err.Field {
			if f.last != i.point {
				f.last = i.point
				f.points++
			}
			return
		}
	}
	i.found = append(i.found, &idleField{node, err, 1, i.point})
}

// OverPoints calls do for the points of a list, until it returns false. A parameter that means nothing is a mistake if it does at all of them.
func (p *Collector) OverPoints(points int, do func(point int) bool) {
	outer, mine := p.idle, &idlePoints{}
	p.idle = mine
	for mine.point < points && do(mine.point) {
		mine.point++
	}
	p.idle = outer
	for _, f := range mine.found {
		if f.points == points {
			p.Report(f.node, f.err)
		}
	}
}

// WithoutIdle calls do, of which parameters that mean nothing are no mistakes: they are checked elsewhere.
func (p *Collector) WithoutIdle(do func()) {
	outer := p.idle
	p.idle = &idlePoints{}
	do()
	p.idle = outer
}

// NewCollector returns a collector for the content of a file and for --set arguments.
func NewCollector(file string, content []byte, sets []string) *Collector {
	var beside []string
	for _, set := range sets {
		beside = append(beside, "--set "+set)
	}
	return &Collector{Problems: strictyaml.NewProblems(file, content, beside)}
}

// Report reports the errors of a Validate, but for parameters that mean nothing where these are collected.
func (p *Collector) Report(node *yaml.Node, err error) {
	p.AddFrom(node, err, func(field *param.FieldError) bool {
		if !field.Idle || p.idle == nil {
			return false
		}
		p.idle.add(node, field)
		return true
	})
}

// Entry is the place of a data set or an algorithm in its file.
type Entry struct{ Node *yaml.Node }
