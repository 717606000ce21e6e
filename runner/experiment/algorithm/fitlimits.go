package algorithm

import (
	"time"

	"gopkg.in/yaml.v3"

	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/reading"
)

// LimitsEntry holds the limits of one fit.
type LimitsEntry struct {
	Time   time.Duration `yaml:"time" doc:"of one fit, such as 10m"`
	Memory reading.Size  `yaml:"memory" doc:"of one fit, such as 4GiB"`
}

// Limits holds the limits of one fit; zero means none.
type Limits struct {
	Time   time.Duration
	Memory int64 // bytes
}

// DecodeLimits decodes the section limits; n may be nil.
func (d *Reader) DecodeLimits(n *yaml.Node) Limits {
	if n == nil {
		return Limits{}
	}
	var l LimitsEntry
	if d.DecodeInto(n, &l, strictyaml.Owner{Noun: "key", Of: "limits"}) {
		d.CheckLimits(n, l)
	}
	return Limits{Time: l.Time, Memory: int64(l.Memory)}
}

// CheckLimits reports limits that nothing can keep.
func (d *Reader) CheckLimits(n *yaml.Node, l LimitsEntry) {
	if _, node := strictyaml.Entry(n, "time"); node != nil && l.Time <= 0 {
		d.Add(node, "time: %v, expected a duration above 0", l.Time)
	}
	if _, node := strictyaml.Entry(n, "memory"); node != nil && l.Memory <= 0 {
		d.Add(node, "memory: expected a size above 0")
	}
}
