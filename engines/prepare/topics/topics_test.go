package topics_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/data/sequence"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare"
)

// texts is a data set of rows with words, columns bag_WORD, and a column w_x that none has but where a row says so. The document
// of a row stands before a colon.
func texts(rows ...string) *data.Dataset {
	names, class := []string{"w_x"}, []int32{0}
	documents := make([]string, len(rows))
	var x sparse.Builder
	for i, row := range rows {
		var words string
		documents[i], words, _ = strings.Cut(row, ":")
		var idx []int32
		for word := range strings.FieldsSeq(words) {
			name := "bag_" + word
			if word == "x" {
				name = "w_x"
			}
			j := slices.Index(names, name)
			if j < 0 {
				j = len(names)
				names, class = append(names, name), append(class, 1)
			}
			idx = append(idx, int32(j))
		}
		if err := x.Add(idx, nil); err != nil {
			panic(err)
		}
	}
	return &data.Dataset{
		X: x.Matrix(len(names)), Features: data.NewFeatures(names).WithClasses(class, []string{"w", "bag"}),
		Targets: []data.Target{enginetest.Real("y", make([]float64, len(rows))...)}, Groups: data.GroupBy(data.Documents, documents),
	}
}

// topics of the rows, by name; - for none.
func topics(t *testing.T, v *data.View) []string {
	t.Helper()
	f, out := v.Features(), make([]string, v.Len())
	for i := range out {
		out[i] = "-"
		row := v.Row(i)
		for k, j := range row.Idx {
			if class := f.Class(int(j)); class < 0 || f.Classes()[class] != "tp" {
				continue
			}
			if out[i] != "-" || row.At(k) != 1 {
				t.Errorf("row %d has the topic %s with the value %v, and %s", i, f.Name(int(j)), row.At(k), out[i])
			}
			out[i] = strings.TrimPrefix(f.Name(int(j)), "tp_")
		}
	}
	return out
}

