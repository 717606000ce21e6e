package drawing

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/io/results"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// leastRoom is the minimum width of curves, and leastData the minimum height of the axes with what is between them.
const leastRoom, leastData = 180 * vg.Length(1), 80 * vg.Length(1)

// dataHeight returns the height of the axes with what is between them, for a given room.
func dataHeight(room vg.Length) vg.Length { return min(3.3*vg.Inch, 0.62*room) }

func (c *Curves) size(room vg.Length) (w, h vg.Length) {
	w = max(room, leastRoom)
	return w, dataHeight(w) + c.legendHeight(w) + c.riskHeight()
}

// draw draws, from the top: legend, data area with its axes. gonum/plot draws the left and the lower axis; it has no right one,
// which is drawn separately over the same data area.
func (c *Curves) draw(area draw.Canvas) error { return c.drawData(c.drawLegend(area)) }

// drawData draws everything except the legend.
func (c *Curves) drawData(area draw.Canvas) error {
	if err := c.checkDrawable(); err != nil {
		return err
	}
	live := c.drawsReadings(area)
	if live {
		area = draw.Crop(area, 0, 0, 0, -readingHeight)
	}
	below := area
	area = draw.Crop(area, 0, 0, c.riskHeight(), 0)
	x, left, right := c.axisScales()
	p, r := newPlot(area, x, left, c.X.Label, c.Left.Label), newPlot(area, x, right, "", c.Right.Label)
	if c.Right.Label != "" {
		area = draw.Crop(area, 0, -rightWidth(r), 0, 0)
	}
	g := plotter.NewGrid()
	g.Horizontal = draw.LineStyle{Color: rule, Width: vg.Points(0.6)}
	g.Vertical = g.Horizontal
	p.Add(g)
	p.Draw(area)
	data := p.DataCanvas(area)
	if x.zero > 0 {
		drawBreak(data, x)
	}
	for _, m := range c.Marks {
		place := data.X(x.normalise(m.X))
		data.StrokeLine2(markStyle, place, data.Min.Y, place, data.Max.Y)
	}
	frameOf := func(s Series) frame {
		if s.Right {
			return frame{data, x, right}
		}
		return frame{data, x, left}
	}
	for _, grey := range []bool{true, false} { // grey lines are beneath the others
		for _, s := range c.Series {
			if grey == (s.Colour < 0) {
				s.draw(frameOf(s))
			}
		}
	}
	c.drawAtRisk(below, data, p)
	c.drawLabels(data, frameOf)
	if c.Right.Label != "" {
		drawRightAxis(data, r)
	}
	if live {
		c.drawReadings(data, frameOf)
	}
	return nil
}

// checkDrawable returns an error for values that cannot be drawn.
func (c *Curves) checkDrawable() error {
	points := 0
	for _, s := range c.Series {
		points += len(s.Points)
		for _, p := range s.Points {
			if slices.ContainsFunc([]float64{p.X, p.Y, p.Error, p.ErrorX, p.Low, p.High}, func(v float64) bool { return !results.Finite(v) }) {
				return fmt.Errorf("%s: a point is not a number", s.Label)
			}
		}
	}
	if points == 0 {
		return errors.New("there is nothing to draw")
	}
	return nil
}

// axisScales returns the scales of the three axes, a little wider than the values if points are shown.
func (c *Curves) axisScales() (x, left, right scale) {
	xs := slices.Clone(c.X.Show)
	ys := map[bool][]float64{false: slices.Clone(c.Left.Show), true: slices.Clone(c.Right.Show)}
	dots := false
	for _, s := range c.Series {
		dots = dots || s.Dots
		for _, p := range s.Points {
			xs, ys[s.Right] = appendBarEnds(xs, p.X, p.ErrorX), appendBarEnds(ys[s.Right], p.Y, p.Error)
			if p.Low < p.High {
				ys[s.Right] = append(ys[s.Right], p.Low, p.High)
			}
		}
	}
	room := 0.0
	if dots {
		room = 0.03
	}
	x = newScale(c.X, xs, room, room)
	return x, verticalScale(c.Left, ys[false]), verticalScale(c.Right, ys[true])
}

// appendBarEnds appends the ends of the error bar v ± half to the values that an axis must include. An end at or below zero is left
// out if v is positive, so that it does not prevent a logarithmic axis.
func appendBarEnds(values []float64, v, half float64) []float64 {
	if values = append(values, v); half > 0 {
		values = append(values, v+half)
		if low := v - half; v <= 0 || low > 0 {
			values = append(values, low)
		}
	}
	return values
}

