package svmlight

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/source"
)

// in reads content as if these were the pieces of a large file.
func in(labels data.Type, pieces ...string) (*reader, error) {
	r := &reader{base: 1, columns: source.MaxColumns, labels: source.Labels{Type: labels}}
	return r, r.readPieces(context.Background(), "file", 0, bytesOf(pieces))
}

func bytesOf(pieces []string) (out [][]byte) {
	for _, p := range pieces {
		out = append(out, []byte(p))
	}
	return out
}

// Wherever a file is cut, it gives the same rows, or the same error.
func TestPieces(t *testing.T) {
	good := "b 1:1 3:1\n# comment\n\na 2:1\nb\nc 7:1\na 1:1 2:1\n"
	for _, text := range []string{
		good,
		strings.ReplaceAll(good, "3:1", "3:0.5"),
		strings.ReplaceAll(good, "7:1", "9:-2 10:0"),
		strings.TrimSuffix(good, "\n"),
		"x qid:3 1:1\ny qid:4 2:1\nx qid:3\ny qid:9 1:2\n",
		"x qid:3 1:1\ny qid:4 2:1\nx 3:1\ny qid:9 1:2\n",
		"x 1:1\ny 2:1\nx qid:1 3:1\ny 1:2\n",
		"x 1:1\ny 2:1\nx 3:\ny 1:\n",
		"x 1:1\ny 2:1\nx 0:3\ny 1:\n",
		"# nothing\n\n\n",
	} {
		whole, want := in(data.Class, text)
		for a := range strings.Count(text, "\n") + 1 {
			for b := range a + 1 {
				lines := strings.SplitAfter(text, "\n")
				part := func(from, to int) string { return strings.Join(lines[from:to], "") }
				r, err := in(data.Class, part(0, b), part(b, a), part(a, len(lines)))
				if fmt.Sprint(err) != fmt.Sprint(want) {
					t.Fatalf("%q cut after lines %d and %d: error %v, expected %v", text, b, a, err, want)
				}
				if got, want := state(r), state(whole); err == nil && got != want {
					t.Errorf("%q cut after lines %d and %d:\n%s\nexpected\n%s", text, b, a, got, want)
				}
			}
		}
	}
}

func state(r *reader) string {
	var b strings.Builder
	m := r.x.Matrix(0)
	_, cols := m.Dims()
	targets, err := r.labels.Targets("")
	fmt.Fprintln(&b, r.rows, r.grouped, cols, m.Binary(), targets, err, r.qid.Words, r.qid.Of)
	for i := range r.rows {
		fmt.Fprintln(&b, m.Row(i))
	}
	return b.String()
}

// A file of several megabytes is cut, at line ends only, and read like a small one.
func TestLargeFile(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var text bytes.Buffer
	for range 60_000 {
		fmt.Fprintf(&text, "%d", rng.IntN(5)-2)
		for j := 1 + rng.IntN(9); j < 400; j += 1 + rng.IntN(40) {
			fmt.Fprintf(&text, " %d:1", j)
		}
		text.WriteByte('\n')
	}
	for _, labels := range []data.Type{data.Class, data.Real} {
		for n := range 6 {
			pieces := splitLines(text.Bytes(), n)
			if len(pieces) != max(1, n) || !bytes.Equal(bytes.Join(pieces, nil), text.Bytes()) {
				t.Fatalf("%d pieces, expected %d of the whole", len(pieces), n)
			}
			for _, p := range pieces {
				if p[len(p)-1] != '\n' {
					t.Fatal("a piece ends within a line")
				}
			}
		}
		whole, once := &reader{base: 1, columns: source.MaxColumns, labels: source.Labels{Type: labels}}, &reader{base: 1, columns: source.MaxColumns, labels: source.Labels{Type: labels}}
		if err := whole.readFile(context.Background(), "file", text.Bytes()); err != nil {
			t.Fatal(err)
		}
		if err := once.readLines(context.Background(), "file", 0, text.Bytes()); err != nil {
			t.Fatal(err)
		}
		if state(whole) != state(once) {
			t.Error("the large file gives other rows in pieces")
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := (&reader{base: 1}).readFile(ctx, "file", text.Bytes()); err == nil {
		t.Error("cancelled: no error")
	}
}
