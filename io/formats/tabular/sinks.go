package tabular

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/tablefile"
)

// feature is what a column of the table becomes in the matrix.
type feature interface {
	// entries returns how many entries of the matrix all rows have together. It is called after the last row.
	entries() int
	// columns names the columns of the matrix. It is called once, after entries.
	columns() []string
	// appendRow appends what row i holds, in columns from first on.
	appendRow(i int, first int32, idx []int32, val []float64) ([]int32, []float64)
}

var errMissing = errors.New("the value is missing")

// Markers are what tables in the wild have in place of missing values, besides what is read as one unasked.
var Markers = []string{
	"?", "-", "--", "---", ".", "*", "N/A", "n/a", "N.A.", "n.a.", "<NA>", "#N/A", "#N/A N/A", "#NA", "na", "null", "NULL", "Null", "None", "none", "nil", "NAN", "NaT", "missing", "Missing", "unknown", "Unknown",
	`\N`, "#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!", "-1.#IND", "1.#IND", "-1.#QNAN", "1.#QNAN", "-nan", "-NaN", "1.#INF", "-1.#INF",
	"[Not Available]", "[Not Applicable]", "[Not Evaluated]", "[Unknown]", "[Discrepancy]",
}

// expectNumber ends the error about a text in a column of numbers; otherwise is advice for texts that are no marker.
func expectNumber(text, expected, otherwise string) error {
	if marker := strings.TrimSpace(text); slices.Contains(Markers, marker) {
		return fmt.Errorf("found %q, expected %s; if it stands for a missing value, say columns: {missing: [%q]}", rawtext.Beginning(text), expected, marker)
	}
	for _, as := range []struct {
		rawtext.Dialect
		hint string
	}{
		{rawtext.Dialect{Decimal: ".", Thousands: ","}, `; if the comma stands between thousands, say thousands: ","`},
		{rawtext.Dialect{Decimal: ","}, `; if the comma stands for a decimal point, say decimal: ","`},
		{rawtext.Dialect{Decimal: ",", Thousands: "."}, `; if the comma stands for a decimal point and the point between thousands, say decimal: "," and thousands: "."`},
		{rawtext.Dialect{Decimal: ".", Units: "%"}, `; if the sign is no part of the number, say units: "%"`},
		{rawtext.Dialect{Decimal: ".", Thousands: ",", Units: "$€£"}, `; if signs are no part of the number, say units: "$" (or €, £), and thousands: "," for commas between thousands`},
	} {
		if _, ok := as.Number(text); ok {
			otherwise = as.hint
			break
		}
	}
	return fmt.Errorf("found %q, expected %s%s", rawtext.Beginning(text), expected, otherwise)
}

// numbers is a feature of its own: missing values are NaN.
type numbers struct {
	name  string
	codes map[string]float64
	texts string // advice where a cell holds text
	x     []float64
}

// Advice about a column of texts among those of numbers, by the file that it is in.
const (
	textsInData   = "; list the column under columns.categorical (levels), columns.text (texts), columns.id or columns.drop if it holds text"
	textsInJoined = "; list the column under columns.categorical, too, if it holds text"
	textsInNew    = "; the model was fitted to numbers"
)

func (n *numbers) AddCell(c tablefile.Cell) error {
	if c.Missing() {
		n.x = append(n.x, math.NaN())
		return nil
	}
	x, ok := c.Number()
	if len(n.codes) > 0 && !ok {
		x, ok = n.codes[strings.TrimSpace(c.Text())]
	}
	switch {
	case ok:
		n.x = append(n.x, x)
		return nil
	case slices.Contains(rawtext.Usual, strings.TrimSpace(c.Text())): // in a text of a Parquet file
		n.x = append(n.x, math.NaN())
		return nil
	case len(n.codes) > 0:
		return expectNumber(c.Text(), "a finite number, or a text that columns.codes has", "")
	}
	advice := n.texts
	if n.texts == textsInData && IsText(c.Text()) {
		advice = fmt.Sprintf("; if the column holds texts, columns: {text: [%s]} makes columns of their words", n.name)
	}
	return tablefile.TextFound{Err: expectNumber(c.Text(), "a finite number", advice)}
}

func (n *numbers) entries() (count int) {
	for _, x := range n.x {
		if x != 0 {
			count++
		}
	}
	return count
}

func (n *numbers) columns() []string { return []string{n.name} }