// verticalScale returns the scale of a vertical axis. Its margin does not extend below zero if no value does.
func verticalScale(a Axis, values []float64) scale {
	const room = 0.04
	s := newScale(a, values, room, room)
	if !s.log && s.low < 0 && len(values) > 0 && slices.Min(values) >= 0 {
		s.low = 0
	}
	return s
}

// newPlot returns an empty plot for an area, with few enough ticks that their labels do not touch.
func newPlot(area draw.Canvas, x, y scale, xLabel, yLabel string) *plot.Plot {
	const besideData, besideTicks, belowData, aboveTicks = 60, 42, 50, 18
	p := plot.New()
	p.BackgroundColor = nil
	x.applyTo(&p.X, int((area.Max.X-area.Min.X-besideData)/besideTicks))
	y.applyTo(&p.Y, int((area.Max.Y-area.Min.Y-belowData)/aboveTicks))
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Color, a.Tick.Color = soft, soft
		a.LineStyle.Width, a.Tick.LineStyle.Width = vg.Points(0.7), vg.Points(0.7)
		a.Label.TextStyle.Font, a.Label.TextStyle.Color = sansFont(11), ink
		a.Label.Padding = 4
		a.Tick.Label.Font, a.Tick.Label.Color = sansFont(9.5), ink
		a.Tick.Length = 4
		a.Padding = 0
	}
	lines := func(label string, room vg.Length) string {
		return strings.Join(wrapText(p.X.Label.TextStyle, label, room), "\n")
	}
	p.X.Label.Text = lines(xLabel, area.Max.X-area.Min.X-besideData)
	p.Y.Label.Text = lines(yLabel, area.Max.Y-area.Min.Y-belowData)
	return p
}

// drawBreak marks where the axis stops being logarithmic, between zero and the rest.
func drawBreak(data draw.Canvas, x scale) {
	const lean, gap = 2, 3
	middle := data.X(x.normalise(x.zero * math.Pow(10, 0.09)))
	data.FillPolygon(paper, []vg.Point{{X: middle - lean, Y: data.Min.Y - 4}, {X: middle - lean + gap, Y: data.Min.Y - 4},
		{X: middle + lean + gap, Y: data.Min.Y + 4}, {X: middle + lean, Y: data.Min.Y + 4}})
	st := draw.LineStyle{Color: soft, Width: vg.Points(0.7)}
	for _, dx := range []vg.Length{0, gap} {
		data.StrokeLine2(st, middle-lean+dx, data.Min.Y-4, middle+lean+dx, data.Min.Y+4)
	}
}

// rightWidth returns the width of the right axis.
func rightWidth(p *plot.Plot) vg.Length {
	widest := vg.Length(0)
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		widest = max(widest, p.Y.Tick.Label.Width(t.Label))
	}
	return widest + p.Y.Tick.Length + 3 + p.Y.Label.Padding + p.Y.Label.TextStyle.Height(p.Y.Label.Text) + 4
}

func drawRightAxis(data draw.Canvas, p *plot.Plot) {
	_, toY := p.Transforms(&data)
	data.StrokeLine2(p.Y.LineStyle, data.Max.X, data.Min.Y, data.Max.X, data.Max.Y)
	label := p.Y.Tick.Label
	label.XAlign, label.YAlign = draw.XLeft, -0.4
	x := data.Max.X + p.Y.Tick.Length
	widest := vg.Length(0)
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		y := toY(t.Value)
		if t.IsMinor() || y < data.Min.Y-0.01 || y > data.Max.Y+0.01 {
			continue
		}
		data.StrokeLine2(p.Y.Tick.LineStyle, data.Max.X, y, x, y)
		data.FillText(label, vg.Point{X: x + 3, Y: y}, t.Label)
		widest = max(widest, label.Width(t.Label))
	}
	title := p.Y.Label.TextStyle
	title.Rotation, title.XAlign, title.YAlign = math.Pi/2, draw.XCenter, draw.YTop
	data.FillText(title, vg.Point{X: x + 3 + widest + p.Y.Label.Padding, Y: (data.Min.Y + data.Max.Y) / 2}, p.Y.Label.Text)
}
