package spec

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/kind"
)

// Published is a value from elsewhere, shown beside ours with the difference.
type Published struct {
	Source    string   `yaml:"source,required" doc:"where it was published"`
	Dataset   string   `yaml:"dataset,required" ref:"dataset"`
	Algorithm string   `yaml:"algorithm,required" ref:"algorithm"`
	Metric    string   `yaml:"metric,required" ref:"metric"`
	Value     float64  `yaml:"value,required"`
	SE        *float64 `yaml:"se" doc:"standard error of the value"`
	Selected  *float64 `yaml:"selected" doc:"number of selected features"`
	Note      string   `yaml:"note" doc:"how it differs from ours"`
}

// Gate is one condition under which tenfold check passes.
type Gate struct {
	Metric       string   `yaml:"metric,required" ref:"metric"`
	Margin       Margin   `yaml:"margin"`
	Test         string   `yaml:"test" doc:"bootstrap, paired-t, nadeau-bengio; by default none"`
	Alpha        float64  `yaml:"alpha" doc:"level of the test, in (0, 1)"`
	Datasets     []string `yaml:"datasets" ref:"dataset" doc:"all by default"`
	Algorithms   []string `yaml:"algorithms" ref:"algorithm" doc:"all by default"`
	Against      string   `yaml:"against" ref:"algorithm" doc:"compare with this algorithm instead of the baseline"`
	Min          *float64 `yaml:"min" doc:"the metric's mean must reach this"`
	Max          *float64 `yaml:"max" doc:"the metric's mean must not exceed this"`
	Inconclusive string   `yaml:"inconclusive" doc:"what is neither shown worse nor shown non-inferior: fail, pass"`
}

// Margin is how much worse still counts as equal: relative to the reference, or in units of the metric.
type Margin struct {
	Relative *float64 `yaml:"relative"`
	Absolute *float64 `yaml:"absolute"`
}

// Validate checks the entry by itself.
func (g Gate) Validate() error {
	var errs []error
	for _, m := range []struct {
		name  string
		value *float64
	}{{"relative", g.Margin.Relative}, {"absolute", g.Margin.Absolute}} {
		if m.value != nil && *m.value < 0 {
			errs = append(errs, kind.Errorf("margin."+m.name, "%v, expected a number of at least 0", *m.value))
		}
	}
	if g.Margin.Relative != nil && g.Margin.Absolute != nil {
		errs = append(errs, kind.Errorf("margin", "give relative or absolute, not both"))
	}
	if !(g.Alpha > 0 && g.Alpha < 1) {
		errs = append(errs, kind.Errorf("alpha", "%v, expected a number between 0 and 1", g.Alpha))
	}
	if g.Min != nil && g.Max != nil && *g.Min > *g.Max {
		errs = append(errs, kind.Errorf("min", "%v is above max %v", *g.Min, *g.Max))
	}
	return errors.Join(append(errs,
		kind.OneOf("test", g.Test, "", "bootstrap", "paired-t", "nadeau-bengio"),
		kind.OneOf("inconclusive", g.Inconclusive, "fail", "pass"))...)
}

// ValidateFolds refuses a test that this many folds cannot support.
func (g Gate) ValidateFolds(parts int) error {
	switch {
	case parts < 2 && slices.Contains([]string{"paired-t", "nadeau-bengio"}, g.Test):
		return kind.Errorf("test", "%s needs several folds and there is one; bootstrap resamples its rows", g.Test)
	case parts > 1 && g.Test == "bootstrap":
		return kind.Errorf("test", "bootstrap resamples the rows of one fold and there are %d; use nadeau-bengio", parts)
	}
	return nil
}

// Failures says how many failed fits a run survives and how often a failed fit is tried again.
type Failures struct {
	Tolerate Tolerance `yaml:"tolerate"`
	Retries  int       `yaml:"retries"`
}

// Tolerance is a number of fits or a share of them.
type Tolerance struct {
	Count int
	Share float64 // in (0, 1); 0 where Count is meant
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
		return fmt.Errorf("expected a number of fits, a share below 1 or a percentage, found %q", s)
	}
	*t = Tolerance{Share: x}
	return nil
}

// Of is the number of failed fits that are tolerated among n.
func (t Tolerance) Of(n int) int { return t.Count + int(t.Share*float64(n)) }

// Size is a number of bytes, written 4GiB, 500MB or 1048576.
type Size int64

// UnmarshalText reads a size with a decimal (kB, MB, GB, TB) or binary (KiB, MiB, GiB, TiB) unit, or plain bytes.
func (s *Size) UnmarshalText(text []byte) error {
	digits := strings.TrimRight(string(text), "kKMGTiB ")
	unit, ok := map[string]float64{
		"": 1, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
		"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
	}[strings.TrimSpace(string(text)[len(digits):])]
	x, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || !(x*unit >= 0 && x*unit < math.MaxInt64) {
		return fmt.Errorf("expected a size such as 4GiB or 500MB, found %q", text)
	}
	*s = Size(x * unit)
	return nil
}

func (d *decoder) failures(n *yaml.Node) Failures {
	var f Failures
	if n != nil && d.into(n, &f, owner{noun: "key", of: "failures"}) && f.Retries < 0 {
		d.add(find(n, "retries"), "retries: %d, expected at least 0", f.Retries)
	}
	return f
}

func (d *decoder) gate(list []*yaml.Node) []Gate {
	var out []Gate
	for _, n := range list {
		g := Gate{Alpha: 0.05, Inconclusive: "fail"}
		if d.into(n, &g, owner{noun: "key", of: "gate"}) {
			d.addFrom(n, g.Validate())
		}
		out = append(out, g)
	}
	return out
}

func (d *decoder) published(list []*yaml.Node) []Published {
	var out []Published
	for _, n := range list {
		var p Published
		if d.into(n, &p, owner{noun: "key", of: "published"}) && p.SE != nil && *p.SE < 0 {
			d.add(find(n, "se"), "se: %v, expected at least 0", *p.SE)
		}
		out = append(out, p)
	}
	return out
}
