package documents

import (
	"fmt"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/files"
	"tenfold/io/source/sourcetest"
)

// all is a file or folder of the data folder.
func all(tb testing.TB, path string) *files.Set {
	return sourcetest.Open(tb, map[string]string{"all": path})
}

// sizes counts the rows of each level, in the order of levels.
func sizes(d *data.Dataset, part int8) []int {
	n := make([]int, len(d.Targets[0].Levels))
	for i, y := range d.Targets[0].Values {
		if d.Part == nil || d.Part[i] == part {
			n[int(y)]++
		}
	}
	return n
}

func newsgroups(d *Documents) {
	d.Layout, d.Encoding = "20news-bydate-{part}/{class}/{id}", "replace"
}

func TestNewsgroups(t *testing.T) {
	d := sourcetest.Read(t, with(newsgroups), all(t, "20news-bydate/20news-bydate.tar.gz"))
	if got := fmt.Sprintln(d.Rows(), d.Targets[0].Levels[0], d.Targets[0].Levels[19]); got != "18846 alt.atheism talk.religion.misc\n" {
		t.Error(got)
	}
	if got := fmt.Sprint(sizes(d, 0)); got != "[480 584 591 590 578 593 585 594 598 597 600 595 591 594 593 599 546 564 465 377]" {
		t.Error(got)
	}
	if got := fmt.Sprint(sizes(d, 1)); got != "[319 389 394 392 385 395 390 396 398 397 399 396 393 396 394 398 364 376 310 251]" {
		t.Error(got)
	}
	if got := d.RowID(0); got != "20news-bydate-test/alt.atheism/53068" {
		t.Error(got)
	}
	if got := d.Facts[len(d.Facts)-1]; got.Value != "73" {
		t.Errorf("%+v, want 73 files", got)
	}
}

func TestMovieReviews(t *testing.T) {
	d := sourcetest.Read(t, with(func(d *Documents) {
		d.Layout, d.Features.Tokens, d.Features.Lower = "{class}/{id}.txt", "blanks", false
	}), all(t, "movie-reviews/movie_reviews.tar.gz"))
	if got := fmt.Sprintln(d.Rows(), d.Targets[0].Levels, sizes(d, 0), d.Features.Len(), d.X.Binary(), d.Facts[0].Value); got != "2000 [neg pos] [1000 1000] 50920 true 1492681\n" {
		t.Error(got)
	}
}

func TestSubjectivity(t *testing.T) {
	d := sourcetest.Read(t, with(func(d *Documents) {
		d.Layout, d.Split, d.Encoding, d.Features.Tokens = "{class}.tok.gt9.5000", "line", "replace", "blanks"
	}), all(t, "subjectivity"))
	if got := fmt.Sprintln(d.Rows(), d.Targets[0].Levels, sizes(d, 0), d.Facts[0].Value, d.RowID(5000)); got != "10000 [plot quote] [5000 5000] 240575 quote.tok.gt9.5000:1\n" {
		t.Error(got)
	}
}

func BenchmarkNewsgroups(b *testing.B) {
	for name, ngrams := range map[string]string{"words": "1", "pairs": "2"} {
		b.Run(name, func(b *testing.B) {
			in := all(b, "20news-bydate/20news-bydate.tar.gz")
			for b.Loop() {
				if err := in.Close(); err != nil {
					b.Fatal(err)
				}
				d, err := with(func(d *Documents) { newsgroups(d); d.Features.Ngrams = ngrams }).Load(b.Context(), in)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(d.X.NNZ()), "entries")
				b.ReportMetric(float64(d.Features.Len()), "columns")
			}
		})
	}
}
