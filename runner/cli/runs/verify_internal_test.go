package runs

import (
	"testing"
)

func TestShare(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"5%": 3, "100%": 50, "0.05": 3, "1.0": 50, "1": 1, "12": 12, "60": 50, "1e-9%": 1} { // of 50
		if s, err := parseSampleSize(text); err != nil || s.cellsOf(50) != want {
			t.Errorf("%s: %d, %v, want %d", text, s.cellsOf(50), err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "0%", "101%", "1.5", "NaN", "many"} {
		if s, err := parseSampleSize(text); err == nil {
			t.Errorf("%s is %+v", text, s)
		}
	}
}
