// Package synthetic makes data sets without files, the same on every machine.
package synthetic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/engines/registry"
	"tenfold/io/formats/tuples"
	"tenfold/io/source"
)

// Source generates a data set and the truth about it. Of the generator tuples, the response depends on a few patterns of
// ten-tuples,
//
//	y = Σ over the true patterns of the tuple: its coefficient (standard normal)  +  noise · (standard normal),
//
// where the noise belongs to the tuple: equal tuples have equal responses. Those of the other generators are in shared.go,
// classed.go, lifetimes.go and joint.go.
type Source struct {
	Generator string          `yaml:"generator" doc:"tuples: a stream of joins as in a treebank; partial, full, independent: responses that share features; classes: features in classes; lifetimes: times until an event, some of them censored; parity: a response that columns decide only together; ring: one that is high in a ring around the middle of its columns"`
	Rows      int             `yaml:"rows" doc:"rows of tuples, 1 to 10 million"`
	Words     int             `yaml:"words" doc:"distinct words, in Zipf's proportions"`
	Tags      int             `yaml:"tags" doc:"distinct tags, nearly determined by the word"`
	Relations int             `yaml:"relations" doc:"distinct relations, nearly determined by the tags"`
	Truth     int             `yaml:"truth" doc:"patterns that the response depends on, drawn from those on at least 20 rows"`
	Noise     float64         `yaml:"noise" doc:"standard deviation of the noise of tuples, at least 0: its square is the least possible error"`
	Seed      int64           `yaml:"seed" doc:"seed of the generator; folds and fits have their own"`
	Target    source.Response `yaml:"target" doc:"response"`
	Features  tuples.Features `yaml:"features"`
	Shared    Shared          `yaml:"shared"`
	Classed   Classed         `yaml:"classed"`
	Lifetimes Lifetimes       `yaml:"lifetimes"`
	Parity    Joint           `yaml:"parity"`
	Ring      Joint           `yaml:"ring"`
}

var defaults = Source{
	Generator: tuplesOf, Rows: 5000, Words: 400, Tags: 20, Relations: 12, Truth: 40, Noise: 0.5, Seed: 1,
	Target: source.Response{Target: source.Target{Name: response}}, Features: tuples.DefaultFeatures,
	Shared:    Shared{Train: 100, Test: 5000, Columns: 2000, Responses: 20, Variance: 0.1},
	Classed:   Classed{Train: 100, Columns: 1000, Classes: 4, Good: 12, Beneficial: 7, Noise: 1.7, Weights: unit},
	Lifetimes: Lifetimes{Rows: 300, Columns: 50, True: 5, Weight: 0.5, Shape: 1, Censored: 0.3},
	Parity:    Joint{Rows: 500, Columns: 100, True: 2},
	Ring:      Joint{Rows: 500, Columns: 100, True: 2},
}

// Kind is the format synthetic.
var Kind = source.Define(source.Kind{
	Name: "synthetic",
	Doc:  "data that tenfold generates itself, with a known truth",
	Cite: "Dhillon, Foster & Ungar 2011 (JMLR 12), section 5.1: partial, full, independent, classes",
	Rev:  1,
}, defaults)

const (
	response = "response"
	rarest   = 20 // rows on which a true pattern occurs at least
)

// The generators.
const (
	tuplesOf    = "tuples"
	partial     = "partial"
	full        = "full"
	independent = "independent"
	classed     = "classes"
	lifetimes   = "lifetimes"
	parity      = "parity"
	ring        = "ring"
)

// Validate checks the parameters.
func (s Source) Validate() error {
	errs := []error{
		param.OneOf("generator", s.Generator, tuplesOf, partial, full, independent, classed, lifetimes, parity, ring),
		requireRange("rows", s.Rows, 1, 1e7),
		requireRange("words", s.Words, 1, 1e6),
		requireRange("tags", s.Tags, 1, 1e6),
		requireRange("relations", s.Relations, 1, 1e6),
		requireRange("truth", s.Truth, 0, 1e6),
		notNegative("noise", s.Noise),
		s.checkTarget(), s.Features.Validate(), s.Shared.Validate(), s.Classed.Validate(), s.Lifetimes.Validate(), s.Parity.validate("parity"), s.Ring.validate("ring"), s.checkUnused(),
	}
	return errors.Join(errs...)
}

func requireRange(field string, value, least, most int) error {
	if value < least || value > most {
		return param.Errorf(field, "%d, expected %d to %d", value, least, most)
	}
	return nil
}

func notNegative(field string, x float64) error {
	if !(x >= 0) || math.IsInf(x, 0) {
		return param.Errorf(field, "%v, expected a finite number of at least 0", x)
	}
	return nil
}

func (s Source) checkTarget() error {
	t, offered := s.Target.Target, data.Real
	if s.Generator == lifetimes {
		offered = data.Survival
	}
	if s.Target.Binarize != "" {
		t.Positive = ""
	}
	if err := errors.Join(tuples.CheckTarget(t, map[string]data.Type{response: offered}), s.Target.Validate()); err != nil {
		return err
	}
	if s.Generator == lifetimes && s.Target.Binarize != "" {
		return param.Errorf("generator", "lifetimes, and target.binarize: times, some of them censored, cannot be cut by their mean")
	}
	if s.Target.Missing != "" && s.Target.Missing != "error" {
		return param.Errorf("target.missing", "no generated response is missing")
	}
	return nil
}

