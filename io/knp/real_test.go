package knp

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

// wikipedia is the annotated corpus of Japanese Wikipedia, by role, with the lists of its parts.
func wikipedia(tb testing.TB) map[string]string {
	tb.Helper()
	folder := os.Getenv("TENFOLD_DATA")
	if folder == "" {
		tb.Skip("TENFOLD_DATA is not set: the corpus is not there")
	}
	folder = filepath.Join(folder, "ja-wikipedia-annotated")
	packed, err := os.ReadFile(filepath.Join(folder, "knp.tar.gz"))
	if err != nil {
		tb.Skip(err)
	}
	unzip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		tb.Fatal(err)
	}
	contents := map[string]string{}
	for archive := tar.NewReader(unzip); ; {
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			tb.Fatal(err)
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			tb.Fatal(err)
		}
		contents["all/"+header.Name] = string(content)
	}
	for _, part := range []string{"train", "dev", "test"} {
		list, err := os.ReadFile(filepath.Join(folder, part+".id"))
		if err != nil {
			tb.Fatal(err)
		}
		contents[part+".id"] = string(list)
	}
	return contents
}

// the corpus with two of its lists.
func divided(contents map[string]string, train, test string) source.Input {
	with := map[string]string{}
	for name, content := range contents {
		if strings.HasPrefix(name, "all/") {
			with[name] = content
		}
	}
	with[trainIDs], with[testIDs] = contents[train+".id"], contents[test+".id"]
	return sourcetest.Input(with)
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

func fact(d *data.Dataset, name string) string {
	for _, f := range d.Facts {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

func wikipediaFormat(pairs string, templates ...string) Format {
	f := Kind.Defaults().(Format)
	f.Pairs, f.Heads, f.Features.Templates = pairs, lenient, templates
	return f
}

func TestWikipedia(t *testing.T) {
	contents := wikipedia(t)
	d, err := wikipediaFormat(sassano, "distance").Load(t.Context(), sourcetest.Input(contents))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Check(), d.X.Check()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"documents": "3979", "sentences": "15902", "morphemes": "228738",
		"bunsetsu": "83773, D 73333, P 10010, I 415, A 15",
		"pairs":    "93142, in 44526 of them the first depends on the second",
		"attachments to the last bunsetsu without a question": "23345",
		"heads that do not stand to the right":                "43",
		"heads outside their sentence":                        "2",
		"sentences with dependencies that cross":              "73",
	} {
		if got := fact(d, name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if d, err = wikipediaFormat(everyPair, "distance").Load(t.Context(), sourcetest.Input(contents)); err != nil || d.Rows() != 383241 {
		t.Errorf("all pairs: got %d rows (%v), want 383241", d.Rows(), err)
	}
	strict := wikipediaFormat(sassano, "distance")
	strict.Heads = "strict"
	if _, err := strict.Load(t.Context(), sourcetest.Input(contents)); err == nil || !strings.Contains(err.Error(), "wiki00018699.knp:50: ") {
		t.Errorf("strict: got %v, want the first head outside its sentence", err)
	}
}

func TestWikipediaParts(t *testing.T) {
	contents := wikipedia(t)
	for test, want := range map[string]string{"dev": "86179 41195 2530 1224, 200 left out", "test": "86179 41195 4433 2107, 100 left out"} {
		d, err := wikipediaFormat(sassano, "distance").Load(t.Context(), divided(contents, "train", test))
		if err != nil {
			t.Fatal(err)
		}
		trainRows, trainPositive := count(d, 0)
		testRows, testPositive := count(d, 1)
		if got := fmt.Sprintf("%d %d %d %d, %s left out", trainRows, trainPositive, testRows, testPositive, fact(d, "documents left out, in no list")); got != want {
			t.Errorf("%s: got %s, want %s", test, got, want)
		}
	}
}

// Reading with the default templates.
func BenchmarkWikipedia(b *testing.B) {
	in := sourcetest.Input(wikipedia(b))
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
