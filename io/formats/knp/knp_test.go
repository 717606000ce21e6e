package knp

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

// The sentences of these tests are our own. treebank writes one in the format; a bunsetsu is its head, then morphemes as
// text/part/subpart, to which /type/form of a conjugation may be added.
func treebank(id string, bunsetsu ...string) string {
	text := "# S-ID:" + id + " KNP:0 DATE:2000/01/01\n"
	for _, b := range bunsetsu {
		words := strings.Split(b, " ") // not at the wide blanks that a morpheme may be
		text += "* " + words[0] + "\n+ -1D <rel type=\"ガ\"/>\n"
		for _, w := range words[1:] {
			f := append(strings.Split(w, "/"), "*", "*", "*")
			text += fmt.Sprintf("%s %s %[1]s %[3]s 6 %[4]s 1 %[5]s 0 %[6]s 0 NIL\n", f[0], "よみ", f[1], f[2], f[3], f[4])
		}
	}
	return text + "EOS\n"
}

// flowers: "The flowers on the hill, they say, have already bloomed."
var flowers = treebank("a-1",
	"1D 丘/名詞/普通名詞 の/助詞/接続助詞",
	"3D 「/特殊/括弧始 花/名詞/普通名詞 だけ/助詞/副助詞 は/助詞/副助詞 」/特殊/括弧終 、/特殊/読点",
	"3D もう/副詞/*",
	"-1D 咲き/動詞/*/子音動詞カ行/基本連用形 ました/接尾辞/動詞性接尾辞/動詞性接尾辞ます型/タ形 。/特殊/句点",
)

func format(change func(f *Format)) Format {
	f := Kind.Defaults().(Format)
	f.Features.Templates = source.Templates{"distance"}
	if change != nil {
		change(&f)
	}
	return f
}

// names of the columns of row i.
func names(d *data.Dataset, i int) string {
	var out []string
	for _, j := range d.X.Row(i).Idx {
		out = append(out, d.Features.Name(int(j)))
	}
	return strings.Join(out, " ")
}

func TestRows(t *testing.T) {
	for which, want := range map[string]string{
		sassano:   "a-1:0-1 yes, a-1:1-2 no",
		everyPair: "a-1:0-1 yes, a-1:0-2 no, a-1:0-3 no, a-1:1-2 no, a-1:1-3 yes, a-1:2-3 yes",
	} {
		d, err := sourcetest.Load(format(func(f *Format) { f.Pairs = which }), map[string]string{"all": flowers})
		if err != nil {
			t.Fatal(err)
		}
		var rows []string
		for i, y := range d.Targets[0].Values {
			rows = append(rows, d.IDs[i]+" "+d.Targets[0].Levels[int(y)])
		}
		if got := strings.Join(rows, ", "); got != want || d.Targets[0].Positive != 1 || !d.X.Binary() {
			t.Errorf("%s: got %s, want %s", which, got, want)
		}
	}
}

