package draft

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"tenfold/io/formats/tabular"
)

// prose counts what tells texts from names and levels.
type prose struct {
	cells, words, letters int
	dense                 int // letters of scripts that put no blanks between words
}

// add counts a cell that is no number.
func (p *prose) add(text string) {
	p.cells++
	for range strings.FieldsSeq(text) {
		p.words++
	}
	for _, r := range text {
		p.letters++
		if r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			p.dense++
		}
	}
}

// Texts have so many words on average, or so many letters where no blanks are between words: names have fewer.
const textWords, textLetters = 5, 10

// isUnspaced reports whether the cells are texts without blanks between words.
func (p *prose) isUnspaced() bool { return 2*p.dense > p.letters && p.letters >= textLetters*p.cells }

// isLong reports whether the cells are as long as texts.
func (p *prose) isLong() bool { return p.cells > 0 && (p.words >= textWords*p.cells || p.isUnspaced()) }

// IsText reports whether a column has texts: most of its values differ, and they are long.
func (c *Column) IsText() bool {
	return !c.IsNumber() && !c.IsDate() && c.prose.isLong() && c.prose.cells > c.Known()/2 && (4*len(c.Levels) >= 3*c.Known() || c.Unwieldy())
}

// describeTexts says what tells that a column has texts.
func (c *Column) describeTexts() string {
	p := c.prose
	text := fmt.Sprintf("%s: %d cells of %.1f words and %.0f characters on average, %d of them different: texts", c.Name,
		p.cells, float64(p.words)/float64(p.cells), float64(p.letters)/float64(p.cells), len(c.Levels))
	if p.isUnspaced() {
		text += " without blanks between words"
	}
	return text
}

// Texts returns the columns of texts to predict from.
func (d *Draft) Texts() (names []string) {
	for i := range d.Columns {
		if c := &d.Columns[i]; d.isTextFeature(c) {
			names = append(names, c.Name)
		}
	}
	return names
}

// isTextFeature reports whether the words of a column are features: those of the columns that the user named, or of those that look so.
func (d *Draft) isTextFeature(c *Column) bool {
	switch {
	case d.Format == ARFF || c.Name == "" || c.Refused != "" || c.Known() == 0 || d.hasRole(c):
		return false
	case d.Text != nil || c.Joined: // which nothing but a flag names
		return slices.Contains(d.Text, c.Name)
	}
	return c.IsText()
}

// hasRole reports whether a column is something else than a feature.
func (d *Draft) hasRole(c *Column) bool {
	return c.Name != "" && (slices.Contains([]string{d.Target, d.ID, d.Group, d.Time}, c.Name) || slices.Contains(d.listed(), c.Name)) ||
		d.Survival != nil && (c.Name == d.Survival.Time || c.Name == d.Survival.Event)
}

// textOptions returns what features says of the texts, and why.
func (d *Draft) textOptions() (options, why string) {
	if slices.ContainsFunc(d.Texts(), func(name string) bool { return d.Column(name).prose.isUnspaced() }) {
		return "tokens: characters, ngrams: 2, values: tf-idf, normalize: l2, cutoff: 2", "single characters and pairs in at least two training rows: no blanks are between words"
	}
	return "values: tf-idf, normalize: l2, cutoff: 2", "words in at least two training rows"
}

// Separator returns what is between the labels of a cell of the target; "" if cells have one.
func (d *Draft) Separator() string {
	if c := d.Column(d.Target); d.Target != "" && c != nil && d.Class && !c.IsNumber() && d.Format != ARFF {
		return c.Separator()
	}
	return ""
}

// repeatsTexts reports whether rows share texts, and there is nothing else to predict from.
func (d *Draft) repeatsTexts() bool {
	texts := d.Texts()
	if numbers, categorical, _ := d.Features(); len(numbers)+len(categorical) > 0 {
		return false
	}
	for _, name := range texts {
		if c := d.Column(name); 100*(c.Known()-len(c.Levels)) < c.Known() {
			return false
		}
	}
	return len(texts) > 0
}

// tellTexts says which columns are texts, and names the columns of a table without a row of names, if one at most is no text.
func (f *Found) tellTexts() {
	f.nameTexts()
	for k := range f.Columns {
		if c := &f.Columns[k]; c.IsText() {
			f.because("%s", c.describeTexts())
		}
	}
}

func (f *Found) nameTexts() {
	if !f.Headless {
		return
	}
	var texts, others []*Column
	for k := range f.Columns {
		if c := &f.Columns[k]; c.IsText() {
			texts = append(texts, c)
		} else {
			others = append(others, c)
		}
	}
	if len(texts) == 0 || len(others) > 1 {
		return
	}
	for k, c := range texts {
		if c.Name = "text"; k > 0 {
			c.Name = fmt.Sprintf("text%d", k+1)
		}
	}
	for _, c := range others {
		c.Name = "label"
	}
	f.Named = true
	f.because("no row names the columns, which are called %s here", strings.Join(f.Names(), ", "))
}

// separators may be between the labels of a cell.
var separators = []string{",", "|", ";"}

// Separator returns what is between the labels of a cell, where some cells have several: there are far fewer labels than different
// cells, and most labels are all of some cell, too. It is "" if cells have one label each.
func (c *Column) Separator() string {
	for _, separator := range separators {
		labels, several, alone := map[string]bool{}, 0, 0
		for _, cell := range c.Levels {
			parts := strings.Split(cell, separator)
			if len(parts) > 1 {
				several++
			}
			for _, part := range parts {
				if part = strings.TrimSpace(part); part == "" || tabular.IsText(part) {
					labels = nil
					break
				}
				labels[part] = true
			}
			if labels == nil {
				break
			}
		}
		for label := range labels {
			if c.levels[label] > 0 {
				alone++
			}
		}
		if len(labels) > 1 && several > 0 && 2*len(labels) <= len(c.Levels)+several && 2*alone >= len(labels) && c.Known() >= 4*len(labels) {
			return separator
		}
	}
	return ""
}
