package drawing

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mostEntries is the number of legend entries that are shown; further ones are only counted. With more than manyEntries, long ones
// are shortened.
const mostEntries, manyEntries = 40, 6

const legendRow, belowLegend = 15 * vg.Length(1), 6 * vg.Length(1)

// entry is an entry of a legend: a sample of a line and its label, at a place below the upper left corner.
type entry struct {
	label string
	x, y  vg.Length
	paint func(c *draw.Canvas, left vg.Point) // draws the sample, from left to the right
}

const sampleWidth, sampleGap, betweenEntries = 24 * vg.Length(1), 5 * vg.Length(1), 16 * vg.Length(1)

// legendRows arranges the entries of the legend in rows of this width. A single series that the axis names needs no legend.
func (c *Curves) legendRows(room vg.Length) []entry {
	if len(c.Series) < 2 && len(c.Marks) == 0 {
		return nil
	}
	var out []entry
	for _, s := range c.Series {
		if s.Label != "" {
			out = append(out, entry{label: s.Label, paint: s.drawSample})
		}
	}
	for _, m := range c.Marks {
		out = append(out, entry{label: m.Label, paint: drawMarkSample})
	}
	if more := len(out) - mostEntries; more > 0 {
		out = append(out[:mostEntries], entry{label: fmt.Sprintf("… and %d more", more), paint: func(*draw.Canvas, vg.Point) {}})
	}
	st := textStyle(9.5, ink)
	x, y := vg.Length(0), vg.Length(legendRow/2)
	most := room - sampleWidth - sampleGap
	if len(out) > manyEntries { // at least two columns
		most = (room-betweenEntries)/2 - sampleWidth - sampleGap
	}
	for i := range out {
		e := &out[i]
		e.label = shortenText(st, e.label, most)
		need := sampleWidth + sampleGap + st.Width(e.label)
		if x > 0 && x+need > room {
			x, y = 0, y+legendRow
		}
		e.x, e.y = x, y
		x += need + betweenEntries
	}
	return out
}

func (c *Curves) legendHeight(room vg.Length) vg.Length {
	entries := c.legendRows(room)
	if len(entries) == 0 {
		return 0
	}
	return entries[len(entries)-1].y + legendRow/2 + belowLegend
}

// drawLegend writes samples of the lines in rows above the data, where they hide nothing, and returns the area below.
func (c *Curves) drawLegend(area draw.Canvas) draw.Canvas {
	room := area.Max.X - area.Min.X
	st := alignedStyle(9.5, ink, draw.XLeft)
	for _, e := range c.legendRows(room) {
		left := vg.Point{X: area.Min.X + e.x, Y: area.Max.Y - e.y}
		e.paint(&area, left)
		area.FillText(st, vg.Point{X: left.X + sampleWidth + sampleGap, Y: left.Y}, e.label)
	}
	return draw.Crop(area, 0, 0, 0, -c.legendHeight(room))
}

func (s Series) drawSample(c *draw.Canvas, left vg.Point) {
	if s.Line != Cloud {
		c.StrokeLine2(s.lineStyle(), left.X, left.Y, left.X+sampleWidth, left.Y)
	}
	s.drawPoints(*c, vg.Point{X: left.X + sampleWidth/2, Y: left.Y})
}

func drawMarkSample(c *draw.Canvas, left vg.Point) {
	x := left.X + sampleWidth/2
	c.StrokeLine2(markStyle, x, left.Y-5, x, left.Y+5)
}