func TestColumns(t *testing.T) {
	odd := treebank("b-1", "2D ^/名詞/人名 %=&/助詞/x", "2D (/特殊/記号", "-1D は/助詞/x 、/特殊/読点 ）/特殊/括弧終")
	for _, c := range []struct{ template, text, row, want string }{
		{"m.head.lemma", flowers, "0-1", "m.head.lemma=丘"},
		{"m.head.surface  h.head.pos", flowers, "1-3", "m.head.surface=花&h.head.pos=動詞"},
		{"h.head.conjtype", flowers, "1-3", "h.head.conjtype=子音動詞カ行"},
		{"h.type.lemma h.type.conjform", flowers, "1-3", "h.type.lemma=ました&h.type.conjform=タ形"},
		{"m.type.subpos m.type.reading", flowers, "1-3", "m.type.subpos=副助詞&m.type.reading=よみ"},
		{"m.particles", flowers, "1-3", "m.particles=だけ m.particles=は"},
		{"m.particles h.particles", flowers, "0-1", "m.particles=の&h.particles=だけ m.particles=の&h.particles=は"},
		{"m.particles h.particles", flowers, "1-3", ""},
		{"m.comma h.comma h.period", flowers, "1-3", "m.comma=yes&h.comma=no&h.period=yes"},
		{"m.opens m.closes h.opens", flowers, "1-3", "m.opens=yes&m.closes=yes&h.opens=no"},
		{"m.edge h.edge", flowers, "0-3", "m.edge=first&h.edge=last"},
		{"m.edge h.edge", flowers, "1-2", "m.edge=inner&h.edge=inner"},
		{"m-1.head.lemma", flowers, "0-1", "m-1.head.lemma=^"},
		{"m-1.head.lemma m-2.comma", flowers, "1-2", "m-1.head.lemma=丘&m-2.comma=^"},
		{"h+1.head.lemma h-1.particles", flowers, "0-3", ""},
		{"h+1.head.lemma", flowers, "0-3", "h+1.head.lemma=$"},
		{"m+1.type.lemma h-9.edge", flowers, "2-3", "m+1.type.lemma=ました&h-9.edge=^"},
		{"h+1.particles", flowers, "0-3", ""},
		{"distance", flowers, "0-1", "distance=1"},
		{"distance", flowers, "0-2", "distance=2-5"},
		{"between.particles", flowers, "0-3", "between.particles=だけ between.particles=は"},
		{"between.comma between.opens between.closes between.period", flowers, "0-2", "between.comma=yes&between.opens=yes&between.closes=yes&between.period=no"},
		{"between.comma", flowers, "1-3", "between.comma=no"},
		{"m.head.lemma", odd, "0-1", "m.head.lemma=%5E"},
		{"m.type.lemma", odd, "0-1", "m.type.lemma=%25%3D%26"},
		{"m.type.pos h.head.lemma", odd, "0-1", "m.type.pos=助詞&h.head.lemma=("},
		{"h.type.lemma h.head.lemma h.comma h.closes", odd, "0-2", "h.type.lemma=は&h.head.lemma=は&h.comma=yes&h.closes=yes"},
	} {
		d, err := sourcetest.Load(format(func(f *Format) { f.Pairs, f.Features.Templates = everyPair, source.Templates{c.template} }), map[string]string{"all": c.text})
		if err != nil {
			t.Errorf("%s: %v", c.template, err)
			continue
		}
		i := slices.IndexFunc(d.IDs, func(id string) bool { return strings.HasSuffix(id, ":"+c.row) })
		if got := names(d, i); got != c.want {
			t.Errorf("%s, %s: got %q, want %q", c.template, c.row, got, c.want)
		}
	}
}

