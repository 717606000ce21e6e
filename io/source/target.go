package source

import "tenfold/engines/kind"

// Target is the target of a data set as a file says it: a word (what the format offers), or a mapping.
type Target struct {
	Name     string   `yaml:"name,scalar" doc:"what the format offers: mutual-information, relation, class, ..."`
	Column   string   `yaml:"column" doc:"the column that holds the response"`
	Columns  []string `yaml:"columns" doc:"several responses; * matches any text"`
	Positive string   `yaml:"positive" doc:"the level that counts as positive, for two classes"`
	Type     string   `yaml:"type" doc:"real or class; by default the format's"`
}

// Validate checks the target by itself.
func (t Target) Validate() error {
	if t.Column != "" && len(t.Columns) > 0 {
		return kind.Errorf("target.columns", "give column or columns, not both")
	}
	if t.Type != "" {
		return kind.OneOf("target.type", t.Type, "real", "class")
	}
	return nil
}

// Prepare is the preparation of a table's columns, fitted on the training rows of each fold.
type Prepare struct {
	Encode  string `yaml:"encode" doc:"one-hot: categorical columns become one column a level"`
	Unseen  string `yaml:"unseen" doc:"a level that no training row has: ignore (no level is set), error"`
	Missing string `yaml:"missing" doc:"error, mean, median, zero"`
	Scale   string `yaml:"scale" doc:"none, sd"`
}

// Validate checks the words.
func (p Prepare) Validate() error {
	for _, c := range []error{
		kind.OneOf("prepare.encode", p.Encode, "", "one-hot"),
		kind.OneOf("prepare.unseen", p.Unseen, "", "ignore", "error"),
		kind.OneOf("prepare.missing", p.Missing, "", "error", "mean", "median", "zero"),
		kind.OneOf("prepare.scale", p.Scale, "", "none", "sd"),
	} {
		if c != nil {
			return c
		}
	}
	return nil
}