func mustFit(t *testing.T, r prepare.Recipe, d *data.Dataset, train []int32) *data.Prepared {
	t.Helper()
	p, err := r.Fit(d, train)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Two documents about markets, two about dogs. The row "bone x" of d is about markets, as is all else of its document.
var news = []string{
	"a:stock market share the", "a:stock", "b:market stock share x the", "c:dog bone tail", "c:dog the", "d:market share stock the", "d:bone x", "e:dog tail bone the",
	"a:bone tail", "f:stock bone tail", "g:", "g:x", "g:unseen", "h:the",
}

func TestTopics(t *testing.T) {
	train := []int32{0, 1, 2, 3, 4, 5, 6, 7}
	const market, dog = "stock+market+share", "dog+bone+tail"
	want := []string{market, market, market, dog, dog, market, market, dog, dog, dog, "-", "-", "-", "-"}
	for _, recipe := range []prepare.Recipe{
		{Topics: 2, TopicsFrom: "bag"}, {Topics: 2, TopicsFrom: "b*", TopicSeed: 3}, {Topics: 2, TopicsFrom: "bag", Cutoff: 1},
		{Topics: 2, TopicsFrom: "bag", TFIDF: "smooth", Normalize: "l2"}, {Topics: 2, TopicsFrom: "bag", Scale: "sd"},
	} {
		d := texts(news...)
		if err := recipe.Check(d); err != nil {
			t.Error(err)
		}
		p := mustFit(t, recipe, d, train)
		got := topics(t, p.View(nil))
		for i := range got { // names have three words, in an order that weights decide
			got[i] = sortedWords(got[i])
		}
		for i, w := range want {
			if got[i] != sortedWords(w) {
				t.Errorf("%+v: row %d (%s): got %s, want %s", recipe, i, news[i], got[i], w)
			}
		}
		if p.Columns() != p.View(nil).Features().Len() || fmt.Sprint(p.View(train).Features().Classes()) != "[w bag tp]" {
			t.Errorf("%+v: %d columns of the classes %v", recipe, p.Columns(), p.View(train).Features().Classes())
		}
		facts := fmt.Sprint(p.Facts)
		for _, w := range []string{"{topics by k-means (k: 2) 2}", "{training documents 5}", " 3, tp_", " 2}"} {
			if !strings.Contains(facts, w) {
				t.Errorf("%+v: %s is not in %s", recipe, w, facts)
			}
		}
	}
	// Rows by themselves, where groups are no documents: "bone x" is about dogs.
	d := texts(news...)
	d.Groups.Name = "author"
	if got := sortedWords(topics(t, mustFit(t, prepare.Recipe{Topics: 2, TopicsFrom: "bag", TopicSeed: 1}, d, train).View(nil))[6]); got != sortedWords(dog) {
		t.Errorf("without documents: got %s", got)
	}
}

func sortedWords(name string) string {
	words := strings.Split(name, "+")
	slices.Sort(words)
	return strings.Join(words, "+")
}

func TestNamesOfTopics(t *testing.T) {
	// Two topics of one word, and a column that has the name of the first; two topics of the same words.
	d := texts("a:dog", "b:cat", "c:dog", "d:cat")
	genre := data.NewFeatures([]string{"w_x", "tp_dog", "bag_cat", "bag_dog"}).WithClasses([]int32{0, 2, 1, 1}, []string{"w", "bag", "tp"})
	d.X, d.Features = enginetest.Matrix([]float64{0, 1, 0, 1}, []float64{0, 0, 1, 0}, []float64{0, 1, 0, 1}, []float64{0, 0, 1, 0}), genre
	f := mustFit(t, prepare.Recipe{Topics: 2, TopicsFrom: "bag"}, d, nil).View(nil).Features()
	var names []string
	for j := 4; j < f.Len(); j++ {
		names = append(names, f.Name(j))
		if f.Class(j) != 2 {
			t.Errorf("%s is of the class %d", f.Name(j), f.Class(j))
		}
	}
	if got := strings.Join(names, " "); got != "tp_dog#2 tp_cat" {
		t.Errorf("got %s", got)
	}
	if len(f.Classes()) != 3 || genre.Len() != 4 {
		t.Errorf("classes %v; the data set has %d columns now", f.Classes(), genre.Len())
	}
	// No classes at all: the topics have one, the others none.
	d.Features = data.NewFeatures([]string{"x", "genre", "cat", "dog"})
	f = mustFit(t, prepare.Recipe{Topics: 2}, d, nil).View(nil).Features()
	if !f.HasClasses() || f.Class(3) != -1 || f.Class(4) != 0 || f.Name(5) != "tp_cat" || f.Name(4) != "tp_genre+dog" {
		t.Errorf("without classes: %v %d %d %s %s", f.Classes(), f.Class(3), f.Class(4), f.Name(4), f.Name(5))
	}
}

// Test rows change nothing of training rows, nor of each other.
func TestTopicsComeFromTrainingRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := func() (text string) {
		for range 6 {
			text += fmt.Sprintf(" w%d", rng.IntN(30))
		}
		return strings.Join(slices.Compact(slices.Sorted(strings.FieldsSeq(text))), " ")
	}
	var rows []string
	for i := range 60 {
		rows = append(rows, fmt.Sprintf("d%d:%s", i/3, words()))
	}
	train := []int32{}
	for i := range int32(60) {
		if i%3 != 2 {
			train = append(train, i)
		}
	}
	recipe := prepare.Recipe{Topics: 5, TopicsFrom: "bag", Cutoff: 1}
	want := topics(t, mustFit(t, recipe, texts(rows...), train).View(nil))
	for i := 5; i < 60; i += 3 { // all test rows but the first
		rows[i] = fmt.Sprintf("d0:%s", words())
	}
	got := topics(t, mustFit(t, recipe, texts(rows...), train).View(nil))
	for i := range got {
		if (i%3 != 2 || i == 2) && got[i] != want[i] {
			t.Errorf("row %d: %s became %s with other test rows", i, want[i], got[i])
		}
	}
	slices.Reverse(train)
	if again := topics(t, mustFit(t, recipe, texts(rows...), train).View(nil)); !slices.Equal(again, got) {
		t.Error("the order in which training rows are listed changed their topics")
	}
}

// Every document is about the topic whose centroid is nearest by the angle, computed densely.
func TestTopicsAreSettled(t *testing.T) {
	const rows, cols, k = 300, 60, 8
	x := enginetest.Random(4, rows, cols, 0.1, true)
	d := enginetest.Dataset(x, enginetest.Real("y", make([]float64, rows)...))
	v := mustFit(t, prepare.Recipe{Topics: k, TopicSeed: 7}, d, nil).View(nil)
	topic, centroid := make([]int, rows), make([][]float64, v.Columns()-cols)
	unit := make([][]float64, rows)
	for c := range centroid {
		centroid[c] = make([]float64, cols)
	}
	for i := range unit {
		unit[i] = make([]float64, cols)
		topic[i] = -1
		for _, j := range v.Row(i).Idx {
			if j >= cols {
				topic[i] = int(j) - cols
				continue
			}
			unit[i][j] = math.Log(rows / float64(x.Col(int(j)).Len()))
		}
		normalise(unit[i])
		for j, w := range unit[i] {
			centroid[topic[i]][j] += w
		}
	}
	for _, c := range centroid {
		normalise(c)
	}
	for i := range unit {
		own := dot(unit[i], centroid[topic[i]])
		for c := range centroid {
			if dot(unit[i], centroid[c]) > own+1e-9 {
				t.Errorf("row %d is nearer to topic %d than to its own, %d", i, c, topic[i])
			}
		}
	}
	if len(centroid) < k-1 {
		t.Errorf("%d topics of %d", len(centroid), k)
	}
}

