// Package folds divides the rows of a data set into training and test rows. Folds are made once per data set and shared
// by every algorithm; a digest of their row numbers lets comparisons refuse to pair what was split differently.
package folds

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/io/source"
)

// Spec is the section folds of an experiment file. Modifiers (stratify, by, repeats, seed) combine with every kind for which they
// are meaningful. The names stratified, grouped and repeated mean kfold with that modifier.
type Spec struct {
	Kind     string  `yaml:"kind" read:"scalar" doc:"kfold, holdout, given, time (stratified, grouped, repeated: kfold with that modifier)"`
	K        int     `yaml:"k" doc:"number of folds, at least 2 (kfold; default 10), or of test blocks (time; default 1)"`
	Test     float64 `yaml:"test" doc:"holdout, time: share of the rows in (0,1), or a number of rows; default 0.1"`
	By       string  `yaml:"by" doc:"group whose rows stay on one side (time: training rows of groups that the test rows have are left out)"`
	Stratify bool    `yaml:"stratify" doc:"equal shares of the classes, or of events and censored rows, in every fold; of several targets, of the first"`
	Repeats  int     `yaml:"repeats" doc:"times that the split is drawn again; default 1"`
	Seed     *int64  `yaml:"seed" doc:"seed of the split; default the file's"`
	Column   string  `yaml:"column" doc:"given: the group column whose values name the folds; time: the time column"`
	// File is read by package foldlist.
	File   source.Ref `yaml:"file" doc:"given: a list of folds, a line for each row on a side: row (from 0) or id, fold, side (train, test), repeat, dataset; as tenfold folds writes it, or the splits of an OpenML task"`
	Gap    Span       `yaml:"gap" doc:"time: what is left out between training and test rows, a number of rows or, with dates, a time (30d, 2w, 36h)"`
	Window Span       `yaml:"window" doc:"time: at most so many training rows, the latest, or those of so long a time; 0 takes all"`
}

// Default returns the spec of a file without the section folds.
func Default() Spec { return Spec{Kind: "kfold", K: 10} }

// Normalised fills in defaults and resolves alternative names.
func (s Spec) Normalised() Spec {
	switch s.Kind {
	case "stratified":
		s.Kind, s.Stratify = "kfold", true
	case "grouped", "repeated", "":
		s.Kind = "kfold"
	}
	switch {
	case s.K == 0 && s.Kind == "kfold":
		s.K = 10
	case s.K == 0:
		s.K = 1
	}
	if s.Test == 0 && (s.Kind == "holdout" || s.Kind == "time") {
		s.Test = 0.1
	}
	s.Repeats = max(s.Repeats, 1)
	return s
}

