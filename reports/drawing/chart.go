// Package drawing holds charts as plain data, and draws them as SVG, PNG and PDF. What they show, and of which results, it does not know:
// package figure makes charts of cells.
//
// A Chart has a title, a caption, and a Body in one of four forms: Curves (curves.go; drawn by curves_draw.go, series.go, scale.go,
// legend.go, labels.go, atrisk.go, readings.go), Ranks (ranks.go), Heat (heat.go) or Strips (strips.go); panels.go joins Curves. Chart.SVG, Live, PNG and PDF
// put the title on a canvas and draw the body below: gonum's canvas for PNG, our own for SVG (svg.go) and PDF (pdf.go), all with the
// paints of paint.go.
package drawing

import (
	"fmt"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"tenfold/engines/param"
)

// Formats of files.
const (
	SVG = "svg"
	PNG = "png"
	PDF = "pdf"
	CSV = "csv" // the numbers that the chart shows
)

// Chart holds the content of a figure, its caption, and its size.
type Chart struct {
	Name    string // of its file, without ending
	Title   string // what it shows
	Heading string // above the drawing; "" for none
	Caption string // what a reader must also know: which cell, fold, what is left out
	Body    Body

	Formats       []string  // of its files; empty: SVG and PNG
	Width, Height vg.Length // 0: automatic
}

// Body is the part of a chart below its title: Curves, Ranks, Heat or Strips. It is plain data; drawing it comes after.
type Body interface {
	describe() string                     // what it shows, for readers who do not see it
	numbers() ([]string, [][]string)      // what it shows, a line a number, and the names of their columns
	size(room vg.Length) (w, h vg.Length) // the size that it takes in the given width; it may need more
	draw(c draw.Canvas) error             // over all of the canvas
}

// AddSentence adds a sentence to the caption.
func (c *Chart) AddSentence(format string, args ...any) {
	c.Caption = strings.TrimSpace(c.Caption + " " + fmt.Sprintf(format, args...))
}

// AddSentences adds several sentences to the caption, as they are.
func (c *Chart) AddSentences(texts []string) {
	for _, t := range texts {
		c.AddSentence("%s", t)
	}
}

// NoteLeftOut names in the caption what is not shown.
func (c *Chart) NoteLeftOut(names []string) {
	if len(names) > 0 {
		c.AddSentence("Left out: %s.", JoinNames(names))
	}
}

// JoinNames joins the first few names of a list, for the caption, and counts the others.
func JoinNames(names []string) string {
	const few = 6
	if len(names) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
	}
	return strings.Join(names, ", ")
}

// Alt describes the chart in words for readers who do not see it.
func (c Chart) Alt() string { return fmt.Sprintf("%s. %s", c.Title, c.Body.describe()) }

const (
	natural    = 6.4 * vg.Inch // width of the page's column; what needs more is wider
	margin     = 10 * vg.Length(1)
	edge       = 2 * vg.Length(1) // margin of a figure whose size is given: the page around it has its own
	dpi        = 160
	printed    = 300 // dots per inch of a figure whose size is given
	millimetre = vg.Inch / 25.4
	columned   = 120 * millimetre // narrower figures are in columns of a paper, with
	smaller    = 8 / 9.5          // smaller letters
)

// Resize sets the size of the chart in millimetres, 0 for that which follows from its content. It refuses a height without room for
// legend, axes and data.
func (c *Chart) Resize(width, height float64) error {
	c.Width, c.Height = vg.Length(width)*millimetre, vg.Length(height)*millimetre
	if _, isCurves := c.Body.(*Curves); isCurves && c.Height > 0 {
		w, h, scale := c.layout()
		_, body := c.Body.size(w - 2*c.margin())
		if least := c.frameHeight(w) + body - dataHeight(w-2*c.margin()) + leastData; h < least {
			return param.Errorf("height", "%v, it takes at least %.0f for legend, axes and data", height, math.Ceil(float64(least)*scale/float64(millimetre)))
		}
	}
	return nil
}

