package knp

import (
	"fmt"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

// wikipedia is the annotated corpus of Japanese Wikipedia, with lists of its parts.
func wikipedia(tb testing.TB, lists map[string]string) source.Input {
	paths := map[string]string{"all": "ja-wikipedia-annotated/knp.tar.gz"}
	for role, list := range lists {
		paths[role] = "ja-wikipedia-annotated/" + list
	}
	return sourcetest.Open(tb, paths)
}

// count is the rows of a part and how many of them are positive.
func count(d *data.Dataset, part int8) (rows, positive int) {
	for i, y := range d.Targets[0].Values {
		if d.Part == nil || d.Part[i] == part {
			rows++
			positive += int(y)
		}
	}
	return rows, positive
}

func wikipediaFormat(pairs string, templates ...string) Format {
	f := Kind.Defaults().(Format)
	f.Pairs, f.Heads, f.Features.Templates = pairs, lenient, templates
	return f
}

func TestWikipedia(t *testing.T) {
	in := wikipedia(t, nil)
	d := sourcetest.Read(t, wikipediaFormat(sassano, "distance"), in)
	for name, want := range map[string]string{
		"documents": "3979", "sentences": "15902", "morphemes": "228738",
		"bunsetsu": "83773, D 73333, P 10010, I 415, A 15",
		"pairs":    "93142, in 44526 of them the first depends on the second",
		"attachments to the last bunsetsu without a question": "23345",
		"heads that do not stand to the right":                "43",
		"heads outside their sentence":                        "2",
		"sentences with dependencies that cross":              "73",
	} {
		if got := sourcetest.Fact(d, name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if d := sourcetest.Read(t, wikipediaFormat(everyPair, "distance"), in); d.Rows() != 383241 {
		t.Errorf("all pairs: got %d rows, want 383241", d.Rows())
	}
	strict := wikipediaFormat(sassano, "distance")
	strict.Heads = "strict"
	if _, err := strict.Load(t.Context(), in); err == nil || !strings.Contains(err.Error(), "wiki00018699.knp:50: ") {
		t.Errorf("strict: got %v, want the first head outside its sentence", err)
	}
}

func TestWikipediaParts(t *testing.T) {
	for test, want := range map[string]string{"dev": "86179 41195 2530 1224, 200 left out", "test": "86179 41195 4433 2107, 100 left out"} {
		d := sourcetest.Read(t, wikipediaFormat(sassano, "distance"), wikipedia(t, map[string]string{trainIDs: "train.id", testIDs: test + ".id"}))
		trainRows, trainPositive := count(d, 0)
		testRows, testPositive := count(d, 1)
		if got := fmt.Sprintf("%d %d %d %d, %s left out", trainRows, trainPositive, testRows, testPositive, sourcetest.Fact(d, "documents left out, in no list")); got != want {
			t.Errorf("%s: got %s, want %s", test, got, want)
		}
	}
}

// Reading with the default templates.
func BenchmarkWikipedia(b *testing.B) {
	in := wikipedia(b, nil)
	for _, which := range []string{sassano, everyPair} {
		b.Run(which, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				d, err := wikipediaFormat(which, "default").Load(b.Context(), in)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(d.Features.Len()), "columns")
				b.ReportMetric(float64(d.X.NNZ()), "entries")
			}
		})
	}
}