// Validate checks the section by itself.
func (s Spec) Validate() error {
	var errs []error
	bad := func(cond bool, field, format string, args ...any) {
		if cond {
			errs = append(errs, param.Errorf(field, format, args...))
		}
	}
	if err := param.OneOf("kind", s.Kind, append([]string{""}, kindNames()...)...); err != nil {
		return err
	}
	grouped := s.Kind == "grouped"
	repeated := s.Kind == "repeated"
	n := s.Normalised()
	bad(n.Kind == "kfold" && n.K < 2, "k", "%d folds, expected at least 2", s.K)
	bad(s.K < 0, "k", "%d folds, expected a positive number", s.K)
	bad(s.K != 0 && (n.Kind == "holdout" || n.Kind == "given"), "k", "has no meaning for %s", n.Kind)
	bad(grouped && s.By == "", "by", "grouped folds need by: the group whose rows stay together")
	bad(repeated && s.Repeats < 2, "repeats", "repeated folds need repeats: of at least 2")
	bad(s.Test < 0, "test", "%v, expected a share in (0,1) or a number of rows", s.Test)
	bad(s.Test >= 1 && s.Test != float64(int(s.Test)), "test", "%v, expected a share in (0,1) or a whole number of rows", s.Test)
	bad(s.Test != 0 && n.Kind != "holdout" && n.Kind != "time", "test", "has no meaning for %s", n.Kind)
	bad(s.Test >= 1 && s.By != "" && n.Kind == "holdout", "test", "%v rows: with by: give a share in (0,1), since groups are not cut", s.Test)
	bad(s.Repeats < 0, "repeats", "%d, expected at least 1", s.Repeats)
	bad(s.Repeats > maxCount, "repeats", "%d, expected at most %d", s.Repeats, maxCount)
	bad(s.K > maxCount, "k", "%d folds, expected at most %d", s.K, maxCount)
	bad(s.Repeats > 1 && (n.Kind == "given" || n.Kind == "time"), "repeats", "a %s split has nothing to draw again", n.Kind)
	bad(s.Stratify && (n.Kind == "given" || n.Kind == "time"), "stratify", "has no meaning for %s", n.Kind)
	bad(s.Stratify && n.Kind == "holdout" && s.By != "", "stratify", "a hold-out by group cannot be stratified as well; kfold can")
	bad(s.By != "" && n.Kind == "given", "by", "has no meaning for %s", n.Kind)
	bad(s.Column != "" && n.Kind != "given" && n.Kind != "time", "column", "has no meaning for %s", n.Kind)
	if s.File != (source.Ref{}) {
		bad(n.Kind != "given", "file", "has no meaning for %s", n.Kind)
		bad(s.Column != "", "file", "folds are given by a file or by column %q, expected one of the two", s.Column)
		if err := s.File.Validate(); err != nil {
			errs = append(errs, param.Errorf("file", "%v", err))
		}
	}
	bad(s.Gap != (Span{}) && n.Kind != "time", "gap", "has no meaning for %s", n.Kind)
	bad(s.Window != (Span{}) && n.Kind != "time", "window", "has no meaning for %s", n.Kind)
	return errors.Join(errs...)
}

// maxCount bounds the folds of a repeat, and the repeats: their product fits an int on any machine.
const maxCount = 1_000_000

// Fold is one division of the rows; both lists rise.
type Fold struct {
	Repeat, ID  int
	Train, Test []int32
	Digest      string // hash of both lists
}

// Split makes the folds of a data set: repeats in order, folds in order. seed is the file's. If ctx ends, the error is
// its cause.
func (s Spec) Split(ctx context.Context, d *data.Dataset, seed int64) ([]Fold, error) {
	s = s.Normalised()
	if s.Seed != nil {
		seed = *s.Seed
	}
	s, err := s.keepSequences(d)
	if err != nil {
		return nil, err
	}
	if s.By != "" && (d.Groups == nil || d.Groups.Name != s.By) {
		have := "the data set has no groups"
		if d.Groups != nil {
			have = fmt.Sprintf("the data set's group is %q", d.Groups.Name)
		}
		return nil, fmt.Errorf("folds by %q: %s", s.By, have)
	}
	if s.Stratify && d.Targets[0].Strata() == 0 {
		return nil, fmt.Errorf("folds: stratify needs a target with classes, or of survival; %s is %s", d.Targets[0].Name, d.Targets[0].Type)
	}
	var out []Fold
	for repeat := range s.Repeats {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		tests, err := s.kindOf().divide(s, d, repeatSeed(uint64(seed), uint64(repeat)))
		if err != nil {
			return nil, fmt.Errorf("folds: %w", err)
		}
		for id, f := range tests {
			f.Repeat, f.ID = repeat, id
			if len(f.Test) == 0 || len(f.Train) == 0 {
				return nil, fmt.Errorf("folds: fold %d of repeat %d has %d training and %d test rows of %d; no side may be empty",
					id, repeat, len(f.Train), len(f.Test), d.Rows())
			}
			f.Digest = foldDigest(f.Train, f.Test)
			out = append(out, f)
		}
	}
	return out, nil
}

// Of returns the fold of these rows, which it sorts. Without training rows, all others of the data train.
func Of(repeat, id int, train, test []int32, rows int) Fold {
	slices.Sort(test)
	f := Fold{Repeat: repeat, ID: id, Train: train, Test: test}
	if slices.Sort(train); len(train) == 0 {
		tested := make([]bool, rows)
		for _, i := range test {
			tested[i] = true
		}
		f.Train = foldOfTest(tested).Train
	}
	f.Digest = foldDigest(f.Train, f.Test)
	return f
}

