package rawtext

import (
	"slices"
	"strings"

	"tenfold/engines/data/asterisk"
	"tenfold/engines/param"
)

// Missing lists the texts of a table that stand for a missing value, in the order of the file.
type Missing []MissingTexts

// MissingTexts is the texts in the columns that match a pattern; the pattern "" is all columns.
type MissingTexts struct {
	Pattern string
	Texts   []string
}

// MarshalText writes the texts as in the file.
func (m MissingTexts) MarshalText() ([]byte, error) {
	return []byte(m.Pattern + ": " + strings.Join(m.Texts, "\t")), nil
}

// Usual lists the texts that mean a missing value in a text table where a column does not say otherwise, besides the empty one.
var Usual = []string{"NA", "NaN", "nan"}

// In returns the texts that stand for a missing value in a column, without blanks around them: those of the last entry that names it,
// alone; else those for all columns, and usual.
func (m Missing) In(column string, usual []string) []string {
	texts := usual
	for _, entry := range m {
		switch {
		case entry.Pattern == "":
			texts = slices.Concat(usual, entry.Texts)
		case entry.Pattern == column || asterisk.Matches(entry.Pattern, column):
			texts = entry.Texts
		}
	}
	trimmed := make([]string, len(texts))
	for k, text := range texts {
		trimmed[k] = strings.TrimSpace(text)
	}
	return trimmed
}

// Validate checks the texts by themselves.
func (m Missing) Validate() error {
	for _, entry := range m {
		for _, text := range entry.Texts {
			if strings.TrimSpace(text) == "" {
				return param.Errorf("columns.missing", "%q, expected a text; empty cells are missing as they are", text)
			}
		}
	}
	return nil
}
