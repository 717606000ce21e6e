package compiled

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/files"
	"tenfold/io/formats/npz"
	"tenfold/io/formats/svmlight"
	"tenfold/io/formats/vw"
	"tenfold/io/scratch"
	"tenfold/io/source"
)

// text is rows for a reader whose features reappear after a while; values begin to differ from one in the middle.
func text(named, values bool) string {
	rng := rand.New(rand.NewPCG(7, 8))
	var b strings.Builder
	for i := range 800 {
		fmt.Fprint(&b, []string{"1", "-1"}[rng.IntN(2)])
		if named {
			fmt.Fprintf(&b, " 'row%d|", i)
		}
		j := 0
		for range rng.IntN(12) {
			j += 1 + rng.IntN(i/3+3)
			feature := fmt.Sprint(j)
			if named {
				feature = fmt.Sprintf("word%d", (j*7919)%1511)
			}
			if value := rng.IntN(3); values && i > 400 && value != 1 {
				fmt.Fprintf(&b, " %s:%d.5", feature, value)
			} else if named {
				fmt.Fprintf(&b, " %s", feature)
			} else {
				fmt.Fprintf(&b, " %s:1", feature)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// stepped is a source that counts what it was given.
type stepped struct {
	source.Source
	roomy *bool
}

func (s stepped) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	*s.roomy = source.RoomIn(in) != nil
	return s.Source.Load(ctx, in)
}

func compile(t *testing.T, src source.Source, contents map[string][]byte, memory int64) (file []byte, roomy bool) {
	t.Helper()
	c := Cache{Dir: t.TempDir(), Memory: memory, Warn: func(err error) { t.Errorf("warning: %v", err) }}
	refs := map[string]files.Ref{}
	for role, content := range contents {
		path := filepath.Join(t.TempDir(), role)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		refs[role] = files.Ref{Path: path}
	}
	in, err := files.Open(refs, files.Folders{}, c.Dir)
	if err != nil {
		t.Fatal(err)
	}
	digest, err := plain.Digest(in)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Load(t.Context(), plain, stepped{src, &roomy}, in); err != nil {
		t.Fatal(err)
	}
	if file, err = os.ReadFile(c.pathOf(digest)); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(scratch.In(c.Dir))
	if len(left) > 0 || err != nil && !os.IsNotExist(err) {
		t.Errorf("left in the scratch folder: %v, %v", left, err)
	}
	return file, roomy
}

// A data set that is read in little memory is compiled to the same file, byte for byte.
func TestLittleMemory(t *testing.T) {
	if !scratch.Supported {
		t.Skip("this system maps no files")
	}
	numbers, words := svmlight.Kind.Defaults(), vw.Kind.Defaults()
	hashed := words.(vw.VW)
	hashed.Hash = 9
	for name, c := range map[string]struct {
		src     source.Source
		content string
	}{
		"svmlight":        {numbers, text(false, false)},
		"svmlight values": {numbers, text(false, true)},
		"base 0":          {numbers, text(false, false) + "1 0:1\n"},
		"vw":              {words, text(true, false)},
		"vw values":       {words, text(true, true)},
		"vw hashed":       {hashed, text(true, true)},
	} {
		t.Run(name, func(t *testing.T) {
			all := map[string][]byte{"all": []byte(c.content)}
			want, roomy := compile(t, c.src, all, 0)
			if roomy {
				t.Fatal("a small file was read with disk space")
			}
			for _, memory := range []int64{1, 2000, 60_000} {
				got, roomy := compile(t, c.src, all, memory)
				if !roomy {
					t.Fatalf("memory of %d: no disk space was given", memory)
				}
				if !bytes.Equal(got, want) {
					t.Errorf("memory of %d: the compiled file differs (%d and %d bytes)", memory, len(got), len(want))
				}
			}
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			if _, err := z.Write([]byte(c.content)); err != nil {
				t.Fatal(err)
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			if got, _ := compile(t, c.src, map[string][]byte{"all": packed.Bytes()}, 1); !bytes.Equal(got, want) {
				t.Error("gzipped: the compiled file differs")
			}
		})
	}
}

// Arrays of numbers, whose size is known, go to disk as a whole.
func TestArraysInLittleMemory(t *testing.T) {
	if !scratch.Supported {
		t.Skip("this system maps no files")
	}
	for _, ones := range []bool{true, false} {
		x, y := make([]float64, 40*30), make([]float64, 40)
		for k := range x {
			if x[k] = float64(k * k % 7 % 3); ones {
				x[k] = min(x[k], 1)
			}
		}
		parts := map[string][]byte{"all": npy(x, "(40, 30)"), "all_y": npy(y, "(40,)")}
		want, _ := compile(t, npz.Kind.Defaults(), parts, 0)
		if got, roomy := compile(t, npz.Kind.Defaults(), parts, 1); !roomy || !bytes.Equal(got, want) {
			t.Errorf("ones %v: with disk space %v, the compiled file differs", ones, roomy)
		}
	}
}

// npy is numbers as NumPy writes them.
func npy(x []float64, shape string) []byte {
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': %s, }", shape)
	header += strings.Repeat(" ", 117-len(header)) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), 118, 0)
	b = append(b, header...)
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// An error has the same words, and nothing stays behind.
func TestErrorInLittleMemory(t *testing.T) {
	content := text(false, false) + "1 3:x\n"
	var said []string
	for _, memory := range []int64{0, 1000} {
		c := Cache{Dir: t.TempDir(), Memory: memory}
		path := filepath.Join(t.TempDir(), "data")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		in, err := files.Open(map[string]files.Ref{"all": {Path: path}}, files.Folders{}, c.Dir)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = c.Load(t.Context(), plain, svmlight.Kind.Defaults(), in)
		said = append(said, strings.ReplaceAll(fmt.Sprint(err), path, "data"))
	}
	if said[0] != said[1] || !strings.Contains(said[0], "data:801:") {
		t.Errorf("in memory %q, on disk %q", said[0], said[1])
	}
}
