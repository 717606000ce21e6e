// Package prepare learns the preparation of a data set from the training rows of a fold and applies it to all rows: cutoffs,
// missing values, scaling, texts, classes, topics, targets.
//
// A Recipe is fitted in the order of Recipe.fitRecording; its steps are columns.go, values.go, prune.go, text.go, cluster.go and
// response.go, and package topics. What a recipe learned of all rows is a Learned (learned.go), which prepares rows of other files in the
// same way (apply.go, labels.go).
package prepare

import (
	"errors"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/data/account"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
	"tenfold/engines/prepare/pooled"
	"tenfold/engines/prepare/probes"
	"tenfold/engines/prepare/pruning"
	"tenfold/engines/prepare/topics"
)

// Recipe is the preparation of a data set: what has to be learned from rows, and is therefore learned from the training
// rows of each fold only. The zero value keeps every column that occurs and refuses missing values.
type Recipe struct {
	// Cutoff keeps columns that occur in at least this many training rows; 0 keeps all, for tables, whose columns do not come from rows,
	// except for those of texts.
	Cutoff  int
	Missing string // what becomes of missing numbers: "" or error (refused), Keep, or what replaces them: mean, median, zero, Indicator (gaps.go)
	Scale   string // "" or none, sd (divide by the training standard deviation, except for columns of texts)
	Unseen  string // a level of a categorical column that no training row has: "" or ignore (all zeros), error
	// Beam is the number of hypotheses that a decoder keeps if columns look at previous labels; 0 is greedy, like 1.
	Beam int `json:",omitempty"`
	// TFIDF multiplies values by the inverse document frequency of their columns: "", smooth, plain (package tfidf). In a data set with Texts
	// it does so in their columns alone, as does Normalize.
	TFIDF string `json:",omitempty"`
	// Normalize divides each row, or each text of it, by its length, after all other steps: "", l2.
	Normalize string `json:",omitempty"`
	// Impute says what replaces a missing real response: "" (refuse), mean (response.go).
	Impute string `json:",omitempty"`
	// Constant says what happens to a response without variation in the training rows: "" (left to the engines, but one that was
	// cut there is an error), drop.
	Constant string `json:",omitempty"`
	// Clusters partitions the columns into this many classes of similar columns (cluster.go); 0 keeps the data set's own.
	Clusters    int   `json:",omitempty"`
	ClusterSeed int64 `json:",omitempty"`
	// Topics adds this many columns, of the class tp: what the text of a row is about (package topics). They are found on the columns of
	// the class TopicsFrom, of several classes if it ends in *, on all columns if it is empty. 0 adds none.
	Topics     int    `json:",omitempty"`
	TopicsFrom string `json:",omitempty"`
	TopicSeed  int64  `json:",omitempty"`
	// Words says what becomes of missing words, those of categorical columns: "" (Level if numbers are replaced, else what becomes of
	// these), error, Keep, or what replaces them: Level, Commonest (words.go).
	Words string `json:",omitempty"`
	// Gaps is the revision of what becomes of missing values, for recipes that do not refuse them: 1 since columns of which no training row
	// has a value are left out. Its only effect is that preparations of different revisions have different keys.
	Gaps int `json:",omitempty"`
	// Levels is the revision of how levels of categorical columns are counted, for formats that have any: 2 since missing words are a
	// level. Its only effect is that preparations of different revisions have different keys.
	Levels int `json:",omitempty"`
	// Drop leaves columns out: names, with * for any text, one a line (columns.go).
	Drop string `json:",omitempty"`
	// Probes says which columns are drawn for each fold, after the data's own (package probes).
	Probes probes.Rule `json:",omitzero"`
	// Frequency says that the weight of a row is a number of equal rows (data.View.TestWeights).
	Frequency bool `json:",omitempty"`
	// Treatment says how engines treat columns, apart from their values (treatment.go).
	Treatment Treatment `json:",omitzero"`
	// Discretize makes 0/1 columns of numbers, by the quantiles of the training rows that split them into this many intervals of
	// equal frequency (package intervals); 0 leaves numbers as they are.
	Discretize int `json:",omitempty"`
	// NearZero leaves out columns that hardly vary, Correlated then those that say the same as others, in the training rows, after missing
	// values are filled in (package pruning). Neither leaves out a column that is in every model.
	NearZero   pruning.NearZero   `json:",omitzero"`
	Correlated pruning.Correlated `json:",omitzero"`
}

// The present values of Recipe.Levels and Recipe.Gaps.
const (
	LevelsRevision = 2
	GapsRevision   = 1
)

// Fit learns the recipe from the training rows (nil: all rows) and applies it to every row. O(nnz).
func (r Recipe) Fit(d *data.Dataset, train []int32) (*data.Prepared, error) {
	return r.fitRecording(d, train, &Learned{})
}

