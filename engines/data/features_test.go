package data

import "testing"

func TestNumberedFeatures(t *testing.T) {
	f := NumberedFeatures(9, 3)
	for j, want := range []string{"9", "10", "11"} {
		if got := f.Name(j); got != want {
			t.Errorf("column %d: got %q, want %q", j, got, want)
		}
	}
	if f.Len() != 3 {
		t.Errorf("got %d columns, want 3", f.Len())
	}
}
