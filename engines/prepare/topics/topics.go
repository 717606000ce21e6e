// Package topics finds what the texts of a data set are about: clusters of the training documents, by spherical k-means, each of
// which becomes a 0/1 column. Options.Fit finds them, and is where to begin; a Model says which topic other rows are about.
package topics

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/data/texts"
	"tenfold/engines/numeric/exact"
	"tenfold/engines/numeric/kmeans"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
	"tenfold/engines/prepare/tfidf"
)

// class is the class of topic columns.
const class = "tp"

// Options say how many topics there are, and what they are found on.
type Options struct {
	K    int
	From string // the class of the columns, of several classes if it ends in *; "": all columns
	Seed int64
}

// Check returns an error if no topics can be found, whichever columns a cutoff leaves. O(rows + columns).
func (o Options) Check(d *data.Dataset, train []int32) error {
	if _, err := o.columns(d, d.Features, d.Texts); err != nil {
		return err
	}
	_, n, _ := numberDocuments(d, train)
	return o.checkDocuments(n)
}

// checkDocuments returns an error if there are fewer training documents than topics.
func (o Options) checkDocuments(documents int) error {
	if documents < o.K {
		return param.Errorf("prepare.topics", "%d topics of %d training documents, expected at most one a document", o.K, documents)
	}
	return nil
}

// Fit gives every row of p one 0/1 column that says which topic it is about. Topics are clusters of the training documents, by
// spherical k-means (Dhillon & Modha 2001) on some columns of x, weighed by inverse document frequencies: a column that df of n
// documents have gets the weight ln(n/df).
//
// A document is a group of rows, if the groups are documents, or else a row. It has the columns of its training rows, and all of
// these rows are about its topic. Any other row is about the topic whose centroid is nearest to the row's own columns, even if
// other rows of its document are training rows: labels and other test rows change nothing. A row without any of the columns is
// about none.
//
// x holds the columns of p before they are weighed, and words says which of them are made of texts. The topics of the training rows'
// documents are added to the facts of p.
func (o Options) Fit(p *data.Prepared, words *texts.Columns, x *sparse.Matrix, train []int32) (*Model, error) {
	columns, err := o.columns(p.Set, p.Features, words)
	if err != nil {
		return nil, err
	}
	document, n, all := numberDocuments(p.Set, train)
	if err := o.checkDocuments(n); err != nil {
		return nil, err
	}
	texts := maxByDocument(x.Keep(columns), document, all)
	idf := tfidf.InverseFrequency("plain", n, tfidf.DocumentFrequency(texts.Range(0, n), nil))
	texts = tfidf.ScaleColumns(texts, idf)
	scale := inverseLengths(texts)

	points := kmeans.Points{At: texts.Row, Mean: make([]float64, n), Scale: scale[:n], Dims: len(columns)}
	clusters := kmeans.Spherical(points, o.K, data.UniformStream(uint64(o.Seed)))
	to, topics := clusters.Number()
	found := &Model{Columns: columns, IDF: idf, K: clusters.K, Centroids: clusters.Coords, Norm2: clusters.Norm2, To: to}
	topic := slices.Grow(clusters.Of, all-n)
	for i, c := range topic {
		if c >= 0 {
			topic[i] = to[c]
		}
	}
	topic = append(topic, found.nearestTopics(texts.Range(n, all), scale[n:])...)
	found.Names = nameTopics(p, columns, found.heaviestColumns(topics))
	addColumns(p, len(found.Names), document, topic)
	p.Features = p.Features.WithColumns(found.Names, class)
	addFacts(p, o.K, found.Names, topic[:n])
	return found, nil
}

// Model assigns texts to topics: to the nearest of some centroids. The columns used are weighed by inverse document frequencies;
// centroids are stored by column, centroid c along the i-th at i·K + c.
type Model struct {
	Names     []string     `json:"names"`   // of the topics' columns
	Columns   []int32      `json:"columns"` // that topics are found on, rising
	IDF       exact.Floats `json:"idf"`     // of these
	K         int          `json:"k"`
	Centroids exact.Floats `json:"centroids"`
	Norm2     exact.Floats `json:"norm2"` // squared lengths, infinite for a cluster that lost all its texts
	To        []int32      `json:"to"`    // the topic of each centroid, -1 for none
}

