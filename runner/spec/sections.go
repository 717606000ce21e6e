package spec

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/kind"
)

// section is a section, or an entry of one that is a list, that somebody else owns.
type section struct {
	at    *yaml.Node
	value any // pointer to what it was decoded into
}

// sections decodes what the fields of the struct that ptr points to stand for, and checks each part by itself.
func (d *decoder) sections(root *yaml.Node, ptr any) {
	if ptr == nil {
		return
	}
	all := reflect.ValueOf(ptr).Elem()
	for _, f := range fieldsOf(all.Type()) {
		_, n := get(root, f.name)
		if n == nil {
			continue
		}
		v := all.FieldByIndex(f.index)
		if v.Kind() != reflect.Slice {
			d.section(n, v, f.name)
			continue
		}
		if n.Kind != yaml.SequenceNode {
			d.add(n, "%s: expected a list, found %s", f.name, found(n))
			continue
		}
		list := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
		for i, entry := range n.Content {
			if own, ok := list.Index(i).Addr().Interface().(interface{ SetDefaults() }); ok {
				own.SetDefaults()
			}
			d.section(entry, list.Index(i), f.name)
		}
		v.Set(list)
	}
}

func (d *decoder) section(n *yaml.Node, v reflect.Value, name string) {
	ptr := v.Addr().Interface()
	if !d.into(n, ptr, owner{noun: "key", of: name}) {
		return
	}
	d.owned = append(d.owned, section{n, ptr})
	if own, ok := ptr.(kind.Validator); ok {
		d.addFrom(n, own.Validate())
	}
}

// Failures says how many failed fits a run survives and how often a failed fit is tried again.
type Failures struct {
	Tolerate Tolerance `yaml:"tolerate" doc:"failed fits that a run survives: a number, a share, or a percentage"`
	Retries  int       `yaml:"retries" doc:"how often a failed fit is tried again"`
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