// checkUnused refuses parameters of other generators.
func (s Source) checkUnused() error {
	used := func(field string) bool {
		group, rest, _ := strings.Cut(field, ".")
		if rest, _, _ := strings.Cut(rest, "."); group == "features" && rest != "templates" && rest != "cutoff" {
			return true // of every data set
		}
		switch group {
		case "generator", "seed", "target":
			return true
		case "shared":
			return s.Generator == partial || s.Generator == full || s.Generator == independent
		case "classed":
			return s.Generator == classed
		case "lifetimes":
			return s.Generator == lifetimes
		case "parity":
			return s.Generator == parity
		case "ring":
			return s.Generator == ring
		}
		return s.Generator == tuplesOf
	}
	var errs []error
	for _, p := range registry.Params(s, defaults) {
		if !used(p.Name) && !reflect.DeepEqual(p.Value, p.Default) {
			errs = append(errs, param.Errorf(p.Name, "it has no meaning for the generator %s", s.Generator))
		}
	}
	return errors.Join(errs...)
}

// Declares describes the data set that the generator makes.
func (s Source) Declares() source.Declares {
	declares := source.Declares{Roles: [][]string{{}}, Groups: []string{}}
	names := []string{response}
	switch s.Generator {
	case tuplesOf:
		declares.Binary, declares.Groups = true, []string{"pattern"}
	case lifetimes, ring:
	case parity:
		declares.Binary = true
	case classed:
		declares.Classes, declares.Parts = true, s.Classed.Test > 0
	default:
		names, declares.Parts = s.Shared.responseNames(), s.Shared.Test > 0
	}
	asks := data.Real
	switch {
	case s.Generator == lifetimes:
		asks = data.Survival
	case s.Target.Binarize != "":
		asks = data.Class
	}
	for _, name := range names {
		declares.Targets = append(declares.Targets, source.Declared{Name: name, Type: asks})
	}
	return declares
}

// Recipe applies the cutoff on training rows.
func (s Source) Recipe() prepare.Recipe {
	r := prepare.Recipe{}
	if s.Generator == tuplesOf {
		r.Cutoff = s.Features.Cutoff
	}
	s.Target.Into(&r)
	return s.Features.Treatment.Into(r)
}

// Load generates the data set.
func (s Source) Load(ctx context.Context, _ source.Input) (*data.Dataset, error) {
	generate := s.tuplesDataset
	switch s.Generator {
	case partial, full, independent:
		generate = s.sharedDataset
	case classed:
		generate = s.classedDataset
	case lifetimes:
		generate = s.lifetimesDataset
	case parity:
		generate = s.jointDataset(s.Parity, drawParity)
	case ring:
		generate = s.jointDataset(s.Ring, drawRing)
	}
	set, err := generate(ctx)
	if err != nil {
		return nil, err
	}
	return s.Target.Finish(set, source.Gaps{})
}

func (s Source) tuplesDataset(ctx context.Context) (*data.Dataset, error) {
	stream := newStream(s)
	for i := range s.Rows {
		if i%(1<<16) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		stream.drawTuple()
	}
	set, err := s.Features.Dataset(ctx, stream.table)
	if err != nil {
		return nil, err
	}
	truth, err := s.drawTruth(set)
	if err != nil {
		return nil, err
	}
	target := data.Target{Name: response, Type: data.Real, Values: s.computeResponse(set, truth)}
	set.Targets = []data.Target{target}
	for _, j := range truth.column {
		set.Truth = append(set.Truth, data.True{Feature: j, Value: truth.coefficient[j]})
	}
	set.Facts = append(set.Facts, tuples.Describe(target)...)
	set.Facts = append(set.Facts,
		data.Fact{Name: "noise variance", Value: fmt.Sprintf("%.6g", s.Noise*s.Noise)},
		data.Fact{Name: "true patterns", Value: fmt.Sprint(s.Truth)},
		data.Fact{Name: "true coefficients", Value: truth.String(set.Features)})
	return set, nil
}

// drawTruth draws the patterns that count, and their coefficients.
func (s Source) drawTruth(set *data.Dataset) (truth, error) {
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
			draw[int32(j)] = hashNumbers(uint64(s.Seed), forChoice, uint64(j))
		}
	}
	if len(candidates) < s.Truth {
		return truth{}, fmt.Errorf("only %d patterns occur on %d rows or more, and truth asks for %d: raise rows or lower truth", len(candidates), rarest, s.Truth)
	}
	slices.SortFunc(candidates, func(a, b int32) int { return cmp.Compare(draw[a], draw[b]) })
	t := truth{column: candidates[:s.Truth], coefficient: make([]float64, columns)}
	slices.Sort(t.column)
	for _, j := range t.column {
		t.coefficient[j] = hashToNormal(hashNumbers(uint64(s.Seed), forCoefficient, uint64(j)))
	}
	return t, nil
}

// computeResponse sums the coefficients of the patterns of each row and noise; coefficients are multiples of 2^-16, so
// their sums are exact.
func (s Source) computeResponse(set *data.Dataset, t truth) []float64 {
	y := make([]float64, set.Rows())
	for i := range y {
		key := set.Groups.Key[set.Groups.Of[i]]
		noise := s.Noise * hashToNormal(hashNumbers(uint64(s.Seed), forNoise, key))
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