// AllRows returns the fold that trains on all rows and tests on none.
func AllRows(rows int) Fold {
	f := Fold{Train: make([]int32, rows)}
	for i := range f.Train {
		f.Train[i] = int32(i)
	}
	f.Digest = foldDigest(f.Train, nil)
	return f
}

// repeatSeed returns the seed of a repeat. The first repeat takes the seed as it is, so that a published split can be
// reproduced.
func repeatSeed(seed, repeat uint64) uint64 { return seed + repeat*0x9E3779B97F4A7C15 }

// permutation draws a permutation of 0..n-1.
func permutation(n int, seed uint64) []int32 {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	rand.New(rand.NewPCG(seed, 0x666f6c6473)).Shuffle(n, func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
	return rows
}

// foldOfTest makes one fold from a test indicator.
func foldOfTest(test []bool) Fold {
	n := 0
	for _, t := range test {
		if t {
			n++
		}
	}
	f := Fold{Train: make([]int32, 0, len(test)-n), Test: make([]int32, 0, n)}
	for i, t := range test {
		if t {
			f.Test = append(f.Test, int32(i))
		} else {
			f.Train = append(f.Train, int32(i))
		}
	}
	return f
}

// foldsByNumber makes k folds from the number of the fold in which each row is tested.
func foldsByNumber(number []int32, k int) []Fold {
	out, size := make([]Fold, k), make([]int, k)
	for _, n := range number {
		if int(n) < k {
			size[n]++
		}
	}
	for f := range out {
		out[f].Train, out[f].Test = make([]int32, 0, len(number)-size[f]), make([]int32, 0, size[f])
	}
	for i, n := range number {
		for f := range out {
			if int32(f) == n {
				out[f].Test = append(out[f].Test, int32(i))
			} else {
				out[f].Train = append(out[f].Train, int32(i))
			}
		}
	}
	return out
}

// foldDigest hashes the row numbers of both sides.
func foldDigest(train, test []int32) string {
	h := sha256.New()
	var buf []byte
	for _, side := range [][]int32{train, test} {
		buf = binary.LittleEndian.AppendUint64(buf[:0], uint64(len(side)))
		for _, i := range side {
			if len(buf) >= 1<<16 {
				h.Write(buf)
				buf = buf[:0]
			}
			buf = binary.LittleEndian.AppendUint32(buf, uint32(i))
		}
		h.Write(buf)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// LeaveOut returns the fold without training rows of weight 0, which are as if they were not there. weight is that of all rows; nil: 1
// each.
func (f Fold) LeaveOut(weight []float64) Fold {
	if weight == nil || !slices.ContainsFunc(f.Train, func(i int32) bool { return weight[i] == 0 }) {
		return f
	}
	f.Train = slices.DeleteFunc(slices.Clone(f.Train), func(i int32) bool { return weight[i] == 0 })
	f.Digest = foldDigest(f.Train, f.Test)
	return f
}

// Reduce keeps a share of a fold's training rows (whole groups if by is set), for learning curves. Shares drawn with one
// seed are nested: a smaller one is a subset of a larger one.
func (f Fold) Reduce(d *data.Dataset, share float64, by string, seed int64) Fold {
	if share >= 1 {
		return f
	}
	keep := f.Train[:0:0]
	if d.Sequences != nil && d.Groups != nil {
		by = d.Groups.Name
	}
	if by != "" && d.Groups != nil {
		for _, i := range f.Train {
			if data.Uniform(d.Groups.Key[d.Groups.Of[i]], repeatSeed(uint64(seed), uint64(f.Repeat))^0x7368617265) < share {
				keep = append(keep, i)
			}
		}
	} else {
		perm := permutation(len(f.Train), repeatSeed(uint64(seed), uint64(f.Repeat*1000+f.ID))^0x7368617265)
		for _, k := range perm[:max(1, int(float64(share*float64(len(perm)))+0.5))] {
			keep = append(keep, f.Train[k])
		}
		slices.Sort(keep)
	}
	f.Train = keep
	f.Digest = foldDigest(f.Train, f.Test)
	return f
}
