package codes

import (
	"strings"
	"testing"
)

// TestExplain: the table has the published costs (Dhillon, Foster & Ungar 2011, section 3.2), and what a second
// feature of a class costs.
func TestExplain(t *testing.T) {
	t.Parallel()
	lines := map[string]string{}
	for line := range strings.Lines(Explain(2)) {
		if f := strings.Fields(line); len(f) == 5 {
			lines[f[0]] = strings.Join(f[1:], " ")
		}
	}
	for code, want := range map[string]string{
		"mic-partial": "18.4 39.8 59.7 18.4", "mic-full": "51.0 51.0 51.0 51.0", "ric2": "13.0 64.8 259.3 13.0",
		"mic-partial-logh": "21.6 39.2 55.3 21.6", "ric": "11.0 54.8 219.3 11.0", "aic": "1.4 7.2 28.9 1.4", "bic": "3.3 16.6 66.4 3.3",
		"tpc": "13.0 64.8 259.3 7.6", "tpc-switch": "14.0 69.8 279.3 8.6",
		"transfer-tpc": "8.4 41.9 167.6 5.3", // lg 50/6 + lg 60/6 + 2; 0 + lg 60/6 + 2
	} {
		if lines[code] != want {
			t.Errorf("%s: %q, want %q", code, lines[code], want)
		}
	}
	if len(lines) != len(All) {
		t.Errorf("%d lines for %d codes", len(lines), len(All))
	}
}