func (n *numbers) appendRow(i int, first int32, idx []int32, val []float64) ([]int32, []float64) {
	if n.x[i] == 0 {
		return idx, val
	}
	return append(idx, first), append(val, n.x[i])
}

// categories is one feature a level. Rows without a value have a gap in a level of their own, which the column has if there are such rows.
type categories struct {
	name   string
	named  bool         // the options name the column itself, not with others
	most   int          // levels that there may be
	words  source.Texts // of the rows that have a value
	word   []int32      // word of each row, -1 where the value is missing
	place  []int32      // level of each word
	absent int          // level of missing words; below 0 for none
}

func (c *categories) AddCell(value tablefile.Cell) error {
	if value.Missing() {
		c.word = append(c.word, -1)
		return nil
	}
	c.words.Add(value.Text())
	if n := len(c.words.Words); n > c.most {
		return fmt.Errorf("found %q, level %d of a category, expected at most %d in files of this size; if the column has names of rows, leave it out with columns: {drop: [...]}", rawtext.Beginning(value.Text()), n, c.most)
	}
	c.word = append(c.word, c.words.Of[len(c.words.Of)-1])
	return nil
}

// checkLevels returns an error if the levels ask for much more than the cells spell: the name of the column before each.
func (c *categories) checkLevels(implied *source.Implied) error {
	levels := len(c.words.Words)
	return implied.AskNames(len(c.name), levels, "%d levels with the column's name of %d bytes before each", levels, len(c.name))
}

// entries counts one a row: missing words have one, too.
func (c *categories) entries() int {
	return len(c.word)
}

func (c *categories) columns() []string {
	levels, place := c.words.Levels()
	c.place = place
	if c.absent = slices.Index(levels, data.Missing); c.absent < 0 && len(levels) > 0 && slices.Contains(c.word, -1) {
		c.absent, levels = len(levels), append(levels, data.Missing)
	}
	for k, l := range levels {
		levels[k] = c.name + "=" + l
	}
	return levels
}

func (c *categories) appendRow(i int, first int32, idx []int32, val []float64) ([]int32, []float64) {
	if k := c.word[i]; k >= 0 {
		return append(idx, first+c.place[k]), append(val, 1)
	}
	if c.absent < 0 {
		return idx, val
	}
	return append(idx, first+int32(c.absent)), append(val, math.NaN())
}

// rareRows is the number of rows from which on a categorical column needs levels that rows share.
const rareRows = 50

// checkRepeats returns an error if most values are in one row each, so that they are hardly levels; a warning if the options name the
// column all the same.
func (c *categories) checkRepeats() (warning []data.Fact, err error) {
	rows, once := make([]int, len(c.words.Words)), 0
	for _, k := range c.words.Of {
		rows[k]++
	}
	for _, n := range rows {
		if n == 1 {
			once++
		}
	}
	known := len(c.words.Of)
	if known < rareRows || 2*once <= known {
		return nil, nil
	}
	ways := fmt.Sprintf("columns: {text: [%[1]s]} makes columns of the words of texts, {drop: [%[1]s]} leaves it out, {id: %[1]s} takes it for the ids of rows", c.name)
	if c.named {
		return []data.Fact{{Name: "warning", Value: fmt.Sprintf("column %q is categorical, and %d of its values are in one row each, of %d rows: %s", c.name, once, known, ways)}}, nil
	}
	return nil, param.Errorf("columns.categorical", "column %q: %d of its values are in one row each, of %d rows, so that each would be a column of its own: %s, {categorical: [%[1]s]} makes it categorical all the same", c.name, once, known, ways)
}

// response is a target. Unless a type is asked for, it is real as long as all cells are numbers.
type response struct {
	name, positive string
	kind           data.Type
	gaps           bool // values may be missing
	rows           int
	values         []float64        // NaN where missing
	written        map[int32]string // texts of values that their shortest form does not give back, by row
	texts          bool             // asked for, or found; then labels holds the cells instead, of the rows defined
	labels         source.Texts
	defined        []int32 // rows that have a value
}