// Columns are ordered by template, and their classes are the templates.
func TestClasses(t *testing.T) {
	d, err := sourcetest.Load(format(func(f *Format) { f.Features.Templates = source.Templates{"h.edge", " m.head.lemma   distance "} }), map[string]string{"all": flowers})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for j := range d.Features.Len() {
		got = append(got, d.Features.Name(j)+" of "+d.Features.Classes()[d.Features.Class(j)])
	}
	want := []string{"h.edge=inner of h.edge", "m.head.lemma=丘&distance=1 of m.head.lemma distance", "m.head.lemma=花&distance=1 of m.head.lemma distance"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if fact := sourcetest.Fact(d, "columns by template"); fact != "h.edge: 1, m.head.lemma distance: 2" {
		t.Error(fact)
	}
}

func TestWords(t *testing.T) {
	for bunsetsu, want := range map[string]string{
		"本/名詞/x":        "本 本",
		"本/名詞/x を/助詞/x": "本 を",
		"学生/名詞/x たち/接尾辞/x に/助詞/x は/助詞/x 、/特殊/読点": "学生 は",
		"学生/名詞/x である/判定詞/x":                      "学生 である",
		"行く/動詞/x だろう/助動詞/x 。/特殊/句点":              "行く だろう",
		"を/助詞/x は/助詞/x":                          "は は",
		"、/特殊/読点 。/特殊/句点":                        "。 。",
		"「/特殊/括弧始 本/名詞/x 」/特殊/括弧終 （/特殊/括弧始 二/名詞/数詞 ）/特殊/括弧終": "二 二",
	} {
		text := treebank("x", "1D "+bunsetsu, "2D あ/名詞/x", "-1D い/名詞/x")
		d, err := sourcetest.Load(format(func(f *Format) { f.Features.Templates = source.Templates{"m.head.lemma m.type.lemma"} }), map[string]string{"all": text})
		if err != nil {
			t.Fatal(err)
		}
		head, typed, _ := strings.Cut(want, " ")
		if got := names(d, 0); got != "m.head.lemma="+head+"&m.type.lemma="+typed {
			t.Errorf("%s: got %s, want %s", bunsetsu, got, want)
		}
	}
}

func TestGroups(t *testing.T) {
	contents := map[string]string{
		"all/x/a.knp": flowers + strings.Replace(flowers, "a-1", "a-2", 1),
		"all/x/b.knp": strings.Replace(flowers, "a-1", "b-1", 1),
		"all/x/c.knp": treebank("c-1", "1D 本/名詞/x", "2D を/助詞/x", "-1D 読む/動詞/x"),
	}
	for group, want := range map[string]string{byDocument: "[0 0 0 0 1 1 2]", bySentence: "[0 0 0 0 0 0 1]"} {
		d, err := sourcetest.Load(format(func(f *Format) { f.Group = group }), contents)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(d.Groups.Of); got != want || d.Groups.Name != group || d.Part != nil {
			t.Errorf("%s: got %s, want %s", group, got, want)
		}
	}
}

func TestLists(t *testing.T) {
	again := func(id string) string { return strings.Replace(flowers, "a-1", id, 1) }
	corpus := map[string]string{"all/x/a.knp": flowers, "all/y/b.knp": again("b-1"), "all/y/c.knp": again("c-1")}
	for _, c := range []struct{ train, test, want string }{
		{"a\n", "c\n", "[0 0 1 1] 1"},
		{"c\r\n\n b \n", "a", "[1 1 0 0 0 0] 0"},
		{"a", "", "error"},
		{"a\nd\n", "c\n", `train_ids:2: the corpus has no document "d"`},
		{"a\n", "c\n\nd\n", `test_ids:3: the corpus has no document "d"`},
		{"a\n", "c\na\n", "test_ids:2: document a is listed already, at train_ids:1"},
		{"a\na\n", "c\n", "train_ids:2: document a is listed already, at train_ids:1"},
	} {
		contents := map[string]string{trainIDs: c.train, testIDs: c.test}
		for name, text := range corpus {
			contents[name] = text
		}
		d, err := sourcetest.Load(format(nil), contents)
		switch {
		case c.want == "error":
			if err == nil || !strings.Contains(err.Error(), "no test rows") {
				t.Errorf("%q, %q: got %v", c.train, c.test, err)
			}
		case err != nil:
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q, %q: got %v, want %s", c.train, c.test, err, c.want)
			}
		default:
			if got := fmt.Sprint(d.Part, " ", sourcetest.Fact(d, "documents left out, in no list")); got != c.want {
				t.Errorf("%q, %q: got %s, want %s", c.train, c.test, got, c.want)
			}
		}
	}
	only := map[string]string{trainIDs: "b", "all/x/a.knp": flowers, "all/y/b.knp": again("b-1")}
	if d, err := sourcetest.Load(format(nil), only); err != nil || d.Part != nil || d.IDs[0] != "b-1:0-1" {
		t.Errorf("one list: %v, %v", d, err)
	}
}

