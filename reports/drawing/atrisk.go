package drawing

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// riskRow is the height of a line of the table below the axis.
const riskRow = 13 * vg.Length(1)

// riskHeight returns the height of the table: a line for each series that has rows at risk, and its heading; 0 if none has.
func (c *Curves) riskHeight() vg.Length {
	n := 0
	for _, s := range c.Series {
		if s.AtRisk != nil {
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return vg.Length(n+1)*riskRow + 4
}

// drawAtRisk writes below the axis how many rows of each series are at risk at its ticks.
func (c *Curves) drawAtRisk(area, data draw.Canvas, p *plot.Plot) {
	if c.riskHeight() == 0 {
		return
	}
	y := area.Min.Y + c.riskHeight() - riskRow/2 - 4
	heading, number := alignedStyle(8.5, soft, draw.XLeft), alignedStyle(8.5, ink, draw.XCenter)
	area.FillText(heading, vg.Point{X: area.Min.X, Y: y}, "number at risk")
	toX, _ := p.Transforms(&data)
	for _, s := range c.Series {
		if s.AtRisk == nil {
			continue
		}
		y -= riskRow
		s.drawSample(&area, vg.Point{X: area.Min.X, Y: y})
		for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
			x := toX(t.Value)
			if t.IsMinor() || x < data.Min.X-0.01 || x > data.Max.X+0.01 {
				continue
			}
			gone, _ := slices.BinarySearch(s.AtRisk, t.Value)
			area.FillText(number, vg.Point{X: x, Y: y}, fmt.Sprint(len(s.AtRisk)-gone))
		}
	}
}
