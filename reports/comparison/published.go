package comparison

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/param"
	"tenfold/io/planfile"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/slots"
	"tenfold/reports/table"
)

// Published is a value from elsewhere, shown beside ours with the difference.
type Published struct {
	Source    string            `yaml:"source" read:"required" doc:"where it is from, such as: Dhillon 2009, Table 5"`
	Dataset   string            `yaml:"dataset" read:"required" ref:"dataset" doc:"name of the data set, or of a family"`
	Algorithm string            `yaml:"algorithm" read:"required" ref:"algorithm" doc:"name of the algorithm"`
	Where     map[string]string `yaml:"where" json:",omitempty" doc:"grid point that it belongs to, parameter: value (default: every one)"`
	Metric    string            `yaml:"metric" read:"required" ref:"metric" doc:"what was measured"`
	Average   string            `yaml:"average" json:",omitempty" doc:"macro, the mean over folds or tasks (default), or micro, over all test rows, each counting once"`
	Value     float64           `yaml:"value" read:"required" doc:"the mean that was published"`
	SE        *float64          `yaml:"se" json:",omitempty" doc:"standard error of the value"`
	Selected  *float64          `yaml:"selected" json:",omitempty" doc:"number of selected features"`
	Note      string            `yaml:"note" json:",omitempty" doc:"how it differs from ours"`
}

// Validate checks the entry by itself.
func (v Published) Validate() error {
	errs := []error{param.OneOf("average", v.Average, "macro", slots.Micro, "")}
	for _, x := range []struct {
		field string
		value *float64
	}{{"se", v.SE}, {"selected", v.Selected}} {
		if x.value != nil && *x.value < 0 {
			errs = append(errs, param.Errorf(x.field, "%v, expected at least 0", *x.value))
		}
	}
	return errors.Join(errs...)
}

// ValidateIn refuses what does not go together with the rest of the file.
func (v Published) ValidateIn(file planfile.Planned) error {
	err := v.ValidateDimensions(file.Varied, file.Fixed)
	if file.Metrics != nil {
		err = errors.Join(err, v.ValidateMetrics(file.Metrics))
	}
	return err
}

// EachMetric yields nothing: the metric is a key of its own.
func (Published) EachMetric(func(field, name string)) {}

// ValidateMetrics refuses a micro average of a metric that has none.
func (v Published) ValidateMetrics(known results.Metrics) error {
	if v.Average != slots.Micro {
		return nil
	}
	return slots.CheckPoolable("average", v.Metric, known[v.Metric], known.Having(results.Properties.RowMean))
}

// matchesCell reports whether a published value is about a cell.
func (v *Published) matchesCell(c *cells.Cell) bool {
	_, ofTask := v.Where[results.TaskDim]
	if v.Dataset != c.Dataset || v.Algorithm != c.Algorithm || ofTask != (c.Task != "") {
		return false
	}
	_, err := cells.Select([]*cells.Cell{c}, v.Where) // the error is that nothing matches
	return err == nil
}

func (v *Published) String() string {
	text := fmt.Sprintf("published %s of %s on %s", v.Metric, v.Algorithm, v.Dataset)
	for _, name := range slices.Sorted(maps.Keys(v.Where)) {
		text += fmt.Sprintf(", %s=%s", name, v.Where[name])
	}
	return text
}

// Unmatched warns of published values that no cell of the results matches uniquely, whichever tables show them. A value may match
// several points of a data set's grid that some table averages over the parameters in over. The error is a failure to read scores
// along paths.
func Unmatched(all []Published, src cells.Source, final []*cells.Cell, over []string) ([]string, error) {
	var out []string
	for i := range all {
		v := &all[i]
		cs, err := cells.Arrange(src, final, slices.Collect(maps.Keys(v.Where)), nil)
		if err != nil {
			return nil, err
		}
		var found []*cells.Cell
		measured := false
		for _, c := range cells.AcrossGrid(cs, slices.DeleteFunc(slices.Clone(over), func(d string) bool { return v.Where[d] != "" })) {
			if v.matchesCell(c) {
				found = append(found, c)
				measured = measured || c.Trouble() != "" || cells.OfCell(v.Metric) || c.Stat(v.Metric).N > 0
			}
		}
		switch {
		case len(found) == 0:
			out = append(out, v.String()+" matches no result")
		case !measured:
			out = append(out, fmt.Sprintf("%s: its results have no %s", v, v.Metric))
		case len(found) > 1:
			out = append(out, fmt.Sprintf("%s belongs to each of %d cells, which differ in %s; say which with where", v, len(found),
				strings.Join(cells.Differing(found), ", ")))
		}
	}
	return out, nil
}