// fitRecording does what Fit does, and records in l what the steps learn of the columns.
func (r Recipe) fitRecording(d *data.Dataset, train []int32, l *Learned) (*data.Prepared, error) {
	p := &data.Prepared{Set: d, X: d.X, Features: d.Features, Targets: d.Targets, Beam: r.Beam, Frequency: r.Frequency}
	keep, err := r.fitColumns(p, l, train)
	if err != nil {
		return nil, err
	}
	if l.Texts = d.Texts; keep != nil {
		l.Texts = d.Texts.At(keep)
	}
	counted := p.X // before filling and weighing
	if err := r.fitGaps(p, l, train); err != nil {
		return nil, err
	}
	if left, err := r.prune(p, l, keep, train); err != nil {
		return nil, err
	} else if left != nil {
		counted = counted.Keep(left)
		if keep == nil {
			keep = left
		} else {
			keep = data.ValuesAt(keep, left)
		}
	}
	if err := r.fitScales(p, l, train); err != nil {
		return nil, err
	}
	r.fitText(p, l, train)
	if err := p.FitSequences(keep, train); err != nil {
		return nil, err
	}
	p.Kept = keep
	r.fitClasses(p, train)
	if r.Topics > 0 {
		if l.Topics, err = r.topics().Fit(p, l.preparedTexts(), counted, train); err != nil {
			return nil, err
		}
	}
	if err := l.addIndicators(p); err != nil {
		return nil, err
	}
	if err := r.treatColumns(p, l); err != nil {
		return nil, err
	}
	r.fitTargets(p, train)
	return p, r.fitResponses(p, train)
}

// Check finds, before any fold is prepared, what no fold can meet: a column to leave out that does not exist, a missing value
// without a rule to fill it, more topics than documents. O(nnz).
func (r Recipe) Check(d *data.Dataset) error {
	drop, err := r.droppedColumns(d)
	x, features := d.X, d.Features
	if drop != nil {
		var keep []int32
		for j, out := range drop {
			if !out {
				keep = append(keep, int32(j))
			}
		}
		x, features = x.Keep(keep), features.Keep(keep)
	}
	if r.NearZero == (pruning.NearZero{}) && r.Cutoff < 2 { // which leave fewer columns
		if many := r.Correlated.Check(features.Len(), x.NNZ()); many != nil {
			err = errors.Join(err, param.Errorf("prepare.correlated", "%v", many))
		}
	}
	return errors.Join(err, r.checkKept(), r.checkMissing(x, features, d), r.acceptsResponses(d, d.Targets), r.CheckFold(d, nil), r.Probes.Check(d, r.Binary(d.X.Binary())), r.acceptsTreatment(d))
}

// Account returns the account of a data set of which the recipe, without regard to rows, leaves out some columns.
func (r Recipe) Account(d *data.Dataset) account.Account {
	drop, err := r.droppedColumns(d)
	if err != nil || drop == nil {
		return d.Accounts()
	}
	return d.Without("dropped by features", func(j int) bool { return drop[j] })
}

// CheckFold finds, before a fold is prepared, what its training rows are too few for. O(rows).
func (r Recipe) CheckFold(d *data.Dataset, train []int32) error {
	if r.Topics == 0 {
		return nil
	}
	return r.topics().Check(d, train)
}

func (r Recipe) topics() topics.Options {
	return topics.Options{K: r.Topics, From: r.TopicsFrom, Seed: r.TopicSeed}
}

// Classes reports whether the recipe makes classes of columns.
func (r Recipe) Classes() bool { return r.Clusters > 0 || r.Topics > 0 }

// MaxColumns returns the maximum number of columns that can replace one.
func (r Recipe) MaxColumns() int {
	if r.Missing == Indicator {
		return max(1, r.Discretize-1) + 1
	}
	return max(1, r.Discretize-1)
}

// Binary reports whether all entries of prepared data are one; read says that all entries read are.
func (r Recipe) Binary(read bool) bool {
	return (read || r.Discretize > 0) && r.Scale != "sd" && r.TFIDF == "" && r.Normalize == ""
}

// trainingRows returns the only part of a matrix that a recipe may learn from.
func trainingRows(x *sparse.Matrix, train []int32) *sparse.Matrix {
	if train == nil {
		return x
	}
	return x.Pick(train)
}

// fitTargets counts the targets that are mutual information. Values that a fit sees come from training rows alone; other rows have
// their values over all rows, since a join that training never saw has none otherwise.
func (r Recipe) fitTargets(p *data.Prepared, train []int32) {
	for t, target := range p.Targets {
		if target.Pairs == nil {
			continue
		}
		target.Values = target.Pairs.Information(nil)
		if train != nil {
			counted := target.Pairs.Information(train)
			if far := pooled.Compare(target.Values, counted, train); far.IsFar() {
				p.Warnings = append(p.Warnings, far.Words(target.Name, len(target.Values)))
			}
			for _, i := range train {
				target.Values[i] = counted[i]
			}
		}
		p.Targets = slices.Clone(p.Targets)
		p.Targets[t] = target
	}
}
