package figure

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tenfold/reports/drawing"
)

func svgOf(t *testing.T, c drawing.Chart) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.SVG(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A page takes the element in as it is: it begins with <svg width= height=, names what it shows, and has no id, no style
// of elements, and no class that could be another's.
func TestSVGIsFitForAPage(t *testing.T) {
	svg := svgOf(t, build(t, Config{Kind: Sweep, X: "sample", Lines: "carry"}, lookupInput()))
	if !regexp.MustCompile(`^<svg width="460\.8pt" height="[\d.]+pt" viewBox="0 0 460\.8 [\d.]+" role="img" `).MatchString(svg) {
		t.Errorf("begins %.120s", svg)
	}
	for _, want := range []string{"<title>Mean squared error on test rows against sample</title>", "<metadata>Mean squared error on test rows against sample. Bars:", "<desc>Along the axis sample. carry false from", "Bars: standard error over folds, corrected for overlapping training rows.</desc>",
		"<text", "Liberation Sans", `class="tf-paper" fill="#ffffff"`, ".tf-ink{fill:var(--tf-ink,#1f2328)}", ".tf-c0-stroke{stroke:var(--tf-c0,#0072b2)}"} {
		if !strings.Contains(svg, want) {
			t.Errorf("lacks %q", want)
		}
	}
	if strings.Contains(svg, " id=") {
		t.Error("has an id")
	}
	for _, class := range regexp.MustCompile(`class="([^"]*)"`).FindAllStringSubmatch(svg, -1) {
		if !strings.HasPrefix(class[1], "tf-") || !strings.Contains(svg, "."+class[1]+"{") {
			t.Errorf("class %q has no rule", class[1])
		}
	}
}

// Alone, the file is dark where its reader is, on the screen; as part of a page it leaves that to the page.
func TestSVGIsDarkOnlyAsARoot(t *testing.T) {
	svg := svgOf(t, build(t, Config{Kind: Sweep, X: "sample", Lines: "carry"}, lookupInput()))
	dark := regexp.MustCompile(`@media screen and \(prefers-color-scheme:dark\)\{svg:root\{([^}]*)\}\}`).FindStringSubmatch(svg)
	if dark == nil {
		t.Fatal("no rule for dark reading")
	}
	set := strings.Split(dark[1], ";")
	for _, want := range []string{"--tf-ink:#e6e8eb", "--tf-paper:#15181c", "--tf-c1:#f0874a"} {
		if !slices.Contains(set, want) {
			t.Errorf("%q lacks %s", set, want)
		}
	}
}

// Properties that a page may set: their names are part of what figures promise.
func TestSVGEscapes(t *testing.T) {
	c := build(t, Config{Kind: Sweep, X: "epsilon", Title: "a < b & \"c\"\x01"}, sweepInput())
	checkSVG(t, []byte(svgOf(t, c)))
}