func TestFiles(t *testing.T) {
	d, err := sourcetest.Load(format(nil), map[string]string{"train": flowers, "test": strings.Replace(flowers, "a-1", "b-1", 1)})
	if err != nil || fmt.Sprint(d.Part) != "[0 0 1 1]" {
		t.Errorf("got %v, %v", d, err)
	}
	blanks := "\ufeff# a comment\r\n\n" + strings.ReplaceAll(flowers, "\n", "\r\n") + "\n# another\n"
	if d, err := sourcetest.Load(format(nil), map[string]string{"all": blanks}); err != nil || d.Rows() != 2 {
		t.Errorf("comments and blank lines: %v", err)
	}
	signs := treebank("s", "1D */特殊/記号 +/特殊/記号", "2D #/特殊/記号 EOS/名詞/x", "-1D \u3000/特殊/空白 本/名詞/x")
	signs = strings.ReplaceAll(signs, "+ -1D <rel type=\"ガ\"/>\n", "") // basic phrases may be missing
	d, err = sourcetest.Load(format(func(f *Format) { f.Features.Templates = source.Templates{"m.head.lemma h.head.lemma"} }), map[string]string{"all": signs})
	if err != nil || names(d, 0) != "m.head.lemma=+&h.head.lemma=EOS" {
		t.Errorf("signs as morphemes: %v", err)
	}
}

func TestLenient(t *testing.T) {
	text := strings.Replace(flowers, "* 1D", "* 4P", 1)
	d, err := sourcetest.Load(format(func(f *Format) { f.Heads = lenient }), map[string]string{"all": text})
	if err != nil {
		t.Fatal(err)
	}
	if sourcetest.Fact(d, "heads outside their sentence") != "1" || sourcetest.Fact(d, "bunsetsu") != "4, D 3, P 1, I 0, A 0" || sourcetest.Fact(d, "pairs") != "2, in 0 of them the first depends on the second" {
		t.Errorf("got %v", d.Facts)
	}
	for _, c := range []struct{ left, across, text string }{
		{"0", "0", flowers},
		{"1", "0", flowers + treebank("b-1", "1D 本/名詞/x", "0D を/助詞/x", "-1D 読む/動詞/x")},
		{"0", "1", treebank("b-1", "2D 本/名詞/x", "3D を/助詞/x", "3D は/助詞/x", "-1D 読む/動詞/x")},
	} {
		d := sourcetest.MustLoad(t, format(nil), map[string]string{"all": c.text})
		if left, across := sourcetest.Fact(d, "heads that do not stand to the right"), sourcetest.Fact(d, "sentences with dependencies that cross"); left != c.left || across != c.across {
			t.Errorf("%s heads to the left, %s sentences that cross; want %s and %s", left, across, c.left, c.across)
		}
	}
}