// Has reports whether the figure has a file of a format. It always has an SVG, for the report.
func (c Chart) Has(format string) bool {
	return format == SVG || len(c.Formats) == 0 && format == PNG || slices.Contains(c.Formats, format)
}

// FullCaption returns what the figure shows, unless its heading says so, followed by the caption.
func (c Chart) FullCaption() string {
	if c.Heading != "" {
		return c.Caption
	}
	return strings.TrimSpace(c.Title + ". " + c.Caption)
}

func (c Chart) margin() vg.Length {
	if c.Width > 0 {
		return edge
	}
	return margin
}

// frameHeight returns the height of title and margins, for a chart of width w: all except the body.
func (c Chart) frameHeight(w vg.Length) vg.Length {
	return titleHeight(c.Heading, w-2*c.margin()) + 2*c.margin()
}

// layout returns the size in which the chart is drawn, and the scale that then gives it the requested size: charts in columns of
// papers have smaller letters, and a chart that does not fit otherwise is drawn smaller as a whole.
func (c Chart) layout() (w, h vg.Length, scale float64) {
	w, scale = natural, 1
	if c.Width > 0 {
		if c.Width < columned {
			scale = smaller
		}
		w = c.Width / vg.Length(scale)
	}
	least, body := c.Body.size(w - 2*c.margin())
	if wide := least + 2*c.margin(); wide > w {
		if w = wide; c.Width > 0 {
			scale = float64(c.Width / w)
		}
		_, body = c.Body.size(least)
	}
	h = body + c.frameHeight(w)
	if c.Height > 0 {
		h = c.Height / vg.Length(scale)
	}
	return w, h, scale
}

// SVG writes the chart as an SVG element whose text stays text. Its colours are the custom properties --tf-ink, --tf-soft,
// --tf-line, --tf-paper and --tf-c0 … --tf-c7 if they are set; as a file of its own it follows the reader's choice of light or
// dark.
func (c Chart) SVG(w io.Writer) error {
	width, height, scale := c.layout()
	canvas := newSVG(width, height)
	if err := c.draw(draw.New(canvas), true); err != nil {
		return err
	}
	return canvas.writeDocument(w, c, scale)
}

// Live writes the chart as an SVG element for a page that has Style: pointing at a place shows the values there.
func (c Chart) Live(w io.Writer) error {
	width, height, _ := c.layout()
	canvas := newSVG(width, height)
	canvas.live = true
	if err := c.draw(draw.New(canvas), true); err != nil {
		return err
	}
	return canvas.writeLive(w, c)
}

// PNG writes the chart as an image on white, for readers of plain Markdown and for slides.
func (c Chart) PNG(w io.Writer) error {
	width, height, scale := c.layout()
	dots := float64(dpi)
	if c.Width > 0 {
		dots = printed * scale
	}
	canvas := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(max(1, int(math.Round(dots)))))
	if err := c.draw(draw.New(canvas), true); err != nil {
		return err
	}
	quick := png.Encoder{CompressionLevel: png.BestSpeed} // a third of the time for files a little larger
	return quick.Encode(w, canvas.Image())
}

// PDF writes the chart as a page of its size, for papers.
func (c Chart) PDF(w io.Writer) error {
	width, height, scale := c.layout()
	canvas := newPDF(width, height, scale)
	if err := c.draw(draw.New(canvas), false); err != nil {
		return err
	}
	return canvas.writeDocument(w, c.Title)
}

// draw draws the chart, on white where onPaper is set and on nothing otherwise.
func (c Chart) draw(canvas draw.Canvas, onPaper bool) error {
	if onPaper {
		canvas.SetColor(paper)
		canvas.Fill(canvas.Rectangle.Path())
	}
	m := c.margin()
	return c.Body.draw(drawTitle(draw.Crop(canvas, m, -m, m, -m), c.Heading))
}
