package labelled

import (
	"context"
	"errors"
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// Megam reads the text format of Daumé's MEGAM: `class feature feature ...`, or `class feature value feature value ...`
// with values. After the class, `$$$WEIGHT w` weighs the row. Lines DEV and TEST part a file.
type Megam struct {
	Target   Target          `yaml:"target"`
	Values   bool            `yaml:"values" doc:"each feature is followed by its value (MEGAM's -fvals)"`
	Use      string          `yaml:"use" doc:"rows of a file with lines DEV and TEST: train (those before them), all, train-dev or train-test (the second part is the test part)"`
	Prepare  source.Topics   `yaml:"prepare"`
	Features source.Features `yaml:"features" key:"-"`
	Encoding string          `yaml:"encoding" doc:"of the files: utf-8, latin-1, replace (utf-8 in which what is none becomes U+FFFD)"`
}

// MegamKind is the format megam.
var MegamKind = source.Define(source.Kind{
	Name: "megam",
	Doc:  "a class and named features a line: class feature feature ..., the text format of MEGAM",
	Cite: "Daumé 2004, Notes on CG and LM-BFGS Optimization of Logistic Regression",
	Rev:  1,
}, Megam{Target: Target{Name: label}, Use: "train", Encoding: rawtext.UTF8})

// used is the parts of a file, in the order in which its lines part it, that each word takes: training rows, test rows, or
// none (-1).
var used = map[string][3]int8{
	"train": {0, -1, -1}, "all": {0, 0, 0}, "train-dev": {0, 1, -1}, "train-test": {0, -1, 1},
}

// Validate checks the options by themselves.
func (m Megam) Validate() error {
	return errors.Join(m.Target.Validate(), param.OneOf("use", m.Use, "train", "all", "train-dev", "train-test"),
		m.Prepare.Check(source.Topics{}), m.Features.Validate(), rawtext.CheckEncoding(m.Encoding))
}

// Declares one class target.
func (m Megam) Declares() source.Declares {
	return m.Prepare.Declare(source.Declares{
		Targets: []source.Declared{{Name: label, Type: data.Class}}, Roles: source.PartRoles(), Binary: !m.Values,
		Parts: m.Use == "train-dev" || m.Use == "train-test",
	})
}

// Recipe applies the cutoff and finds topics on training rows.
func (m Megam) Recipe() prepare.Recipe {
	return m.Features.Treatment.Into(m.Prepare.Into(prepare.Recipe{Cutoff: max(1, m.Features.Cutoff)}))
}

const weightMark = "$$$WEIGHT"

// Load reads the files.
func (m Megam) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	r := newRows()
	parts := used[m.Use]
	if tests := parts[1] > 0 || parts[2] > 0; tests && len(source.Parts(in)) > 1 {
		return nil, param.Errorf("use", "%s takes both parts from one file, here are a training and a test file", m.Use)
	}
	section, file, left, weighted := 0, int8(0), 0, false
	err := eachLine(ctx, in, m.Encoding, func(part int8, fields []string) error {
		if part != file {
			section, file = 0, part
		}
		if next := sectionOf(fields); next > 0 {
			if next <= section {
				return fmt.Errorf("found %s, but the rows before it are of %s already", fields[0], sections[section])
			}
			section = next
			return nil
		}
		if parts[section] < 0 {
			left++
			return nil
		}
		weight, fields, err := weightOf(fields)
		if err != nil {
			return err
		}
		weighted = weighted || weight != 1
		r.weight = append(r.weight, weight)
		r.beginRow(fields[0])
		if err := m.addFeatures(r, fields[1:]); err != nil {
			return err
		}
		return r.endRow(max(part, parts[section]))
	})
	if err != nil {
		return nil, err
	}
	if !weighted {
		r.weight = nil
	}
	if r.len() == 0 {
		return nil, errors.New("no rows before DEV or TEST, expected lines of a class and its features")
	}
	d, err := r.buildDataset(m.Target)
	if err != nil {
		return nil, err
	}
	d.Account.Rows.LeaveNumber("of other parts (use: "+m.Use+")", left)
	return d, nil
}

var sections = [...]string{"TRAIN", "DEV", "TEST"}

// sectionOf returns the number of the part that begins after a line, 0 for a row.
func sectionOf(fields []string) int {
	if len(fields) == 1 {
		for k, name := range sections[1:] {
			if fields[0] == name {
				return k + 1
			}
		}
	}
	return 0
}

// weightOf takes the weight, 1 where none is given, out of a row.
func weightOf(fields []string) (weight float64, rest []string, err error) {
	if len(fields) < 2 || fields[1] != weightMark {
		return 1, fields, nil
	}
	if len(fields) > 2 {
		if w, ok := rawtext.ParseNumber(fields[2]); ok && w > 0 {
			return w, append([]string{fields[0]}, fields[3:]...), nil
		}
		return 0, nil, fmt.Errorf("found weight %q, expected a positive number after %s", rawtext.Beginning(fields[2]), weightMark)
	}
	return 0, nil, fmt.Errorf("found %s at the end of the line, expected a positive number after it", weightMark)
}

// addFeatures adds the features of one row.
func (m Megam) addFeatures(r *rows, fields []string) error {
	if !m.Values {
		for _, name := range fields {
			r.setFeature(name)
		}
		return nil
	}
	if len(fields)%2 != 0 {
		return fmt.Errorf("found %q at the end of the line, expected pairs of a feature and its value", rawtext.Beginning(fields[len(fields)-1]))
	}
	for k := 0; k < len(fields); k += 2 {
		v, ok := rawtext.ParseNumber(fields[k+1])
		if !ok {
			return fmt.Errorf("feature %s: found %q, expected a finite number", rawtext.Beginning(fields[k]), rawtext.Beginning(fields[k+1]))
		}
		column, again := r.seenInRow(fields[k])
		if again {
			return fmt.Errorf("feature %s is given twice in one row", rawtext.Beginning(fields[k]))
		}
		r.idx, r.val = append(r.idx, column), append(r.val, v)
	}
	return nil
}