func normalise(v []float64) {
	length := math.Sqrt(dot(v, v))
	for j := range v {
		v[j] /= length
	}
}

func dot(a, b []float64) (s float64) {
	for j := range a {
		s += a[j] * b[j]
	}
	return s
}

func TestTopicsRefuse(t *testing.T) {
	for _, c := range []struct {
		name    string
		recipe  prepare.Recipe
		change  func(d *data.Dataset)
		checked bool // before any fold is made
		want    string
	}{
		{"sequences", prepare.Recipe{Topics: 2}, func(d *data.Dataset) { d.Sequences = &sequence.Sequences{Start: []int32{0}, Static: 3} }, true, "prepare.topics: the rows form sequences, which have no topics"},
		{"more than documents", prepare.Recipe{Topics: 9, TopicsFrom: "bag"}, nil, true, "prepare.topics: 9 topics of 8 training documents, expected at most one a document"},
		{"more than training documents", prepare.Recipe{Topics: 3, TopicsFrom: "bag"}, nil, false, "prepare.topics: 3 topics of 2 training documents, expected at most one a document"},
		{"no such class", prepare.Recipe{Topics: 2, TopicsFrom: "bags"}, nil, true, `prepare.topics_from: no column is of the class "bags" (classes: w, bag)`},
		{"no such classes", prepare.Recipe{Topics: 2, TopicsFrom: "t*"}, nil, true, `prepare.topics_from: no column is of the class "t*"`},
		{"no classes", prepare.Recipe{Topics: 2, TopicsFrom: "bag"}, func(d *data.Dataset) { d.Features = data.NumberedFeatures(0, d.Features.Len()) }, true, "but the columns have no classes"},
		{"a cutoff that leaves none", prepare.Recipe{Topics: 2, TopicsFrom: "bag", Cutoff: 5}, nil, false, `no column is of the class "bag"`},
	} {
		d := texts(news...)
		if c.change != nil {
			c.change(d)
		}
		err := c.recipe.Check(d)
		if c.checked != (err != nil) {
			t.Errorf("%s: the check of the whole gave %v", c.name, err)
		}
		if !c.checked {
			_, err = c.recipe.Fit(d, []int32{0, 1, 3})
			if before := c.recipe.CheckFold(d, []int32{0, 1, 3}); (before != nil) != (c.recipe.Cutoff == 0) {
				t.Errorf("%s: the check of the fold gave %v", c.name, before)
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

// Texts that do not differ make fewer topics than were asked for.
func TestEqualTextsAreOneTopic(t *testing.T) {
	d := texts("a:dog", "b:dog", "c:cat", "d:cat", "e:cat")
	if got := topics(t, mustFit(t, prepare.Recipe{Topics: 4, TopicsFrom: "bag"}, d, nil).View(nil)); fmt.Sprint(got) != "[dog dog cat cat cat]" {
		t.Errorf("got %v", got)
	}
	// What is everywhere tells nothing: there is no topic at all.
	d = texts("a:dog", "b:dog")
	p := mustFit(t, prepare.Recipe{Topics: 1, TopicsFrom: "bag"}, d, nil)
	if got := topics(t, p.View(nil)); fmt.Sprint(got) != "[- -]" || !strings.Contains(fmt.Sprint(p.Facts), "of no topic 2") {
		t.Errorf("got %v %v", got, p.Facts)
	}
}

func TestRecipesWithoutTopicsKeepTheirKeys(t *testing.T) {
	b, err := json.Marshal(prepare.Recipe{Cutoff: 2})
	if want := `{"Cutoff":2,"Missing":"","Scale":"","Unseen":""}`; err != nil || string(b) != want {
		t.Errorf("got %s, want %s", b, want)
	}
}

func BenchmarkTopics(b *testing.B) {
	x := enginetest.Random(3, 2000, 5000, 0.004, true)
	d := enginetest.Dataset(x, enginetest.Real("y", make([]float64, 2000)...))
	for b.Loop() {
		if _, err := (prepare.Recipe{Topics: 20}).Fit(d, nil); err != nil {
			b.Fatal(err)
		}
	}
}
