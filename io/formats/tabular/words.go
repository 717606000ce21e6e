package tabular

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
	"tenfold/engines/registry"
	"tenfold/io/formats/text"
	"tenfold/io/source"
	"tenfold/io/tablefile"
)

// Features are the options of columns, and of what columns of texts become.
type Features struct {
	source.Columns `yaml:",inline"`
	text.Options   `yaml:",inline"`
	Texts          string `yaml:"texts" doc:"several columns of texts: apart, each has columns of its own (title:word); joined, together they are one text (body+title:word), of which a run of tokens is in one column"`
}

// Prepare is the preparation of columns, and the topics of texts.
type Prepare struct {
	source.Prepare `yaml:",inline"`
	source.Topics  `yaml:",inline"`
}

var defaultFeatures = Features{Options: text.Defaults, Texts: apart}

// What several columns of texts are.
const (
	apart    = "apart"
	together = "joined"
)

// Validate checks the options by themselves.
func (f Features) Validate() error {
	return errors.Join(f.Columns.Validate(), f.Options.Validate(), param.OneOf("features.texts", f.Texts, apart, together))
}

// checkTexts returns an error if an option is about texts, and no column is one of texts.
func (o Options) checkTexts() error {
	if len(o.Columns.Text) > 0 {
		return param.Require("prepare.topics", o.Prepare.Topics.Topics == 0 || o.Prepare.Discretize == 0, "%d: topics are found on words as they are, not on intervals (discretize)", o.Prepare.Topics.Topics)
	}
	const without = "%v, and no column is one of texts: name them in columns: {text: [...]}"
	for _, p := range registry.Params(o.Features.Options, text.Defaults) {
		if p.Value != p.Default {
			return param.Errorf("features."+p.Name, without, p.Value)
		}
	}
	if n := o.Prepare.Topics.Topics; n != 0 {
		return param.Errorf("prepare.topics", without, n)
	}
	return param.Require("features.texts", o.Features.Texts == apart, without, o.Features.Texts)
}

// leastWords is the least number of words of what is a text rather than a name.
const leastWords = 4

// IsText reports whether a cell looks like a text: it has several words.
func IsText(cell string) bool { return len(strings.Fields(cell)) >= leastWords }

// words are the columns of the matrix that a column of texts becomes, or several.
type words struct {
	texts  []*textColumn               // in order of their names once columns is called
	joined bool                        // they are one text, and have counts of their own until these are added
	value  func(count float64) float64 // what is stored for a count over all; nil: 1

	rows []*sparse.Matrix // of each
	to   [][]int32        // of each: the column of each of its words
}

// textColumn is a column of texts. A text that is missing has no words.
type textColumn struct {
	*text.Counts
	name  string
	equal *equalTexts
	row   int
}

// equalGroups is the name of the groups of rows whose texts are equal.
const equalGroups = "text"

// equalTexts has a hash of all texts of each row, 0 where none has a text.
type equalTexts []uint64

func (t *textColumn) AddCell(c tablefile.Cell) error {
	words := ""
	if !c.Missing() {
		words = c.Text()
	}
	if t.row == len(*t.equal) {
		*t.equal = append(*t.equal, 0)
	}
	if words != "" {
		(*t.equal)[t.row] += data.Mix(data.Key(t.name, words)) // in any order of the columns
	}
	t.row++
	return t.Add([]byte(words))
}

// groups returns the groups of rows with equal texts, numbered in order of first appearance. A row without any text is one by itself.
func (e equalTexts) groups() *data.Groups {
	g := &data.Groups{Name: equalGroups, Of: make([]int32, len(e))}
	number := map[uint64]int32{}
	for i, key := range e {
		if key == 0 {
			key = data.Key(equalGroups, strconv.Itoa(i))
		}
		k, known := number[key]
		if !known {
			k = int32(len(g.Key))
			number[key] = k
			g.Key = append(g.Key, key)
		}
		g.Of[i] = k
	}
	return g
}

// newText returns the sink of a column of texts.
func (f *frame) newText(name string, o Options) (tablefile.Sink, error) {
	options := o.Features.Options
	if o.Features.Texts == together {
		options.Values = "count"
	}
	counts, err := options.Counts(f.in, o.encoding)
	if err != nil {
		return nil, err
	}
	if o.Features.Texts != together || len(f.words) == 0 {
		f.words = append(f.words, &words{joined: o.Features.Texts == together, value: o.Features.Value()})
		f.features = append(f.features, f.words[len(f.words)-1])
	}
	last := f.words[len(f.words)-1]
	last.texts = append(last.texts, &textColumn{Counts: counts, name: name, equal: &f.equal})
	return last.texts[len(last.texts)-1], nil
}

// text returns the name of the text that the columns are.
func (w *words) text() string {
	var names []string
	for _, c := range w.texts {
		names = append(names, c.name)
	}
	return strings.Join(slices.Sorted(slices.Values(names)), "+")
}

func (w *words) entries() (count int) {
	for _, c := range w.texts {
		count += c.Entries()
	}
	return count
}

func (w *words) columns() []string {
	slices.SortFunc(w.texts, func(a, b *textColumn) int { return cmp.Compare(a.name, b.name) })
	var names []string
	number, before := map[string]int32{}, w.text()+":"
	for _, c := range w.texts {
		to := make([]int32, len(c.Names()))
		for k, word := range c.Names() {
			j, known := number[word]
			if !known {
				j = int32(len(names))
				number[word] = j
				names = append(names, before+word)
			}
			to[k] = j
		}
		w.to, w.rows = append(w.to, to), append(w.rows, c.Matrix())
	}
	return names
}

func (w *words) appendRow(i int, start int32, idx []int32, val []float64) ([]int32, []float64) {
	if !w.joined {
		row := w.rows[0].Row(i)
		for k, j := range row.Idx {
			idx, val = append(idx, start+j), append(val, row.At(k))
		}
		return idx, val
	}
	first := len(idx)
	for q, x := range w.rows {
		row := x.Row(i)
		for k, j := range row.Idx {
			j = start + w.to[q][j]
			if p := slices.Index(idx[first:], j); p >= 0 {
				val[first+p] += row.At(k)
			} else {
				idx, val = append(idx, j), append(val, row.At(k))
			}
		}
	}
	for p := first; p < len(val); p++ {
		if w.value == nil {
			val[p] = 1
		} else {
			val[p] = w.value(val[p])
		}
	}
	return idx, val
}

// facts counts what is in the texts.
func (w *words) facts() (facts []data.Fact) {
	for _, c := range w.texts {
		for _, fact := range c.Facts() {
			facts = append(facts, data.Fact{Name: fmt.Sprintf("%s: %s", c.name, fact.Name), Value: fact.Value})
		}
	}
	return facts
}