// addPublished inserts published values beside ours: a column after each column that has some, "0.9580 ± 0.0080 (−0.0120)" with our
// number minus theirs, and their sources as notes.
func (b *builder) addPublished(g *table.Grid) {
	var sources remarks
	for j, column := range b.columns {
		slots := make([]table.Slot, len(g.Rows)) // skipped cells can have rows below those of b
		some := false
		for i, row := range b.rows {
			p := b.places[i][j]
			if p == nil {
				continue
			}
			var texts []string
			for _, v := range b.publishedFor(p) {
				texts = append(texts, b.publishedText(v, p))
				if cite := v.cite(); !slices.Contains(sources.about[cite], row) {
					sources.addRemark(cite, row)
				}
			}
			slots[i].Text = strings.Join(texts, "; ")
			some = some || len(texts) > 0
		}
		if !some {
			continue
		}
		position := j + 1 + len(g.Columns) - len(b.columns) // after ours, and those inserted before
		g.Columns = slices.Insert(g.Columns, position, column+", published")
		for i := range g.Rows {
			g.Rows[i].Slots = slices.Insert(g.Rows[i].Slots, position, slots[i])
		}
		for i := range g.Footer {
			g.Footer[i].Slots = slices.Insert(g.Footer[i].Slots, position, table.Slot{})
		}
	}
	for _, source := range sources.order {
		g.Notes = append(g.Notes, fmt.Sprintf("Published for %s: %s.", firstOf(sources.about[source], 8), source))
	}
	if len(g.Columns) > len(b.columns) {
		g.Legend = append(g.Legend, "published: value from elsewhere, in brackets ours minus theirs.")
	}
	g.Warnings = append(g.Warnings, b.unplacedWarnings()...)
}

// publishedFor returns the values for a place: several sources may have one, or one source both averages.
func (b *builder) publishedFor(p *place) (found []*Published) {
	c := p.onlyCell()
	if c == nil || c.Averaged && slices.ContainsFunc(append(b.overDims, results.TaskDim), b.isFiltered) { // published is the mean over all
		return nil
	}
	for i := range b.in.Published {
		if v := &b.in.Published[i]; v.Metric == p.primary && v.matchesCell(c) {
			found = append(found, v)
		}
	}
	return found
}

// unplacedWarnings warns of values that belong to one of several cells in a place.
func (b *builder) unplacedWarnings() []string {
	var places remarks
	for p := range b.byRow {
		if len(p.cells) < 2 {
			continue
		}
		for i := range b.in.Published {
			if v := &b.in.Published[i]; v.Metric == p.primary && slices.ContainsFunc(p.cells, v.matchesCell) {
				places.addRemark(v.String()+" is not shown, since several cells share its place", b.describePlace(p))
			}
		}
	}
	return places.listAll()
}

func (b *builder) publishedText(v *Published, p *place) string {
	d := b.decimalsOf(p, v.Metric)
	text := d.Number(v.Value)
	if v.SE != nil {
		text += " ± " + d.Spread(*v.SE)
	}
	ours := p.comparedValue()
	if v.Average == slots.Micro && !math.IsNaN(ours) {
		ours = cells.Micro(p.cells, v.Metric).Mean
	}
	if !math.IsNaN(ours) {
		text += fmt.Sprintf(" (%s)", d.Signed(ours-v.Value))
	}
	if v.Selected != nil {
		text += fmt.Sprintf(", %s features", featureCount(*v.Selected))
	}
	return text
}

// featureCount formats a number of features, which may be a mean.
func featureCount(n float64) string {
	if !results.Finite(n) {
		return digits.Missing
	}
	return strconv.FormatFloat(n, 'g', 6, 64)
}

// cite returns the source of the value, with its caveats.
func (v *Published) cite() string {
	notes := slices.DeleteFunc([]string{v.Note, ifAny(v.Average == slots.Micro, "over all test rows, as ours in the difference")}, func(s string) bool { return s == "" })
	return v.Source + ifAny(len(notes) > 0, " ("+strings.Join(notes, "; ")+")")
}
