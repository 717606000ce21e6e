package drawing

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	readingHeight = 15 * vg.Length(1)  // of the line that they stand in
	readingApart  = 1.5 * vg.Length(1) // those that are closer are left out
	readingClass  = "reading"          // of a group: its first part takes the pointer, the others then show
	readingStyle  = ".reading>:first-child{pointer-events:all;fill:none}\n" +
		".reading>:not(:first-child){visibility:hidden;pointer-events:none}\n" +
		".reading:hover>*,.reading.on>*{visibility:visible}\n" +
		".readings:hover .reading.on:not(:hover)>:not(:first-child){visibility:hidden}\n.reading text{font-variant-numeric:tabular-nums}\n"
)

// drawsReadings reports whether the chart shows values under the pointer: only in an SVG for a page with Style.
func (c *Curves) drawsReadings(area draw.Canvas) bool {
	s := svgUnder(area)
	return s != nil && s.live && len(c.Readings) > 0
}

// svgUnder returns the SVG canvas behind a canvas, nil for another kind.
func svgUnder(c vg.Canvas) *svgCanvas {
	switch c := c.(type) {
	case *svgCanvas:
		return c
	case draw.Canvas:
		return svgUnder(c.Canvas)
	}
	return nil
}

// drawReadings draws a band for each place that has a reading, up to half way to its neighbours, with what appears when the pointer
// is on it: a line, the points of all series there, and the text above the data.
func (c *Curves) drawReadings(data draw.Canvas, in func(Series) frame) {
	svg := svgUnder(data)
	x := in(Series{}).x
	place := func(r Reading) vg.Length { return data.X(x.normalise(r.X)) }
	kept := c.spacedReadings(place)
	points := c.pointsBelow(kept)
	st := alignedStyle(9.5, ink, draw.XLeft)
	svg.openGroup("readings")
	for i, r := range kept {
		left, right := data.Min.X, data.Max.X
		if i > 0 {
			left = (place(kept[i-1]) + place(r)) / 2
		}
		if i+1 < len(kept) {
			right = (place(r) + place(kept[i+1])) / 2
		}
		svg.openGroup(readingClass)
		data.SetColor(paper)
		data.Fill(vg.Rectangle{Min: vg.Point{X: left, Y: data.Min.Y}, Max: vg.Point{X: right, Y: data.Max.Y}}.Path())
		data.StrokeLine2(markStyle, place(r), data.Min.Y, place(r), data.Max.Y)
		for _, s := range points[r.X] {
			s.Dots, s.Rings = true, false
			f := in(s)
			s.drawPoints(f.canvas, f.place(s.Points[0].X, s.Points[0].Y))
		}
		data.FillText(st, vg.Point{X: data.Min.X, Y: data.Max.Y + readingHeight/2 + 1}, r.Text)
		svg.closeGroup()
	}
	svg.closeGroup()
}

// spacedReadings returns the readings from left to right, without those too close to the one before.
func (c *Curves) spacedReadings(place func(Reading) vg.Length) []Reading {
	all := slices.SortedStableFunc(slices.Values(c.Readings), func(a, b Reading) int { return cmp.Compare(a.X, b.X) })
	last := vg.Length(math.Inf(-1))
	return slices.DeleteFunc(all, func(r Reading) bool {
		if place(r)-last < readingApart {
			return true
		}
		last = place(r)
		return false
	})
}

// pointsBelow returns the series at each of these places, with their point there alone.
func (c *Curves) pointsBelow(readings []Reading) map[float64][]Series {
	out := make(map[float64][]Series, len(readings))
	for _, r := range readings {
		out[r.X] = nil
	}
	for _, s := range c.Series {
		for _, p := range s.Points {
			if _, ok := out[p.X]; ok {
				one := s
				one.Points = []Point{p}
				out[p.X] = append(out[p.X], one)
			}
		}
	}
	return out
}
