package text

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// Options say how texts become columns. Every format that reads texts has them, under features.
type Options struct {
	Tokens    string `yaml:"tokens" doc:"words (letters, digits, marks, _), blanks (what white space divides), characters"`
	Lower     bool   `yaml:"lower" doc:"write texts in lower case"`
	MinLength int    `yaml:"min_length" doc:"leave out shorter words, in characters"`
	Ngrams    string `yaml:"ngrams" read:"commas" doc:"columns are runs of so many tokens: 2 for one or two, 2-3 or [2, 3] for two or three; up to 9"`
	Values    string `yaml:"values" doc:"of a column in a text: binary (1), count, log (1 + ln count), tf-idf (count × idf), log-tf-idf"`
	IDF       string `yaml:"idf" key:"-" doc:"of n training rows, df with the column: smooth, ln((1+n)/(1+df)) + 1; plain, ln(n/df)"`
	Normalize string `yaml:"normalize" key:"-" doc:"rows: none, l2 (divide by the Euclidean length)"`
	Hash      int    `yaml:"hash" doc:"columns are 2^hash buckets of a hash of the names, 1 to 30 bits; 0 for a column each"`
}

// Defaults are words in lower case, as columns of 0 and 1.
var Defaults = Options{Tokens: Words, Lower: true, MinLength: 1, Ngrams: "1", Values: "binary", IDF: "smooth", Normalize: "none"}

// Stop is the role of a file of words that are left out.
const Stop = "stop"

// Validate checks the options by themselves.
func (o Options) Validate() error {
	errs := []error{
		param.OneOf("features.tokens", o.Tokens, Words, Blanks, Characters),
		param.OneOf("features.values", o.Values, "binary", "count", "log", "tf-idf", "log-tf-idf"),
		param.OneOf("features.idf", o.IDF, "smooth", "plain"), param.OneOf("features.normalize", o.Normalize, "none", "l2"),
	}
	if _, _, err := o.runLengths(); err != nil {
		errs = append(errs, param.Errorf("features.ngrams", "%v", err))
	}
	if o.MinLength < 1 || o.MinLength > 1 && o.Tokens == Characters {
		errs = append(errs, param.Errorf("features.min_length", "%d, expected 1 or more, and 1 where tokens are characters", o.MinLength))
	}
	if o.IDF != "smooth" && !o.weighed() {
		errs = append(errs, param.Errorf("features.idf", "%s means nothing with values: %s; it needs tf-idf or log-tf-idf", o.IDF, o.Values))
	}
	if o.Hash < 0 || o.Hash > 30 {
		errs = append(errs, param.Errorf("features.hash", "%d, expected 1 to 30 bits, or 0", o.Hash))
	}
	return errors.Join(errs...)
}

// weighed reports whether values are multiplied by inverse document frequencies.
func (o Options) weighed() bool { return strings.HasSuffix(o.Values, "tf-idf") }

// runLengths returns the lengths of the shortest and of the longest run of tokens.
func (o Options) runLengths() (shortest, longest int, err error) {
	from, to, both := strings.Cut(strings.Replace(o.Ngrams, ", ", "-", 1), "-")
	if !both {
		from, to = "1", o.Ngrams
	}
	shortest, err1 := strconv.Atoi(from)
	longest, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil || shortest < 1 || longest < shortest || longest > 9 {
		return 0, 0, fmt.Errorf("%q, expected a number from 1 to 9, or two of them such as 2-3 or [2, 3]", o.Ngrams)
	}
	return shortest, longest, nil
}

// Binary reports whether all values are 1.
func (o Options) Binary() bool { return o.Values == "binary" && o.Normalize == "none" }

// Value returns what is stored for a count, nil where it is always 1.
func (o Options) Value() func(count float64) float64 { return values[o.Values] }

// Into adds to a recipe what has to be learned from training rows: inverse document frequencies, and the length of rows.
func (o Options) Into(r prepare.Recipe) prepare.Recipe {
	if o.weighed() {
		r.TFIDF = o.IDF
	}
	if o.Normalize != "none" {
		r.Normalize = o.Normalize
	}
	return r
}

// Counts returns what counts texts. It leaves out the words in the file of the role stop, which are apart by white space.
func (o Options) Counts(in source.Input, encoding string) (*Counts, error) {
	shortest, longest, err := o.runLengths()
	if err != nil {
		return nil, err
	}
	stop, err := o.stopWords(in, encoding)
	if err != nil {
		return nil, err
	}
	return &Counts{
		cutter: Cutter{By: o.Tokens, Lower: o.Lower, MinLength: o.MinLength, Stop: stop, Shortest: shortest, Longest: longest},
		value:  o.Value(), bits: o.Hash, number: map[string]int32{}, bucket: map[uint64]int32{},
	}, nil
}

func (o Options) stopWords(in source.Input, encoding string) (map[string]bool, error) {
	if !in.Has(Stop) {
		return nil, nil
	}
	content, file, err := in.Bytes(Stop)
	if err != nil {
		return nil, err
	}
	if o.Tokens == Characters {
		return nil, fmt.Errorf("%s: words to leave out, but tokens are characters", file)
	}
	if content, err = rawtext.Decode(content, encoding, file); err != nil {
		return nil, err
	}
	words := map[string]bool{}
	all := Cutter{By: Blanks, Lower: o.Lower, Shortest: 1, Longest: 1}
	all.Each(content, func(word []byte) { words[string(word)] = true })
	return words, nil
}
