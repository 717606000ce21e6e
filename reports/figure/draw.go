package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"math"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

const (
	width, height = 6.4 * vg.Inch, 4 * vg.Inch
	margin        = 10 * vg.Length(1)
	dpi           = 160
)

// palette is that of Okabe & Ito 2008 in an order that also differs in lightness, for readers who do not see every
// colour; the dashes tell lines apart in grey.
var palette = []color.RGBA{
	{R: 0, G: 114, B: 178, A: 255},
	{R: 213, G: 94, B: 0, A: 255},
	{R: 0, G: 130, B: 95, A: 255},
	{R: 170, G: 80, B: 135, A: 255},
	{R: 190, G: 130, B: 0, A: 255},
	{R: 60, G: 150, B: 205, A: 255},
}

var (
	ink  = color.RGBA{R: 40, G: 40, B: 40, A: 255}
	soft = color.RGBA{R: 110, G: 110, B: 110, A: 255}
	grid = color.RGBA{R: 228, G: 228, B: 228, A: 255}
)

// SVG writes the chart as an SVG document whose text stays text.
func (c Chart) SVG(w io.Writer) error {
	canvas := vgsvg.New(width, height)
	if err := c.draw(draw.New(canvas)); err != nil {
		return err
	}
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return err
	}
	_, err := w.Write(bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans"), []byte(fonts)))
	return err
}

// fonts of an SVG where Liberation Sans, by which text was measured, is missing: those with its widths come first.
const fonts = "font-family:'Liberation Sans',Arial,Helvetica,sans-serif"

// PNG writes the chart as an image.
func (c Chart) PNG(w io.Writer) error {
	canvas := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))
	if err := c.draw(draw.New(canvas)); err != nil {
		return err
	}
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}

// draw sets, from the top: title, legend, data area with its axes. gonum/plot has no second axis: series of the right
// axis are drawn by a second plot over the same data area, and its axis by hand.
func (c Chart) draw(canvas draw.Canvas) error {
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Rectangle.Path())
	area := draw.Crop(canvas, margin, -margin, margin, -margin)
	area = c.drawTitle(area)
	area = c.drawLegend(area)

	left, err := c.plot(c.Left, func(s Series) bool { return !s.Right })
	if err != nil {
		return err
	}
	right, err := c.plot(c.Right, func(s Series) bool { return s.Right })
	if err != nil {
		return err
	}
	left.X.Min, left.X.Max = c.span()
	right.X.Min, right.X.Max = left.X.Min, left.X.Max
	if c.Right.Label != "" {
		area = draw.Crop(area, 0, -rightWidth(right), 0, 0)
	}
	left.Draw(area)
	data := left.DataCanvas(area)
	c.drawMarks(data, left)
	if c.Right.Label != "" {
		for _, p := range right.plotters {
			p.Plot(data, right.Plot)
		}
		drawRightAxis(data, right.Plot)
	}
	return nil
}

// span is the range of x over all series, a little wider where points are shown.
func (c Chart) span() (low, high float64) {
	b := bounds(c.Series)
	low, high = b.left, b.right
	if low == high {
		return low - 0.5*math.Max(1, math.Abs(low)), high + 0.5*math.Max(1, math.Abs(high))
	}
	if c.Series[0].Dots && !c.X.Log {
		pad := 0.03 * (high - low)
		return low - pad, high + pad
	}
	if c.Series[0].Dots {
		pad := math.Pow(high/low, 0.03)
		return low / pad, high * pad
	}
	return low, high
}

// scaled is a plot with the plotters that it was given.
type scaled struct {
	*plot.Plot
	plotters []plot.Plotter
}

func (c Chart) plot(y Axis, mine func(Series) bool) (scaled, error) {
	p := scaled{Plot: plot.New()}
	p.BackgroundColor = color.Transparent
	p.X.Label.Text, p.Y.Label.Text = c.X.Label, y.Label
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Color, a.Tick.Color = soft, soft
		a.Label.TextStyle.Font, a.Label.TextStyle.Color = sans(11), ink
		a.Label.Padding = 4
		a.Tick.Label.Font, a.Tick.Label.Color = sans(9.5), ink
		a.Tick.Length = 4
		a.Padding = 0
		a.Tick.Marker = ticks{}
	}
	if c.X.Log {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, logTicks{}
	}
	g := plotter.NewGrid()
	g.Horizontal.Color, g.Vertical.Color = grid, grid
	g.Vertical.Width, g.Horizontal.Width = vg.Points(0.5), vg.Points(0.5)
	if mine(Series{}) {
		p.Add(g)
	}
	for _, s := range c.Series {
		if !mine(s) {
			continue
		}
		if err := p.addSeries(s); err != nil {
			return p, fmt.Errorf("%s: %w", s.Label, err)
		}
	}
	if room := 0.04 * (p.Y.Max - p.Y.Min); p.Y.Min < p.Y.Max {
		if p.Y.Max += room; p.Y.Min > room || p.Y.Min < 0 {
			p.Y.Min -= room
		} else {
			p.Y.Min = math.Min(0, p.Y.Min)
		}
	}
	return p, nil
}

