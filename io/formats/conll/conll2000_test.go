package conll

import (
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/iob"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

// conll2000 is both parts of the shared task's data.
func conll2000(tb testing.TB) source.Input {
	return sourcetest.Open(tb, map[string]string{"train": "conll2000/train.txt.gz", "test": "conll2000/test.txt.gz"})
}

// TestCoNLL2000 counts what the shared task's papers count: Tjong Kim Sang & Buchholz 2000, table 1 and section 3.
func TestCoNLL2000(t *testing.T) {
	in := conll2000(t)
	for _, c := range []struct {
		types       []string
		train, test int // chunks
		levels      int
	}{
		{nil, 106978, 23852, 23},
		{[]string{"NP"}, 55081, 12422, 3},
	} {
		f := format("t[0]", "c[-1]")
		f.Target.Chunks = c.types
		d, err := f.Load(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		tokens, sentences, chunks := [2]int{}, [2]int{}, [2]int{}
		for _, part := range d.Part {
			tokens[part]++
		}
		for _, first := range d.Sequences.Start {
			sentences[d.Part[first]]++
		}
		eachChunk(t, d, func(part int8) { chunks[part]++ })
		if tokens != [2]int{211727, 47377} || sentences != [2]int{8936, 2012} || chunks != [2]int{c.train, c.test} || len(d.Targets[0].Levels) != c.levels {
			t.Errorf("%v: %v tokens, %v sentences, %v chunks, levels %v", c.types, tokens, sentences, chunks, d.Targets[0].Levels)
		}
	}
}

func eachChunk(t *testing.T, d *data.Dataset, f func(part int8)) {
	tags, ok := iob.ParseAll(d.Targets[0].Levels)
	if !ok {
		t.Fatal("the levels are not chunk tags")
	}
	next, before := 0, iob.Tag{}
	for i, y := range d.Targets[0].Values {
		if next < len(d.Sequences.Start) && int(d.Sequences.Start[next]) == i {
			next, before = next+1, iob.Tag{}
		}
		tag := tags[int(y)]
		if tag.Begins(before) {
			f(d.Part[i])
		}
		before = tag
	}
}

// starting is the templates of a base-NP tagger: words and tags two to each side; conjunctions of one to five of the two
// tags before and the five parts of speech around; each of the words -1, 0, 1 with none to two of a few; pairs of words.
func starting() []string {
	around := []string{"c[-2]", "c[-1]", "t[-2]", "t[-1]", "t[0]", "t[1]", "t[2]"}
	out := []string{"bias", "w[-2]", "w[2]"}
	for set := 1; set < 1<<len(around); set++ {
		if picked := pick(around, set); len(picked) <= 5 {
			out = append(out, strings.Join(picked, " "))
		}
	}
	beside := []string{"c[-1]", "t[-1]", "t[0]", "t[1]", "t[2]"}
	for _, w := range []string{"w[-1]", "w[0]", "w[1]"} {
		for set := range 1 << len(beside) {
			if picked := pick(beside, set); len(picked) <= 2 {
				out = append(out, strings.Join(append(picked, w), " "))
			}
		}
	}
	for _, pair := range []string{"w[-1] w[0]", "w[0] w[1]", "w[-1] w[1]"} {
		out = append(out, pair, "c[-1] "+pair)
	}
	return out
}

func pick(from []string, set int) (picked []string) {
	for k, s := range from {
		if set>>k&1 == 1 {
			picked = append(picked, s)
		}
	}
	return picked
}

func TestStarting(t *testing.T) {
	f := format(starting()...)
	if err := f.Validate(); err != nil || len(f.Features.Templates) != 3+119+48+6 {
		t.Errorf("%d templates, %v", len(f.Features.Templates), err)
	}
}

// BenchmarkLoad reads CoNLL-2000, training and test part, with 60 and with 176 templates.
func BenchmarkLoad(b *testing.B) {
	in := conll2000(b)
	all := starting()
	for name, templates := range map[string][]string{"60": all[len(all)-60:], "176": all} {
		b.Run(name, func(b *testing.B) {
			f := format(templates...)
			f.Target.Chunks, f.Features.Cutoff = []string{"NP"}, 5
			for b.Loop() {
				d, err := f.Load(b.Context(), in)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(d.Features.Len()), "columns")
				b.ReportMetric(float64(d.X.NNZ()), "entries")
			}
		})
	}
}