// nearestTopics returns the nearest topic of each text, from weighed texts and the inverses of their lengths; -1 for those without
// any of the columns.
func (t *Model) nearestTopics(texts *sparse.Matrix, scale []float64) []int32 {
	m := kmeans.Centroids{K: t.K, Coords: t.Centroids, Norm2: t.Norm2}
	topic, product := make([]int32, len(scale)), make([]float64, t.K)
	for i := range topic {
		topic[i] = -1
		if scale[i] == 0 || t.K == 0 {
			continue
		}
		if c, _, _ := m.Nearest(texts.Row(i), scale[i], product); c >= 0 {
			topic[i] = t.To[c]
		}
	}
	return topic
}

// columns returns the columns of a data set, named by f, on which topics are found; if only some are made of texts, among these.
func (o Options) columns(d *data.Dataset, f *data.Features, texts *texts.Columns) ([]int32, error) {
	if d.Sequences != nil {
		return nil, param.Errorf("prepare.topics", "the rows form sequences, which have no topics")
	}
	var columns []int32
	for j := range f.Len() {
		if texts != nil && !texts.Is(j) {
			continue
		}
		if o.From == "" || f.Class(j) >= 0 && o.fromClass(f.Classes()[f.Class(j)]) {
			columns = append(columns, int32(j))
		}
	}
	switch {
	case len(columns) > 0:
		return columns, nil
	case o.From == "":
		return nil, param.Errorf("prepare.topics", "there is no column to find topics on")
	case !f.HasClasses():
		return nil, param.Errorf("prepare.topics_from", "%q, but the columns have no classes; leave it out to find topics on all of them", o.From)
	}
	return nil, param.Errorf("prepare.topics_from", "no column is of the class %q (classes: %s)", o.From, strings.Join(f.Classes(), ", "))
}

// fromClass reports whether topics are found on a class of columns.
func (o Options) fromClass(class string) bool {
	prefix, several := strings.CutSuffix(o.From, "*")
	return class == o.From || several && strings.HasPrefix(class, prefix)
}

// numberDocuments numbers the document of each row: those of training rows first, in order of their rows, below n; then each
// further row, which is a document of its own.
func numberDocuments(d *data.Dataset, train []int32) (document []int32, n, all int) {
	rows := d.Rows()
	document = slices.Repeat([]int32{-1}, rows)
	if train == nil {
		train = data.Numbers(rows)
	}
	for _, i := range train {
		document[i] = 0
	}
	number := map[int32]int32{}
	for i := range document {
		if document[i] < 0 {
			continue
		}
		text := int32(i)
		if d.Groups != nil && d.Groups.Name == data.Documents {
			text = d.Groups.Of[i]
		}
		k, known := number[text]
		if !known {
			k = int32(len(number))
			number[text] = k
		}
		document[i] = k
	}
	n = len(number)
	all = n
	for i := range document {
		if document[i] < 0 {
			document[i] = int32(all)
			all++
		}
	}
	return document, n, all
}

// maxByDocument merges the rows of documents: row k of the result has, in each column, the largest value of a row with document[i] = k,
// if that is positive.
func maxByDocument(x *sparse.Matrix, document []int32, n int) *sparse.Matrix {
	_, cols := x.Dims()
	value := make([]float64, cols)
	ptr, idx, val := make([]int, 1, n+1), []int32{}, []float64{}
	for _, rows := range rowsOf(document, n) {
		from := len(idx)
		for _, i := range rows {
			row := x.Row(int(i))
			for k, j := range row.Idx {
				v := row.At(k)
				if !(v > value[j]) { // also skips missing values
					continue
				}
				if value[j] == 0 {
					idx = append(idx, j)
				}
				value[j] = v
			}
		}
		slices.Sort(idx[from:])
		for _, j := range idx[from:] {
			val = append(val, value[j])
			value[j] = 0
		}
		ptr = append(ptr, len(idx))
	}
	return sparse.New(cols, ptr, idx, val)
}

// rowsOf returns the rows of each of n documents.
func rowsOf(document []int32, n int) [][]int32 {
	rows := make([][]int32, n)
	for i, k := range document {
		rows[k] = append(rows[k], int32(i))
	}
	return rows
}

// inverseLengths returns one over the length of each row; 0 for a row of zeros.
func inverseLengths(x *sparse.Matrix) []float64 {
	rows, _ := x.Dims()
	out := make([]float64, rows)
	for i := range out {
		row, sum := x.Row(i), 0.0
		for k := range row.Idx {
			v := row.At(k)
			sum += float64(v * v)
		}
		if sum > 0 {
			out[i] = 1 / math.Sqrt(sum)
		}
	}
	return out
}

// namedBy is the number of columns that name a topic.
const namedBy = 3

