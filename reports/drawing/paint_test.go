package drawing

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestNamesOfPaints(t *testing.T) {
	var names []string
	for _, p := range append([]paint{ink, soft, rule, paper}, palette[:]...) {
		names = append(names, "--tf-"+p.name)
		if !strings.Contains(Style(), fmt.Sprintf(".tf-%s{fill:var(--tf-%[1]s,%s)}", p.name, hexColour(p.light))) {
			t.Errorf("the style lacks %s", p.name)
		}
	}
	if got, want := strings.Join(names, " "), "--tf-ink --tf-soft --tf-line --tf-paper --tf-c0 --tf-c1 --tf-c2 --tf-c3 --tf-c4 --tf-c5 --tf-c6 --tf-c7"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestFit(t *testing.T) {
	st := textStyle(9.5, ink)
	for _, c := range []struct{ text, want string }{
		{"short", "short"},
		{"forward-stagewise epsilon=0.00316", "forward-st…n=0.00316"},
	} {
		got := shortenText(st, c.text, 100)
		if got != c.want || st.Width(got) > 100 {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	if got := shortenText(st, "forward", 1); got != "…" {
		t.Errorf("no room: %q", got)
	}
	if got := wrapText(st, "one two  three four", 50); strings.Join(got, "|") != "one two|three four" {
		t.Errorf("%q", got)
	}
}
func TestFormats(t *testing.T) {
	for _, c := range []struct {
		formats []string
		want    string
	}{{nil, "svg png"}, {[]string{PDF}, "svg pdf"}, {[]string{PNG, PDF}, "svg png pdf"}} {
		var got []string
		for _, f := range []string{SVG, PNG, PDF} {
			if (Chart{Formats: c.formats}).Has(f) {
				got = append(got, f)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v: %v, want %s", c.formats, got, c.want)
		}
	}
}

// Numbers on every shade, and lines and letters on either paper, are legible: WCAG 2.2 asks for 4.5 of text and 3 of
// graphics.
func TestContrast(t *testing.T) {
	last := math.Inf(1)
	for i := range 101 {
		c := heatColour(float64(i) / 100)
		if got := contrastRatio(c, inkOn(c)); got < 4.5 {
			t.Errorf("shade %d: contrast %.2f", i, got)
		}
		if l := relativeLuminance(c); l > last {
			t.Errorf("shade %d is lighter than the one before: not in order when printed in grey", i)
		} else {
			last = l
		}
	}
	for _, p := range append([]paint{ink, soft}, palette[:]...) {
		least := 3.0
		if p == ink || p == soft {
			least = 4.5
		}
		if light, dark := contrastRatio(p.light, paper.light), contrastRatio(p.dark, paper.dark); light < least || dark < least {
			t.Errorf("%s: contrast %.2f on white, %.2f on dark, want %g", p.name, light, dark, least)
		}
	}
	if got := contrastRatio(rgbColour(0), rgbColour(0xffffff)); !(math.Abs(got-21) <= 1e-9) {
		t.Errorf("black on white: %g", got)
	}
}

// Names stand in rows of their own, and bars that overlap on levels of their own.
func TestBarsDoNotOverlap(t *testing.T) {
	r := Ranks{Last: 6, Joined: [][2]float64{{1, 3}, {2, 4}, {3.5, 5}, {4.5, 6}}}
	if got, want := r.barLevels(), []int{0, 1, 0, 1}; !slices.Equal(got, want) {
		t.Errorf("levels %v, want %v", got, want)
	}
}
