package draft

import (
	"slices"
	"tenfold/runner/draft/inspect"
)

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
func (d *Draft) isTextFeature(c *inspect.Column) bool {
	switch {
	case d.Format == inspect.ARFF || c.Name == "" || c.Refused != "" || c.Known() == 0 || d.hasRole(c):
		return false
	case d.Text != nil || c.Joined: // which nothing but a flag names
		return slices.Contains(d.Text, c.Name)
	}
	return c.IsText()
}

// hasRole reports whether a column is something else than a feature.
func (d *Draft) hasRole(c *inspect.Column) bool {
	return c.Name != "" && (slices.Contains([]string{d.Target, d.ID, d.Group, d.Time}, c.Name) || slices.Contains(d.listed(), c.Name)) ||
		d.Survival != nil && (c.Name == d.Survival.Time || c.Name == d.Survival.Event)
}

// textOptions returns what features says of the texts, and why.
func (d *Draft) textOptions() (options, why string) {
	if slices.ContainsFunc(d.Texts(), func(name string) bool { return d.Column(name).IsUnspaced() }) {
		return "tokens: characters, ngrams: 2, values: tf-idf, normalize: l2, cutoff: 2", "single characters and pairs in at least two training rows: no blanks are between words"
	}
	return "values: tf-idf, normalize: l2, cutoff: 2", "words in at least two training rows"
}

// Separator returns what is between the labels of a cell of the target; "" if cells have one.
func (d *Draft) Separator() string {
	if c := d.Column(d.Target); d.Target != "" && c != nil && d.Class && !c.IsNumber() && d.Format != inspect.ARFF {
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