func TestErrors(t *testing.T) {
	morpheme := "本 ほん 本 名詞 6 普通名詞 1 * 0 * 0 NIL\n"
	begin := "# S-ID:x\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "no pairs of bunsetsu in 0 sentences"},
		{"one bunsetsu", treebank("x", "-1D 本/名詞/x"), "no pairs of bunsetsu in 1 sentences"},
		{"no sentence", "* 1D\n", `all:1: found "* 1D", expected # S-ID: and the name of a sentence`},
		{"no name", "# S-ID: x\n", ":1: found no name after # S-ID:"},
		{"sentence twice", flowers + flowers, ":23: sentence a-1 stands twice in the corpus"},
		{"no EOS", begin + "* -1D\n" + morpheme + "# S-ID:y\n", ":4: found the next sentence, expected EOS at the end of sentence x"},
		{"no EOS at the end", begin + "* -1D\n" + morpheme, ":3: the file ends in sentence x, expected EOS"},
		{"no bunsetsu", begin + "EOS\n", ":2: sentence x has no bunsetsu"},
		{"empty bunsetsu", begin + "* 1D\n* -1D\n" + morpheme + "EOS\n", ":2: the bunsetsu has no morphemes"},
		{"empty bunsetsu at the end", begin + "* 1D\n" + morpheme + "* -1D\nEOS\n", ":4: the bunsetsu has no morphemes"},
		{"empty basic phrase", begin + "* -1D\n+ -1D\n+ -1D\n" + morpheme + "EOS\n", ":3: the basic phrase has no morphemes"},
		{"morpheme first", begin + morpheme, ":2: found a morpheme before the first bunsetsu"},
		{"basic phrase first", begin + "+ 1D\n", ":2: found a basic phrase (+) before the first bunsetsu"},
		{"head is no number", begin + "* xD\n", `:2: found "* xD", expected * and the number of the head`},
		{"head below -1", begin + "* -2D\n", `:2: found "* -2D", expected * and`},
		{"no type", begin + "* 12\n", `:2: found "* 12", expected * and`},
		{"unknown type", begin + "* 1Q\n", `:2: found "* 1Q", expected * and`},
		{"basic phrase without type", begin + "* -1D\n+ 1\n", `:3: found "+ 1", expected + and the number of the head, -1 for none, with its type D, P, I or A, as in + 3D`},
		{"head outside", begin + "* 2D\n" + morpheme + "* -1D\n" + morpheme + "EOS\n", ":2: found the head 2, but sentence x has 2 bunsetsu, numbered from 0; heads: lenient takes it for none"},
		{"head of a basic phrase outside", begin + "* -1D\n+ 1D\n" + morpheme + "EOS\n", ":3: found the head 1, but sentence x has 1 basic phrases"},
		{"few fields", begin + "* -1D\n本 ほん 本 名詞 6\n", `:3: found "本 ほん 本 名詞 6", expected a morpheme`},
		{"two blanks", begin + "* -1D\n本  本 名詞 6 普通名詞 1 * 0 * 0 NIL\n", ":3: found"},
		{"no number", begin + "* -1D\n本 ほん 本 名詞 x 普通名詞 1 * 0 * 0 NIL\n", "expected a morpheme: surface reading lemma pos N"},
		{"blank line", begin + "* -1D\n\n", `:3: found "", expected a morpheme`},
		{"not UTF-8", begin + "* -1D\n\xcb\xdc\n", ":3:1: found byte 0xcb, expected UTF-8 text"},
	} {
		if _, err := sourcetest.Load(format(nil), map[string]string{"all": c.text}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
	twice := map[string]string{"all/x/a.knp": flowers, "all/y/a.knp": strings.Replace(flowers, "a-1", "b-1", 1)}
	if _, err := sourcetest.Load(format(nil), twice); err == nil || !strings.Contains(err.Error(), "y/a.knp: document a stands twice in the corpus") {
		t.Errorf("document twice: got %v", err)
	}
}

func TestValidate(t *testing.T) {
	templates := func(list ...string) func(f *Format) {
		return func(f *Format) { f.Features.Templates = list }
	}
	for want, change := range map[string]func(f *Format){
		`target: "dependancy", expected dependency`:                           func(f *Format) { f.Target.Name = "dependancy" },
		`pairs: "sasano" is not one of sassano, all; did you mean "sassano"?`: func(f *Format) { f.Pairs = "sasano" },
		`heads: "lax" is not one of strict, lenient`:                          func(f *Format) { f.Heads = "lax" },
		`group: "article" is not one of document, sentence`:                   func(f *Format) { f.Group = "article" },
		"features.cutoff: -1, expected 0 or more":                             func(f *Format) { f.Features.Cutoff = -1 },
		"features.templates: no templates":                                    templates(),
		"features.templates: an empty template":                               templates(" "),
		`"m" in "distance m": expected a place and what to look at there`:     templates("distance m"),
		`"x.head.pos" in "x.head.pos": the place "x" is none of m, h`:         templates("x.head.pos"),
		`the place "m-0" is none of`:                                          templates("m-0.comma"),
		`the place "m1" is none of`:                                           templates("m1.comma"),
		`the place "h+10" is none of`:                                         templates("h+10.comma"),
		`a bunsetsu has no "haed"; did you mean "head"?`:                      templates("m.haed.pos"),
		`a bunsetsu has no "bracket" (have`:                                   templates("m.bracket"),
		`a word has no "lemna"; did you mean "lemma"?`:                        templates("m.head.lemna"),
		`a word has no "" (have surface, reading`:                             templates("m.type"),
		`between has no "coma"; did you mean "comma"?`:                        templates("between.coma"),
		`"distance" in "distance distance" stands twice`:                      templates("distance distance"),
		`"distance m.comma" is given twice`:                                   templates("m.comma distance", "distance m.comma"),
	} {
		if err := format(change).Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	if err := Kind.Defaults().Validate(); err != nil {
		t.Error(err)
	}
}

// tree is bunsetsu with the given heads.
func tree(heads ...int) []bunsetsu {
	sentence := make([]bunsetsu, len(heads))
	for i, h := range heads {
		sentence[i].head = int32(h)
	}
	return sentence
}

func TestSassano(t *testing.T) {
	for _, c := range []struct {
		name, want string
		heads      []int
		forced     int
	}{
		{"alone", "", []int{-1}, 0},
		{"two", "", []int{1, -1}, 1},
		{"a chain", "0-1y 1-2y", []int{1, 2, 3, -1}, 1},
		{"all to the last", "0-1n 1-2n", []int{3, 3, 3, -1}, 3},
		{"taken one after the other", "0-1n 1-2y 0-2y", []int{2, 2, 3, -1}, 1},
		{"to the left", "0-1y 1-2n 2-3y 1-3n", []int{1, 0, 3, 4, -1}, 2},
		{"on itself", "0-1n 1-2n", []int{0, 3, 3, -1}, 3},
		{"two roots", "0-1n 1-2y 0-2n", []int{-1, 2, 3, -1}, 2},
		{"across", "0-1n 1-2n 2-3y 1-3y 0-3n", []int{2, 3, 3, 4, -1}, 2},
	} {
		got := ""
		forced := parseSassano(tree(c.heads...), func(m, h int, depends bool) {
			got += fmt.Sprintf(" %d-%d%c", m, h, map[bool]byte{false: 'n', true: 'y'}[depends])
		})
		if strings.TrimSpace(got) != c.want || forced != c.forced {
			t.Errorf("%s: got%s, %d forced; want %s, %d", c.name, got, forced, c.want, c.forced)
		}
	}
}

// In a tree whose dependencies go to the right and do not cross, the algorithm finds every one.
func TestSassanoFindsTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		n := 1 + rng.IntN(20)
		heads := make([]int, n)
		heads[n-1] = none
		for i := n - 2; i >= 0; i-- { // a head is the next bunsetsu, or one above it
			heads[i] = i + 1
			for heads[heads[i]] != none && rng.IntN(2) == 0 {
				heads[i] = heads[heads[i]]
			}
		}
		found, questions := 0, 0
		forced := parseSassano(tree(heads...), func(m, h int, depends bool) {
			questions++
			if depends {
				found++
			}
		})
		last := 0
		for _, h := range heads {
			if h == n-1 {
				last++
			}
		}
		if found+forced != n-1 || forced != last || questions > 2*n || hasCrossing(tree(heads...)) {
			t.Fatalf("%v: %d found and %d forced of %d, %d questions", heads, found, forced, n-1, questions)
		}
	}
}