func (r *response) AddCell(c tablefile.Cell) error {
	r.rows++
	if c.Missing() {
		if !r.gaps {
			switch {
			case r.texts && c.Text() != "":
				return fmt.Errorf("%w; target: {missing: drop-rows} leaves such rows out, columns: {missing: {%s: []}} makes a level of %q", errMissing, r.name, c.Text())
			case r.texts:
				return fmt.Errorf("%w; target: {missing: drop-rows} leaves such rows out", errMissing)
			}
			if r.kind == data.Count {
				return refuseGap(false)
			}
			return fmt.Errorf("%w; say what to do with target: {missing: drop-rows | mean}", errMissing)
		}
		if !r.texts {
			r.values = append(r.values, math.NaN())
		}
		return nil
	}
	row := int32(r.rows - 1)
	r.defined = append(r.defined, row)
	if !r.texts {
		x, ok := c.Number()
		switch {
		case ok && r.kind == data.Count:
			r.values = append(r.values, x)
			return source.CheckCount(x)
		case ok:
			r.values = append(r.values, x)
			if text := c.Text(); r.kind == data.Any && text != formatShortest(x) {
				if r.written == nil {
					r.written = map[int32]string{}
				}
				r.written[row] = strings.Clone(text)
			}
			return nil
		case r.kind == data.Count:
			return expectNumber(c.Text(), "a whole number of 0 or more for a target of type count", "")
		case r.kind == data.Real:
			return expectNumber(c.Text(), "a finite number for a target of type real", "")
		}
		r.numbersToLabels()
	}
	return r.labels.AddLevel(c.Text())
}

// numbersToLabels turns the numbers so far into labels, as they were written: 01 and 1 are two.
func (r *response) numbersToLabels() {
	for i, x := range r.values {
		text, odd := r.written[int32(i)]
		switch {
		case odd:
			r.labels.Add(text)
		case x == x:
			r.labels.Add(formatShortest(x))
		}
	}
	r.values, r.written, r.texts = nil, nil, true
}

func formatShortest(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// buildTarget makes the target of all rows. A class has Rows where some are missing.
func (r *response) buildTarget() (data.Target, error) {
	if len(r.defined) == 0 {
		return data.Target{}, fmt.Errorf("target %s: every value is missing", r.name)
	}
	if !r.texts {
		t := data.Target{Name: r.name, Type: data.Real, Values: r.values}
		if r.kind == data.Count {
			t.Type = data.Count
		}
		return t, nil
	}
	t, err := r.labels.Class(r.name, r.positive)
	if len(r.defined) < r.rows {
		t.Rows = r.defined
	}
	return t, err
}

// identities are the ids of the rows.
type identities struct {
	shared bool // several rows may have one
	joined bool // they are of a joined table
	ids    []string
	lines  []int // of them; 0 where unknown
	seen   map[string]int
}

func (d *identities) AddCell(c tablefile.Cell) error {
	if c.Missing() {
		return errMissing
	}
	id, line := strings.Clone(c.Text()), 0
	if w, ok := c.(*tablefile.Written); ok {
		line = w.Line
	}
	if first, again := d.seen[id]; again && !d.shared {
		switch {
		case d.joined && line > 0:
			return fmt.Errorf("found %q, as in line %d: no two rows of a joined table have the same id", id, d.lines[first])
		case d.joined:
			return fmt.Errorf("found %q in row %d, as in row %d: no two rows of a joined table have the same id", id, len(d.ids)+1, first+1)
		}
		return fmt.Errorf("found %q, which identifies row %d already; if rows share it, it is a columns.group", id, first+1)
	}
	if d.seen == nil {
		d.seen = make(map[string]int)
	}
	d.seen[id] = len(d.ids)
	if d.ids = append(d.ids, id); d.joined {
		d.lines = append(d.lines, line)
	}
	return nil
}

// groups are the groups of the rows.
type groups struct{ source.Texts }

func (g *groups) AddCell(c tablefile.Cell) error {
	if c.Missing() {
		return errMissing
	}
	g.Add(c.Text())
	return nil
}

// weights are the weights of the rows.
type weights struct{ w []float64 }

func (w *weights) AddCell(c tablefile.Cell) error {
	if c.Missing() {
		return errMissing
	}
	x, ok := c.Number()
	if !ok || x < 0 {
		return fmt.Errorf("found %q, expected a number of 0 or more as weight", c.Text())
	}
	w.w = append(w.w, x)
	return nil
}

// exposure is the option that names the column of exposures.
const exposure = "target.exposure"

// exposures are the exposures of the rows, of counts.
type exposures struct{ x []float64 }

func (e *exposures) AddCell(c tablefile.Cell) error {
	if c.Missing() {
		return errMissing
	}
	x, ok := c.Number()
	if !ok {
		return expectNumber(c.Text(), "an exposure: a number above 0", "")
	}
	e.x = append(e.x, x)
	return source.CheckExposure(x)
}
