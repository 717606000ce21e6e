package documents

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/io/rawtext"
)

// buildDataset makes the data set of the rows; apart tells that training and test rows come from files of their own.
func (r *reader) buildDataset(apart bool) (*data.Dataset, error) {
	target, err := r.class.Class(r.Target.Name, r.Target.Positive)
	if err != nil {
		return nil, err
	}
	if r.layout.hasField("class") && len(target.Levels) < 2 && !r.applied {
		return nil, fmt.Errorf("every document is of the class %q (layout %q), expected two classes or more", target.Levels[0], r.Layout)
	}
	d := &data.Dataset{X: r.counts.Matrix(), Features: data.NewFeatures(r.counts.Names()), Targets: []data.Target{target}}
	d.IDs = make([]string, len(r.ids))
	for i, id := range r.ids {
		d.IDs[i] = r.sources[id.file].format(apart, int(id.line))
	}
	if r.layout.hasField("group") {
		d.Groups = r.groups.Groups("group")
	} else {
		d.Groups = r.groups.Groups("text")
	}
	if r.layout.hasField("task") {
		d.Tasks = &data.Tasks{Names: r.task.Words, Of: r.task.Of}
	}
	if apart || r.layout.hasField("part") && !r.applied {
		d.Part = r.parts
		if err := bothParts(r.parts); err != nil {
			return nil, err
		}
	}
	d.Facts = r.factsOfReading()
	if !r.linewise() {
		d.Account.Rows.LeaveNumber("in places that the layout does not fit", r.skipped)
	}
	return d, nil
}

func bothParts(parts []int8) error {
	var rows [2]int
	for _, p := range parts {
		rows[p]++
	}
	if rows[0] == 0 || rows[1] == 0 {
		return errors.New("the paths name only one of the parts train and test")
	}
	return nil
}

// format writes role, path and line, as far as rows differ in them. The name of a single file says nothing.
func (f file) format(roles bool, line int) string {
	var parts []string
	if roles {
		parts = append(parts, f.role)
	}
	if !f.only || line == 0 {
		parts = append(parts, f.name)
	}
	id := strings.Join(parts, "/")
	if line > 0 && id != "" {
		id += ":"
	}
	if line > 0 {
		id += strconv.Itoa(line)
	}
	return id
}

func (r *reader) factsOfReading() []data.Fact {
	facts := r.counts.Facts()
	if r.Unmatched == "skip" && r.linewise() {
		facts = append(facts, data.Fact{Name: "files skipped (unmatched: skip)", Value: fmt.Sprint(r.skipped)})
	}
	if r.Encoding == rawtext.Replace {
		facts = append(facts, data.Fact{Name: "files with bytes that are not UTF-8", Value: fmt.Sprint(r.replaced)})
	}
	return facts
}
