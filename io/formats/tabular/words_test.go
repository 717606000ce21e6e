package tabular

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/data/texts"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/labels"
	"tenfold/io/formats/documents"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

const news = "title,price,body,kind,y\n" +
	"Good news,1.5,\"news, good news\",a,5\n" +
	"Bad,0,,b,6\n" +
	"No news,2,NA,a,7\n"

func TestTexts(t *testing.T) {
	texts := func(t *Text) { t.Columns.Text, t.Columns.Categorical = []string{"title", "body"}, []string{"kind"} }
	for _, c := range []struct {
		name, want string
		with       func(*Text)
	}{
		{"apart", "title:good:1 title:news:1 price:1.5 body:news:1 body:good:1 kind=a:1 ;title:bad:1 kind=b:1 ;title:news:1 title:no:1 price:2 kind=a:1 ;", nil},
		{"a pattern", "title:good:1 title:news:1 price:1.5 body:news:1 body:good:1 kind=a:1 ;title:bad:1 kind=b:1 ;title:news:1 title:no:1 price:2 kind=a:1 ;", func(t *Text) {
			t.Columns.Text = []string{"*"}
			t.Columns.Drop = []string{}
			t.Columns.Codes = nil
			t.Columns.Text = []string{"t*", "b*"}
		}},
		{"counts", "title:good:1 title:news:1 price:1.5 body:news:2 body:good:1 kind=a:1 ;title:bad:1 kind=b:1 ;title:news:1 title:no:1 price:2 kind=a:1 ;", func(t *Text) { t.Features.Values = "count" }},
		{"joined", "body+title:news:3 body+title:good:2 price:1.5 kind=a:1 ;body+title:bad:1 kind=b:1 ;body+title:news:1 body+title:no:1 price:2 kind=a:1 ;", func(t *Text) { t.Features.Texts, t.Features.Values = "joined", "count" }},
		{"joined, one each", "body+title:news:1 body+title:good:1 price:1.5 kind=a:1 ;body+title:bad:1 kind=b:1 ;body+title:news:1 body+title:no:1 price:2 kind=a:1 ;", func(t *Text) { t.Features.Texts = "joined" }},
		{"joined, runs", "body+title:news good:1 body+title:good news:2 price:1.5 kind=a:1 ;kind=b:1 ;body+title:no news:1 price:2 kind=a:1 ;", func(t *Text) { t.Features.Texts, t.Features.Values, t.Features.Ngrams = "joined", "count", "2-2" }},
		{"joined, a single one", "price:1.5 body:news:1 body:good:1 kind=a:1 ;kind=b:1 ;price:2 kind=a:1 ;", func(t *Text) {
			t.Columns.Text, t.Columns.Drop, t.Features.Texts = []string{"body"}, []string{"title"}, "joined"
		}},
		{"case", "title:Good:1 title:news:1 price:1.5 body:news:1 body:good:1 kind=a:1 ;title:Bad:1 kind=b:1 ;title:news:1 title:No:1 price:2 kind=a:1 ;", func(t *Text) { t.Features.Lower = false }},
		{"NA is a word", "title:good:1 title:news:1 price:1.5 body:news:1 body:good:1 kind=a:1 ;title:bad:1 kind=b:1 ;title:news:1 title:no:1 price:2 body:na:1 kind=a:1 ;", func(t *Text) { t.Columns.Missing = rawtext.Missing{{Pattern: "body"}} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			format := csvOf(func(t *Text) {
				if texts(t); c.with != nil {
					c.with(t)
				}
			})
			if err := format.Validate(); err != nil {
				t.Fatal(err)
			}
			d := sourcetest.MustLoad(t, format, map[string]string{"all": news})
			if got := show(d); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	d := sourcetest.MustLoad(t, csvOf(texts), map[string]string{"all": news})
	if !slices.Equal(d.Texts.Names, []string{"title", "body"}) || !slices.Equal(d.Texts.Of, []int32{0, 0, 0, 0, -1, 1, 1, -1, -1}) || d.Factor[8] != 0 {
		t.Errorf("%+v, factors %v", d.Texts, d.Factor)
	}
	if sourcetest.Fact(d, "body: tokens") != "3" || sourcetest.Fact(d, "body: texts without a token") != "2" {
		t.Error(d.Facts)
	}
	stop := sourcetest.MustLoad(t, csvOf(texts), map[string]string{"all": news, "stop": "good bad"})
	if got := show(stop); strings.Contains(got, "good") || strings.Contains(got, "bad") {
		t.Error(got)
	}
}

// A table of texts and labels is the same data as the documents with these texts, but for the names of columns.
func TestTextsAreDocuments(t *testing.T) {
	var table, lines strings.Builder
	table.WriteString("text\ty\n")
	for k, text := range []string{"the cat sat on the mat", "a Cat, a dog", "dogs and cats 12", "the dog sat", "", "über Café"} {
		fmt.Fprintf(&table, "%s\tc%d\n", text, k%2)
		fmt.Fprintf(&lines, "c%d\t%s\n", k%2, text)
	}
	for _, change := range []func(f *Features){
		func(*Features) {},
		func(f *Features) { f.Ngrams, f.Values, f.Normalize = "2", "log-tf-idf", "l2" },
		func(f *Features) { f.Tokens, f.Ngrams, f.Hash, f.Values = "characters", "2-3", 5, "tf-idf" },
	} {
		tsv := TSVKind.Defaults().(Text)
		tsv.Columns.Text, tsv.Target.Column = []string{"text"}, "y"
		change(&tsv.Features)
		plain := documents.Kind.Defaults().(documents.Documents)
		plain.Label, plain.Features.Options = "tab", tsv.Features.Options
		a, b := sourcetest.MustLoad(t, tsv, map[string]string{"all": table.String()}), sourcetest.MustLoad(t, plain, map[string]string{"all": lines.String()})
		train := []int32{0, 1, 2, 4}
		p, err := tsv.Recipe().Fit(a, train)
		if err != nil {
			t.Fatal(err)
		}
		q, err := plain.Recipe().Fit(b, train)
		if err != nil {
			t.Fatal(err)
		}
		for i := range a.Rows() {
			r, s := p.X.Row(i), q.X.Row(i)
			if !slices.Equal(r.Idx, s.Idx) {
				t.Fatalf("row %d: %v and %v", i, r.Idx, s.Idx)
			}
			for k, j := range r.Idx {
				if p.Features.Name(int(j)) != "text:"+q.Features.Name(int(j)) || r.At(k) != s.At(k) {
					t.Errorf("row %d: %s %v and %s %v", i, p.Features.Name(int(j)), r.At(k), q.Features.Name(int(j)), s.At(k))
				}
			}
		}
	}
}

// Texts are weighed and have length 1 each, and numbers are scaled, as if the others were not there; a cutoff is for all.
func TestTextsBesideNumbers(t *testing.T) {
	format := csvOf(func(t *Text) {
		t.Columns.Text, t.Columns.Categorical = []string{"title", "body"}, []string{"kind"}
		t.Features.Values, t.Features.Normalize, t.Prepare.Scale, t.Prepare.Missing.All = "tf-idf", "l2", "sd", "mean"
	})
	d := sourcetest.MustLoad(t, format, map[string]string{"all": news})
	p, l, err := format.Recipe().Learn(d)
	if err != nil {
		t.Fatal(err)
	}
	lengths := map[string]float64{}
	row := p.X.Row(0)
	for k, j := range row.Idx {
		name, _, text := strings.Cut(p.Features.Name(int(j)), ":")
		if !text {
			name = "other"
		}
		lengths[name] += float64(row.At(k) * row.At(k))
	}
	sd := math.Sqrt((1.5*1.5 + 2*2 - 3.5*3.5/3) / 3)
	for name, want := range map[string]float64{"title": 1, "body": 1, "other": float64((1.5/sd)*(1.5/sd)) + 9.0/2} {
		if got := lengths[name]; !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if err := l.Check(); err != nil {
		t.Error(err)
	}
	again, _, err := l.Apply(d)
	if err != nil {
		t.Fatal(err)
	}
	for i := range d.Rows() {
		for k := range p.X.Row(i).Idx {
			if got, want := again.X.Row(i).At(k), p.X.Row(i).At(k); got != want {
				t.Errorf("row %d: %v, want %v", i, got, want)
			}
		}
	}
	if p, err := format.Recipe().Fit(d, []int32{0, 2}); err != nil || slices.Contains(names(p.Features), "title:bad") || !slices.Contains(names(p.Features), "price") {
		t.Errorf("%v: a word that no training row has is a column", err)
	}
	format.Features.Drop = []string{"body"}
	if p, err := format.Recipe().Fit(d, nil); err != nil || slices.Contains(names(p.Features), "body:news") || !slices.Contains(names(p.Features), "title:news") {
		t.Errorf("%v: the name of a text stands for its columns", err)
	}
}

func names(f *data.Features) (all []string) {
	for j := range f.Len() {
		all = append(all, f.Name(j))
	}
	return all
}

func TestEqualTexts(t *testing.T) {
	format := csvOf(func(t *Text) { t.Columns.Text = []string{"a", "b"} })
	d := sourcetest.MustLoad(t, format, map[string]string{"train": "a,b,y\nx,z,1\nz,x,2\nx,z,3\n,,3\n", "test": "y,b,a\n4,z,x\n5,,NA\n"})
	if d.Groups.Name != "text" || !slices.Equal(d.Groups.Of, []int32{0, 1, 0, 2, 0, 3}) {
		t.Errorf("%+v", d.Groups)
	}
}

// New rows need the texts that the model uses, and no others.
func TestNewTexts(t *testing.T) {
	format := csvOf(func(t *Text) { t.Columns.Text = []string{"title", "body"} })
	of := []int32{0, 0, 1, -1}
	learned := &prepare.Learned{
		Columns: []string{"title:good", "title:news", "body:news", "price"}, Texts: &texts.Columns{Names: []string{"title", "body"}, Of: of},
		Targets: []labels.Target{{Name: "y"}},
	}
	load := func(used []int32, table string) (*data.Dataset, error) {
		return format.LoadNew(t.Context(), sourcetest.Input(map[string]string{"all": table}), source.Application{Learned: learned.For(used)})
	}
	d, err := load([]int32{0, 3}, "price,body,title,other\n2,news,Good morning,x\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := show(d); got != "price:2 title:good:1 title:morning:1 ;" {
		t.Error(got)
	}
	if d, err = load([]int32{0, 2}, "title,body\nnothing,that is known\n"); err != nil || d.Rows() != 1 {
		t.Error(err)
	}
	if _, err = load([]int32{0, 2}, "price,title\n2,Good\n"); err == nil || err.Error() != `all: no column "body" of texts, which the model uses` {
		t.Error(err)
	}
}

func TestSeveralLabels(t *testing.T) {
	format := csvOf(func(t *Text) { t.Target.Separator = "," })
	table := "x,y\n1,\"10,2\"\n2,10\n3,\n4,\" 9 ,2\"\n"
	shown := func(d *data.Dataset) (text string) {
		for _, target := range d.Targets {
			text += fmt.Sprint(target.Name, target.Values, " ")
		}
		return text
	}
	d := sourcetest.MustLoad(t, format, map[string]string{"all": table})
	if got := shown(d); got != "2[1 0 0 1] 9[0 0 0 1] 10[1 1 0 0] " {
		t.Error(got)
	}
	if sourcetest.Fact(d, "rows without a label") != "1" || sourcetest.Fact(d, "labels of a row") != "1.25" {
		t.Error(d.Facts)
	}
	format.Target.Missing = "drop-rows"
	if d := sourcetest.MustLoad(t, format, map[string]string{"all": table}); d.Rows() != 3 || shown(d) != "2[1 0 1] 9[0 0 1] 10[1 1 0] " {
		t.Error(shown(d))
	}
	format.Target.Missing = ""
	a := source.Application{Responses: true, Learned: &prepare.Learned{Columns: []string{"x"}, Targets: []labels.Target{{Name: "2"}, {Name: "7"}}}}
	if d, err := format.LoadNew(t.Context(), sourcetest.Input(map[string]string{"all": "x,y\n1,2\n"}), a); err != nil || shown(d) != "2[1] 7[0] " {
		t.Errorf("%v: the labels of the model are those of new rows, too", err)
	}
}

func TestTextErrors(t *testing.T) {
	rows := func(n int, cell func(int) string) string {
		text := "a,b,y\n"
		for k := range n {
			text += fmt.Sprintf("%s,%d,%d\n", cell(k), k, k)
		}
		return text
	}
	once := func(k int) string { return fmt.Sprint("id", k) }
	for name, c := range map[string]struct {
		with        func(*Text)
		table, want string
	}{
		"an option without texts":      {func(t *Text) { t.Features.Ngrams = "2" }, "", "features.ngrams: 2, and no column is one of texts: name them in columns: {text: [...]}"},
		"topics without texts":         {func(t *Text) { t.Prepare.Topics.Topics = 2 }, "", "prepare.topics: 2, and no column is one of texts"},
		"topics of intervals":          {func(t *Text) { t.Columns.Text, t.Prepare.Topics.Topics, t.Prepare.Discretize = []string{"a"}, 2, 2 }, "", "prepare.topics: 2: topics are found on words as they are"},
		"joined without texts":         {func(t *Text) { t.Features.Texts = "joined" }, "", "features.texts: joined, and no column is one of texts"},
		"an unknown word":              {func(t *Text) { t.Features.Texts = "one" }, "", "features.texts: "},
		"a text in numbers":            {nil, "a,b,y\nI am still waiting,1,2\n", `column "a": found "I am still waiting", expected a finite number; if the column holds texts, columns: {text: [a]} makes columns of their words`},
		"values that are no levels":    {func(t *Text) { t.Columns.Categorical = []string{"a*"} }, rows(50, once), `columns.categorical: column "a": 50 of its values are in one row each, of 50 rows`},
		"a word is named like another": {func(t *Text) { t.Columns.Text = []string{"a"} }, "a,a:x,y\nx,1,2\n", `a word of a text, and another column are both named "a:x"`},
		"a text has two roles":         {func(t *Text) { t.Columns.Text, t.Columns.Drop = []string{"a"}, []string{"a"} }, "a,b,y\nx,1,2\n", `column "a" is claimed by columns.text already`},
		"no label":                     {func(t *Text) { t.Target.Separator = "," }, "a,y\n1,\n2,\n", "no row has a label"},
		"a label is missing":           {func(t *Text) { t.Target.Separator, t.Target.Missing = ",", "error" }, "a,y\n1,x\n2,\n", `column "y": the value is missing`},
		"labels of a type":             {func(t *Text) { t.Target.Separator, t.Target.Type = ",", "class" }, "", "target.separator: "},
		"labels of no column":          {func(t *Text) { t.Target.Separator, t.Target.Column = ",", "" }, "", "target.separator: "},
	} {
		format := csvOf(c.with)
		err := format.Validate()
		if err == nil {
			_, err = sourcetest.Load(format, map[string]string{"all": c.table})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
	for name, table := range map[string]string{"few rows": rows(49, once), "half": rows(60, func(k int) string { return once(max(k, 29)) })} {
		if d, err := sourcetest.Load(csvOf(func(t *Text) { t.Columns.Categorical = []string{"a*"} }), map[string]string{"all": table}); err != nil || sourcetest.Fact(d, "warning") != "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	named := sourcetest.MustLoad(t, csvOf(func(t *Text) { t.Columns.Categorical = []string{"a"} }), map[string]string{"all": rows(50, once)})
	if got := sourcetest.Fact(named, "warning"); !strings.HasPrefix(got, `column "a" is categorical, and 50 of its values are in one row each, of 50 rows: columns: {text: [a]}`) {
		t.Error(got)
	}
}

func TestTextsInParquet(t *testing.T) {
	type row struct {
		Title string  `parquet:"title"`
		Body  *string `parquet:"body,optional"`
		Y     float64 `parquet:"y"`
	}
	body := "b a"
	file := write(row{"a b", &body, 1}, row{"c", nil, 2}, row{"b", &body, 3})
	for texts, want := range map[string]string{
		"apart":  "title:a:1 title:b:1 body:b:1 body:a:1 ;title:c:1 ;title:b:1 body:b:1 body:a:1 ;",
		"joined": "body+title:b:1 body+title:a:1 ;body+title:c:1 ;body+title:b:1 body+title:a:1 ;",
	} {
		d := sourcetest.MustLoad(t, parquetOf(func(p *Parquet) { p.Columns.Text, p.Features.Texts = []string{"title", "body"}, texts }), map[string]string{"all": file})
		if got := show(d); got != want {
			t.Errorf("%s: %s", texts, got)
		}
	}
}

// Topics are those of the texts, whatever is beside them.
func TestTopicsOfTexts(t *testing.T) {
	format := csvOf(func(t *Text) { t.Columns.Text, t.Prepare.Topics.Topics, t.Prepare.Scale = []string{"a"}, 2, "sd" })
	if err := format.Validate(); err != nil {
		t.Fatal(err)
	}
	d := sourcetest.MustLoad(t, format, map[string]string{"all": "a,b,y\ncat dog,1,1\ncat dog cat,900,2\nsun rain,2,3\nrain sun sun,800,4\n"})
	p, l, err := format.Recipe().Learn(d)
	if err != nil {
		t.Fatal(err)
	}
	of := func(x *sparse.Matrix) (topics []int32) {
		for i := range d.Rows() {
			row := x.Row(i)
			topics = append(topics, row.Idx[len(row.Idx)-1])
		}
		return topics
	}
	got := of(p.X)
	if n := p.Features.Len(); n != 7 || got[0] < 5 || got[0] != got[1] || got[2] < 5 || got[2] != got[3] || got[0] == got[2] {
		t.Errorf("%d columns, topics %v", n, got)
	}
	again, _, err := l.Apply(d)
	if err != nil || !slices.Equal(of(again.X), got) {
		t.Errorf("%v: topics %v", err, of(again.X))
	}
}

func FuzzTexts(f *testing.F) {
	f.Add("a,b,y\nx z,1 2,\"p,q\"\nx,,p\n", "a", "b", "words", "2", "joined", ",", 0)
	f.Add("a,a:b,y\nb,1,2\n", "*", "", "characters", "2-3", "apart", "", 3)
	f.Fuzz(func(t *testing.T, content, one, two, tokens, ngrams, texts, separator string, hash int) {
		s := csvOf(func(t *Text) {
			t.Columns.Text, t.Columns.Repeated = []string{one, two}, "number"
			t.Target.Separator, t.Features.Texts = separator, texts
			t.Features.Tokens, t.Features.Ngrams, t.Features.Hash, t.Features.Values = tokens, ngrams, hash, "log-tf-idf"
		})
		if s.Validate() == nil {
			sourcetest.Fuzz(t, s, map[string]string{"all": content})
		}
	})
}