func TestCrosses(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	count := 0
	for range 2000 {
		heads := make([]int, 2+rng.IntN(6))
		for i := range heads {
			heads[i] = rng.IntN(len(heads)+1) - 1
		}
		want := false
		for i, h := range heads {
			for j, k := range heads {
				a, b, c, d := min(i, h), max(i, h), min(j, k), max(j, k)
				want = want || h != none && k != none && a < c && c < b && b < d
			}
		}
		if want {
			count++
		}
		if got := hasCrossing(tree(heads...)); got != want {
			t.Fatalf("%v: got %v, want %v", heads, got, want)
		}
	}
	if count < 200 || count > 1800 {
		t.Errorf("%d of 2000 cross: the test says little", count)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(flowers, "m.head.lemma h.particles", "between.particles distance", true)
	f.Add("\ufeff"+flowers, "m-1.type.conjform", "h+9.edge", false)
	f.Add(treebank("x", "9D 本/名詞/x", "0A を/助詞/x", "-1I 読む/動詞/x"), "m.comma", "distance", true)
	f.Fuzz(func(t *testing.T, text, first, second string, every bool) {
		d, err := sourcetest.Load(format(func(f *Format) {
			f.Heads, f.Features.Templates = lenient, source.Templates{first, second}
			if every {
				f.Pairs = everyPair
			}
		}), map[string]string{"all": text})
		if d != nil && err != nil {
			t.Error(err)
		}
	})
}
