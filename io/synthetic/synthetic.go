// Package synthetic makes data sets without files, the same on every machine.
package synthetic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/kind"
	"tenfold/io/source"
	"tenfold/io/tuples"
)

// Source generates ten-tuples and a response that depends on a few of their patterns,
//
//	y = Σ over the true patterns of the tuple: its coefficient (standard normal)  +  noise · (standard normal),
//
// where the noise belongs to the tuple: equal tuples have equal responses.
type Source struct {
	Generator string          `yaml:"generator" doc:"tuples: a stream of joins as in a treebank"`
	Rows      int             `yaml:"rows" doc:"rows, 1 to 10 million"`
	Words     int             `yaml:"words" doc:"distinct words, in Zipf's proportions"`
	Tags      int             `yaml:"tags" doc:"distinct tags, nearly determined by the word"`
	Relations int             `yaml:"relations" doc:"distinct relations, nearly determined by the tags"`
	Truth     int             `yaml:"truth" doc:"patterns that the response depends on, drawn from those on at least 20 rows"`
	Noise     float64         `yaml:"noise" doc:"standard deviation of the noise, at least 0: its square is the least possible error"`
	Seed      int64           `yaml:"seed" doc:"seed of the generator; folds and fits have their own"`
	Target    source.Target   `yaml:"target" doc:"response"`
	Features  tuples.Features `yaml:"features"`
}

// Kind is the format synthetic.
var Kind = source.Define(source.Kind{
	Name: "synthetic",
	Doc:  "data that tenfold generates itself, with a known truth",
	Rev:  1,
}, Source{
	Generator: "tuples", Rows: 5000, Words: 400, Tags: 20, Relations: 12, Truth: 40, Noise: 0.5, Seed: 1,
	Target: source.Target{Name: response}, Features: tuples.DefaultFeatures,
})

const (
	response = "response"
	rarest   = 20 // rows on which a true pattern occurs at least
)

// Validate checks the parameters.
func (s Source) Validate() error {
	between := func(field string, value, least, most int) error {
		if value < least || value > most {
			return kind.Errorf(field, "%d, expected %d to %d", value, least, most)
		}
		return nil
	}
	errs := []error{
		kind.OneOf("generator", s.Generator, "tuples"),
		between("rows", s.Rows, 1, 1e7),
		between("words", s.Words, 1, 1e6),
		between("tags", s.Tags, 1, 1e6),
		between("relations", s.Relations, 1, 1e6),
		between("truth", s.Truth, 0, 1e6),
		tuples.CheckTarget(s.Target, map[string]data.Type{response: data.Real}),
		s.Features.Validate(),
	}
	if !(s.Noise >= 0) || math.IsInf(s.Noise, 0) {
		errs = append(errs, kind.Errorf("noise", "%v, expected a finite number of at least 0", s.Noise))
	}
	return errors.Join(errs...)
}

// Declares is a real response on binary columns.
func (s Source) Declares() source.Declares {
	return source.Declares{
		Targets: []source.Declared{{Name: response, Type: data.Real}},
		Roles:   [][]string{{}}, Binary: true, Groups: []string{"pattern"},
	}
}

// Recipe applies the cutoff on training rows.
func (s Source) Recipe() data.Recipe { return data.Recipe{Cutoff: s.Features.Cutoff} }

// Load generates the data set.
func (s Source) Load(ctx context.Context, _ source.Input) (*data.Dataset, error) {
	stream := newStream(s)
	for i := range s.Rows {
		if i%(1<<16) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		stream.add()
	}
	set, err := s.Features.Dataset(ctx, stream.table)
	if err != nil {
		return nil, err
	}
	truth, err := s.truth(set)
	if err != nil {
		return nil, err
	}
	target := data.Target{Name: response, Type: data.Real, Values: s.respond(set, truth)}
	set.Targets = []data.Target{target}
	set.Facts = append(set.Facts, tuples.Describe(target)...)
	set.Facts = append(set.Facts,
		data.Fact{Name: "noise variance", Value: fmt.Sprintf("%.6g", s.Noise*s.Noise)},
		data.Fact{Name: "true patterns", Value: fmt.Sprint(s.Truth)},
		data.Fact{Name: "true coefficients", Value: truth.String(set.Features)})
	return set, nil
}

// truth draws the patterns that count, and their coefficients.
func (s Source) truth(set *data.Dataset) (truth, error) {
	_, columns := set.X.Dims()
	count := make([]int, columns)
	_, idx, _ := set.X.Rows()
	for _, j := range idx {
		count[j]++
	}
	var candidates []int32
	draw := make(map[int32]uint64)
	for j, c := range count {
		if c >= rarest && c < set.Rows() {
			candidates = append(candidates, int32(j))
			draw[int32(j)] = hash(uint64(s.Seed), forChoice, uint64(j))
		}
	}
	if len(candidates) < s.Truth {
		return truth{}, fmt.Errorf("only %d patterns occur on %d rows or more, and truth asks for %d: raise rows or lower truth", len(candidates), rarest, s.Truth)
	}
	slices.SortFunc(candidates, func(a, b int32) int { return cmp.Compare(draw[a], draw[b]) })
	t := truth{column: candidates[:s.Truth], coefficient: make([]float64, columns)}
	slices.Sort(t.column)
	for _, j := range t.column {
		t.coefficient[j] = normal(hash(uint64(s.Seed), forCoefficient, uint64(j)))
	}
	return t, nil
}

// respond computes the response; coefficients are multiples of 2^-16, so their sums are exact.
func (s Source) respond(set *data.Dataset, t truth) []float64 {
	y := make([]float64, set.Rows())
	for i := range y {
		key := set.Groups.Key[set.Groups.Of[i]]
		noise := s.Noise * normal(hash(uint64(s.Seed), forNoise, key))
		y[i] = set.X.Row(i).Dot(t.coefficient) + float64(noise)
	}
	return y
}

// truth is the columns that the response depends on, and every column's coefficient.
type truth struct {
	column      []int32
	coefficient []float64
}

// String lists names and coefficients, separated by commas.
func (t truth) String(names *data.Features) string {
	list := make([]string, len(t.column))
	for k, j := range t.column {
		list[k] = fmt.Sprintf("%s %.4g", names.Name(int(j)), t.coefficient[j])
	}
	return strings.Join(list, ", ")
}
