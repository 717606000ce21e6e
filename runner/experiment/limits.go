package experiment

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"tenfold/engines/param"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/algorithm"
)

// Limits of fits, and the failures that a run survives.

// runLimits holds the limits of a fit, and that of the whole run.
type runLimits struct {
	algorithm.LimitsEntry `yaml:",inline"`
	Deadline              time.Duration `yaml:"deadline" doc:"of the whole run, such as 8h: fits that have not started by then are not run, and are rows that say so; a later run fits them"`
}

// decodeLimits returns the limits of fits among those of the file, and the deadline, 0 for none.
func (d *decoder) decodeLimits(n *yaml.Node) (fits *yaml.Node, deadline time.Duration) {
	if n == nil {
		return nil, 0
	}
	var l runLimits
	if !d.DecodeInto(n, &l, strictyaml.Owner{Noun: "key", Of: "limits"}) {
		return nil, 0
	}
	d.CheckLimits(n, l.LimitsEntry)
	if _, node := strictyaml.Entry(n, "deadline"); node != nil && l.Deadline <= 0 {
		d.Add(node, "deadline: %v, expected a duration above 0", l.Deadline)
	}
	return strictyaml.WithoutKey(n, "deadline"), l.Deadline
}

// Failures says how many failed fits a run survives, how often a failed fit is tried again, and what happens to cells that cannot
// be fitted at all.
type Failures struct {
	Tolerate Tolerance `yaml:"tolerate" doc:"failed fits that a run survives: a number, a share, or a percentage"`
	Retries  int       `yaml:"retries" doc:"how often a failed fit is tried again"`
	// Unsuitable says what happens to cells whose engine cannot use the data set: Refuse or Skip.
	Unsuitable string `yaml:"unsuitable" doc:"a data set that an engine cannot use, such as numbers for one that needs classes, or not in the memory that there is: error (default), skip (leave the cell out, and say so in the report)"`
	// Unavailable says what happens to data sets whose files are missing, and to methods that cannot run: Refuse or Skip.
	Unavailable string `yaml:"unavailable" doc:"a data set whose files are not there, or a method whose program is not, or cannot say its version: error (default), skip (run the others, say so in the report, and end as incomplete)"`
}

// Values of Failures.Unsuitable and Failures.Unavailable.
const (
	Refuse = "error"
	Skip   = "skip"
)

// Tolerance is a number of fits or a share of them.
type Tolerance struct {
	Count int
	Share float64 // in (0, 1); 0 if Count is set
}

// TypeName returns the words of the reference for such a value.
func (*Tolerance) TypeName() string { return "number or share" }

// JSONSchema returns the forms that UnmarshalText reads.
func (*Tolerance) JSONSchema() []map[string]any {
	return []map[string]any{
		{"type": "integer", "minimum": 0}, {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, {"type": "string", "pattern": `^[0-9.]+%?$`},
	}
}

// UnmarshalText reads 3, 0.02 or 2%.
func (t *Tolerance) UnmarshalText(text []byte) error {
	s := string(text)
	if n, err := strconv.Atoi(s); err == nil && n >= 0 {
		*t = Tolerance{Count: n}
		return nil
	}
	percent := strings.HasSuffix(s, "%")
	x, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if percent {
		x /= 100
	}
	if err != nil || !(x > 0 && x < 1) {
		return fmt.Errorf("expected a number of fits, or a share of them above 0 and below 1, such as 0.02 or 2%% (a run whose fits may all fail says nothing), found %q", s)
	}
	*t = Tolerance{Share: x}
	return nil
}

// Of returns the number of failed fits tolerated among n. It rounds down, after adding 1e-9, because a share such as 29 % is a
// little less in binary.
func (t Tolerance) Of(n int) int { return t.Count + int(float64(t.Share*float64(n))+1e-9) }

func (d *decoder) decodeFailures(n *yaml.Node) Failures {
	f := Failures{Unsuitable: Refuse, Unavailable: Refuse}
	if n == nil || !d.DecodeInto(n, &f, strictyaml.Owner{Noun: "key", Of: "failures"}) {
		return f
	}
	if f.Retries < 0 {
		d.Add(strictyaml.Find(n, "retries"), "retries: %d, expected at least 0", f.Retries)
	}
	d.Report(n, param.OneOf("unsuitable", f.Unsuitable, Refuse, Skip))
	d.Report(n, param.OneOf("unavailable", f.Unavailable, Refuse, Skip))
	return f
}