func (p *scaled) addSeries(s Series) error {
	xy := make(plotter.XYs, len(s.Points))
	bars := errorBars{XYs: xy}
	for i, pt := range s.Points {
		xy[i] = plotter.XY{X: pt.X, Y: pt.Y}
		bars.err = append(bars.err, pt.Error)
	}
	l, err := plotter.NewLine(xy)
	if err != nil {
		return err
	}
	l.LineStyle = s.style()
	p.add(l)
	if !s.Dots {
		return nil
	}
	whiskers, err := plotter.NewYErrorBars(bars)
	if err != nil {
		return err
	}
	whiskers.LineStyle = draw.LineStyle{Color: s.colour(), Width: vg.Points(0.8)}
	whiskers.CapWidth = vg.Points(5)
	for _, e := range bars.err {
		if e > 0 {
			p.add(whiskers)
			break
		}
	}
	dots, err := plotter.NewScatter(xy)
	if err != nil {
		return err
	}
	dots.GlyphStyle = s.glyph()
	p.add(dots)
	return nil
}

func (p *scaled) add(pl plot.Plotter) {
	p.Add(pl)
	p.plotters = append(p.plotters, pl)
}

// errorBars satisfies what plotter.NewYErrorBars asks for.
type errorBars struct {
	plotter.XYs
	err []float64
}

func (e errorBars) YError(i int) (low, high float64) { return -e.err[i], e.err[i] }

func (s Series) colour() color.Color {
	if s.Colour < 0 {
		return soft
	}
	return palette[s.Colour%len(palette)]
}

func (s Series) style() draw.LineStyle {
	st := draw.LineStyle{Color: s.colour(), Width: vg.Points(1.5)}
	switch s.Dash {
	case Dashed:
		st.Dashes = []vg.Length{6, 3}
	case Dotted:
		st.Dashes = []vg.Length{1.5, 2.5}
	case DashDot:
		st.Dashes = []vg.Length{7, 3, 1.5, 3}
	}
	return st
}

func (s Series) glyph() draw.GlyphStyle {
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{}}
	return draw.GlyphStyle{Color: s.colour(), Radius: vg.Points(2.6), Shape: shapes[max(0, s.Colour)%len(shapes)]}
}

func sans(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)}
}

func style(size float64, c color.Color) text.Style {
	return text.Style{Font: sans(size), Color: c, Handler: plot.DefaultTextHandler}
}

func (c Chart) drawTitle(area draw.Canvas) draw.Canvas {
	if c.Title == "" {
		return area
	}
	st := style(12.5, ink)
	st.Font.Weight = stdfont.WeightBold
	st.YAlign = draw.YTop
	area.FillText(st, vg.Point{X: area.Min.X, Y: area.Max.Y}, c.Title)
	return draw.Crop(area, 0, 0, 0, -st.Height(c.Title)-6)
}

// drawLegend writes samples of the lines in rows above the data, where they hide nothing.
func (c Chart) drawLegend(area draw.Canvas) draw.Canvas {
	if len(c.Series) < 2 && len(c.Marks) == 0 {
		return area
	}
	st := style(9.5, ink)
	st.YAlign = draw.YCenter
	const sample, gap, between, row = 24, 5, 16, 15
	x, y := area.Min.X, area.Max.Y-row/2
	entry := func(label string, paint func(at vg.Point)) {
		need := sample + gap + st.Width(label)
		if x > area.Min.X && x+need > area.Max.X {
			x, y = area.Min.X, y-row
		}
		paint(vg.Point{X: x, Y: y})
		area.FillText(st, vg.Point{X: x + sample + gap, Y: y}, label)
		x += need + between
	}
	for _, s := range c.Series {
		entry(s.Label, func(at vg.Point) {
			area.StrokeLine2(s.style(), at.X, at.Y, at.X+sample, at.Y)
			if s.Dots {
				area.DrawGlyph(s.glyph(), vg.Point{X: at.X + sample/2, Y: at.Y})
			}
		})
	}
	for _, m := range c.Marks {
		entry(m.Label, func(at vg.Point) { area.StrokeLine2(markStyle, at.X+sample/2, at.Y-5, at.X+sample/2, at.Y+5) })
	}
	return draw.Crop(area, 0, 0, 0, y-row/2-6-area.Max.Y)
}

var markStyle = draw.LineStyle{Color: soft, Width: vg.Points(1)}

func (c Chart) drawMarks(data draw.Canvas, p scaled) {
	toX, _ := p.Transforms(&data)
	for _, m := range c.Marks {
		data.StrokeLine2(markStyle, toX(m.X), data.Min.Y, toX(m.X), data.Max.Y)
	}
}
