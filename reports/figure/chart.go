package figure

import (
	"fmt"
	"image/png"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"tenfold/io/results"
)

// Chart is what a figure shows.
type Chart struct {
	Name    string // of its file, without ending
	Title   string
	Caption string // what a reader must know besides: which cell, fold, what is left out
	Body    Body
}

// Body is the part of a chart below its title: Curves, Ranks or Heat. It is plain data; drawing it comes after.
type Body interface {
	words() string            // what it shows, for those who do not see it
	size() (w, h vg.Length)   // that it takes, at least
	draw(c draw.Canvas) error // over all of the canvas
}

// say adds a sentence to the caption.
func (c *Chart) say(format string, args ...any) {
	c.Caption = strings.TrimSpace(c.Caption + " " + fmt.Sprintf(format, args...))
}

// leftOut says what is not shown, and why.
func (c *Chart) leftOut(names []string) {
	if len(names) > 0 {
		c.say("Left out: %s.", listed(names))
	}
}

// listed is a list in a sentence, of which the caption names no more than a few.
func listed(names []string) string {
	const few = 6
	if len(names) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
	}
	return strings.Join(names, ", ")
}

// Alt describes the chart in words for those who do not see it.
func (c Chart) Alt() string { return fmt.Sprintf("%s. %s", c.Title, c.Body.words()) }

const (
	width  = 6.4 * vg.Inch // of the page's column; what needs more is wider
	margin = 10 * vg.Length(1)
	dpi    = 160
)

func (c Chart) size() (w, h vg.Length) {
	w, h = c.Body.size()
	w = max(w+2*margin, width)
	return w, h + titleHeight(c.Title, w-2*margin) + 2*margin
}

// SVG writes the chart as an SVG element whose text stays text. Its colours are the custom properties --tf-ink, --tf-soft,
// --tf-line, --tf-paper and --tf-c0 … --tf-c7 where they are set; as a file of its own it follows the reader's choice of
// light or dark.
func (c Chart) SVG(w io.Writer) error {
	canvas := newSVG(c.size())
	if err := c.draw(draw.New(canvas)); err != nil {
		return err
	}
	return canvas.write(w, c.Title, strings.TrimSpace(c.Body.words()+" "+c.Caption))
}

// Live writes the chart as an SVG element for a page that has Style: pointing at a place shows the values there.
func (c Chart) Live(w io.Writer) error {
	canvas := newSVG(c.size())
	canvas.live = true
	if err := c.draw(draw.New(canvas)); err != nil {
		return err
	}
	return canvas.writeLive(w, c.Title, strings.TrimSpace(c.Body.words()+" "+c.Caption))
}

// PNG writes the chart as an image on white, for print and for readers of plain Markdown.
func (c Chart) PNG(w io.Writer) error {
	canvas := vgimg.NewWith(vgimg.UseWH(c.size()), vgimg.UseDPI(dpi))
	if err := c.draw(draw.New(canvas)); err != nil {
		return err
	}
	quick := png.Encoder{CompressionLevel: png.BestSpeed} // a third of the time for files a little larger
	return quick.Encode(w, canvas.Image())
}

func (c Chart) draw(canvas draw.Canvas) error {
	canvas.SetColor(paper)
	canvas.Fill(canvas.Rectangle.Path())
	area := draw.Crop(canvas, margin, -margin, margin, -margin)
	return c.Body.draw(drawTitle(area, c.Title))
}

// slug makes a file name of a label.
func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_', r == '.':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-.")
}

// finite tells whether all of some numbers exist.
func finite(xs ...float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return !results.Finite(x) })
}