// heaviestColumns returns the columns of largest weight in the centroid of each topic, by place among the columns used: the
// heaviest first, on ties the first.
func (t *Model) heaviestColumns(topics int) [][]int {
	out := make([][]int, topics)
	for c, k := range t.To {
		if k < 0 {
			continue
		}
		for len(out[k]) < namedBy {
			best, weight := -1, 0.0
			for j := range t.Columns {
				if w := t.Centroids[j*t.K+c]; w > weight*(1+1e-9) && !slices.Contains(out[k], j) {
					best, weight = j, w
				}
			}
			if best < 0 {
				break
			}
			out[k] = append(out[k], best)
		}
	}
	return out
}

// nameTopics names topics by columns: tp_market+stock+share. A name that another column has gets the suffix #2, #3 and so on.
func nameTopics(p *data.Prepared, columns []int32, heaviest [][]int) []string {
	names := make([]string, len(heaviest))
	for k, places := range heaviest {
		words := make([]string, len(places))
		for i, place := range places {
			words[i] = p.Features.Unprefixed(int(columns[place]))
		}
		name := class + "_" + strings.Join(words, "+")
		names[k] = name
		taken := func() bool { _, is := p.Features.Lookup(names[k]); return is || slices.Contains(names[:k], names[k]) }
		for n := 2; taken(); n++ {
			names[k] = fmt.Sprintf("%s#%d", name, n)
		}
	}
	return names
}

// addColumns appends n columns to the matrix: row i has a one in column topic[document[i]], in none if this is -1.
func addColumns(p *data.Prepared, n int, document, topic []int32) {
	rows, cols := p.X.Dims()
	from, old, values := p.X.Rows()
	ptr, idx := make([]int, 1, rows+1), make([]int32, 0, p.X.NNZ()+rows)
	var val []float64
	for i := range rows {
		a, b := from[i], from[i+1]
		idx = append(idx, old[a:b]...)
		if values != nil {
			val = append(val, values[a:b]...)
		}
		if t := topic[document[i]]; t >= 0 {
			idx = append(idx, int32(cols)+t)
			if values != nil {
				val = append(val, 1)
			}
		}
		ptr = append(ptr, len(idx))
	}
	p.X = sparse.New(cols+n, ptr, idx, val)
}

// addFacts adds facts about the training documents, of which topic holds the topics.
func addFacts(p *data.Prepared, k int, names []string, topic []int32) {
	size, none := make([]int, len(names)), 0
	for _, t := range topic {
		if t < 0 {
			none++
			continue
		}
		size[t]++
	}
	each := make([]string, len(names))
	for c, name := range names {
		each[c] = fmt.Sprintf("%s %d", name, size[c])
	}
	p.AddFact(fmt.Sprintf("topics by k-means (k: %d)", k), fmt.Sprint(len(names)))
	p.AddFact("training documents", fmt.Sprint(len(topic)))
	p.AddFact("training documents of each topic", strings.Join(each, ", "))
	if none > 0 {
		p.AddFact("training documents without any of the columns, of no topic", fmt.Sprint(none))
	}
}

// Check returns an error unless the parts fit together, for as many columns as the model's rows have.
func (t *Model) Check(columns int) error {
	for k, j := range t.Columns {
		if j < 0 || int(j) >= columns || k > 0 && j <= t.Columns[k-1] {
			return fmt.Errorf("topics look at column %d of %d", j, columns)
		}
	}
	if t.K < 0 || len(t.IDF) != len(t.Columns) || len(t.Norm2) != t.K || len(t.To) != t.K || t.K > 0 && len(t.Centroids)/t.K != len(t.Columns) || len(t.Centroids) != t.K*len(t.Columns) {
		return fmt.Errorf("%d centroids of topics do not fit %d columns", t.K, len(t.Columns))
	}
	for _, to := range t.To {
		if to < -1 || int(to) >= len(t.Names) {
			return fmt.Errorf("topic %d of %d", to, len(t.Names))
		}
	}
	return nil
}

// AddTo appends the columns of the topics to the matrix of p, whose rows have the given columns before they are weighed.
func (t *Model) AddTo(p *data.Prepared, counted *sparse.Matrix) {
	rows, _ := counted.Dims()
	texts := tfidf.ScaleColumns(maxByDocument(counted.Keep(t.Columns), data.Numbers(rows), rows), t.IDF)
	addColumns(p, len(t.Names), data.Numbers(rows), t.nearestTopics(texts, inverseLengths(texts)))
}
