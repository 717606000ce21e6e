package source

import (
	"fmt"
	"testing"

	"tenfold/io/scratch"
)

// Names that were forgotten and came back have the number of their first appearance.
func TestNamesForgotten(t *testing.T) {
	if !scratch.Supported {
		t.Skip("this system maps no files")
	}
	room := &Room{Space: scratch.New(t.TempDir(), nil), Limit: 1}
	defer room.Close()
	n := NewNames(room, 0)
	var numbers []int32
	for _, name := range []string{"b", "a", "b", "", "long name", "a", "c", "b", "long name"} {
		numbers = append(numbers, n.Number([]byte(name)))
		if forgot, err := n.Row(); err != nil || !forgot {
			t.Fatal(forgot, err)
		}
	}
	features, of, err := n.Done()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, k := range numbers {
		got = append(got, fmt.Sprintf("%d %s", of[k], features.Name(int(of[k]))))
	}
	if want := `["0 b" "1 a" "0 b" "2 " "3 long name" "1 a" "4 c" "0 b" "3 long name"]`; fmt.Sprintf("%q", got) != want {
		t.Errorf("got  %q\nwant %s", got, want)
	}
	if features.Len() != 5 {
		t.Errorf("%d columns, expected 5", features.Len())
	}
}

// Names whose hashes meet are one column, and that is told.
func TestHashedNames(t *testing.T) {
	n := NewNames(nil, 3)
	column := map[string]int32{}
	for round := range 2 {
		for k := range 20 {
			name := fmt.Sprintf("name %d", k)
			got := n.Number([]byte(name))
			if round == 0 {
				column[name] = got
			} else if got != column[name] {
				t.Errorf("%s: column %d, before it was %d", name, got, column[name])
			}
		}
	}
	features, of, err := n.Done()
	if err != nil || of != nil {
		t.Fatal(of, err)
	}
	size := make([]int, features.Len())
	for _, k := range column {
		size[k]++
	}
	shared, others := 0, 0
	for _, s := range size {
		if s > 1 {
			shared++
		}
		others += 2 * (s - 1)
	}
	want := fmt.Sprintf("[{columns that several features share by hash %d of %d} {entries of features that are not the first of their column %d (%.2f %%)}]",
		shared, features.Len(), others, 100*float64(others)/40)
	if got := fmt.Sprint(n.Facts()); got != want || shared == 0 {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	other := NewNames(nil, 3)
	for k := 19; k >= 0; k-- {
		name := fmt.Sprintf("name %d", k)
		at := other.Number([]byte(name))
		if theirs, _, _ := other.Done(); theirs.Name(int(at)) != features.Name(int(column[name])) {
			t.Errorf("%s is called %s in one file and %s in another", name, features.Name(int(column[name])), theirs.Name(int(at)))
		}
	}
}
