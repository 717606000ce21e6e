package inspect

import (
	"fmt"
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

// IsUnspaced reports whether the cells of a column are texts without blanks between words.
func (c *Column) IsUnspaced() bool { return c.prose.isUnspaced() }
