package drawing

import (
	"fmt"
	"math"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/digits"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Strips holds named rows over a numeric axis: the single values of each, and their mean with its interval. Several panels beside
// each other, each with an axis of its own, share the names.
type Strips struct {
	Names  []string
	Panels []Panel
}

// Panel is one axis of Strips, with a strip for each name.
type Panel struct {
	Heading string // "" for none
	X       Axis
	Strips  []Strip
}

// Strip holds the values of one name.
type Strip struct {
	Values          []float64 // finite
	Mean, Low, High float64   // NaN for none
	Note            string    // what to know of values that are missing; "" for nothing
	Colour          int       // number in the palette
}

// describe lists the means with their intervals, or counts the rows if there are many.
func (s *Strips) describe() string {
	const many = 12
	var parts []string
	for _, p := range s.Panels {
		var rows []string
		for i, one := range p.Strips {
			switch {
			case results.Finite(one.Low):
				rows = append(rows, fmt.Sprintf("%s %.4g (%.4g to %.4g)", s.Names[i], one.Mean, one.Low, one.High))
			case results.Finite(one.Mean):
				rows = append(rows, fmt.Sprintf("%s %.4g", s.Names[i], one.Mean))
			}
		}
		if more := len(rows) - many; more > 0 {
			rows = append(rows[:many], fmt.Sprintf("and %d more", more))
		}
		text := p.X.Label + ": " + strings.Join(rows, "; ")
		if p.Heading != "" {
			text = p.Heading + ", " + text
		}
		parts = append(parts, text+".")
	}
	return strings.Join(parts, " ")
}

const (
	stripHeight  = 22 * vg.Length(1)
	stripAxis    = 40 * vg.Length(1) // ticks and label of an axis
	stripHeading = 16 * vg.Length(1)
	leastStrips  = 120 * vg.Length(1) // width of a panel
	besideStrips = 12 * vg.Length(1)
	valueRadius  = vg.Length(1.8)
	meanRadius   = vg.Length(3.4)
)

// labelRoom returns the room for names at the left.
func (s *Strips) labelRoom() vg.Length {
	widest := vg.Length(0)
	for _, name := range s.Names {
		widest = max(widest, nameStyle.Width(shortenText(nameStyle, name, longestRow)))
	}
	return widest + 10
}

// columns returns the number of panels beside each other in a given room; the others follow below.
func (s *Strips) columns(room vg.Length) int {
	return min(len(s.Panels), max(1, int((room-s.labelRoom())/leastStrips)))
}

func (s *Strips) panelHeight() vg.Length {
	h := vg.Length(len(s.Names))*stripHeight + stripAxis
	for _, p := range s.Panels {
		if p.Heading != "" {
			return h + stripHeading
		}
	}
	return h
}

func (s *Strips) size(room vg.Length) (w, h vg.Length) {
	w = max(room, s.labelRoom()+leastStrips)
	columns := max(1, s.columns(w))
	return w, vg.Length((len(s.Panels)+columns-1)/columns) * s.panelHeight()
}

func (s *Strips) draw(area draw.Canvas) error {
	if len(s.Names) == 0 || len(s.Panels) == 0 {
		return fmt.Errorf("there is nothing to draw")
	}
	room := area.Max.X - area.Min.X
	left, columns, h := s.labelRoom(), s.columns(room), s.panelHeight()
	w := (room - left) / vg.Length(columns)
	for k, p := range s.Panels {
		top := area.Max.Y - vg.Length(k/columns)*h
		from := area.Min.X + left + vg.Length(k%columns)*w
		one := draw.Canvas{Canvas: area.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: from, Y: top - h}, Max: vg.Point{X: from + w - besideStrips, Y: top}}}
		first, step := s.drawPanel(one, p)
		if k%columns > 0 {
			continue
		}
		for i, name := range s.Names {
			area.FillText(nameStyle, vg.Point{X: area.Min.X, Y: first - vg.Length(i)*step}, shortenText(nameStyle, name, longestRow))
		}
	}
	return nil
}

// drawPanel draws a panel, and returns the height of the middle of its first row and the distance to the next.
func (s *Strips) drawPanel(area draw.Canvas, panel Panel) (first, step vg.Length) {
	if panel.Heading != "" {
		st := alignedStyle(9.5, ink, draw.XLeft)
		area.FillText(st, vg.Point{X: area.Min.X, Y: area.Max.Y - 6}, shortenText(st, panel.Heading, area.Max.X-area.Min.X))
		area = draw.Crop(area, 0, 0, 0, -stripHeading)
	}
	var values []float64
	for _, one := range panel.Strips {
		values = append(values, one.Values...)
		for _, v := range []float64{one.Mean, one.Low, one.High} {
			if results.Finite(v) {
				values = append(values, v)
			}
		}
	}
	x := newScale(panel.X, append(values, panel.X.Show...), 0.04, 0.04)
	rows := scale{low: 0, high: float64(len(s.Names))}
	p := newPlot(area, x, rows, panel.X.Label, "")
	p.HideY()
	grid := plotter.NewGrid()
	grid.Vertical = draw.LineStyle{Color: rule, Width: vg.Points(0.6)}
	grid.Horizontal.Color = nil
	p.Add(grid)
	p.Draw(area)
	data := p.DataCanvas(area)
	step = (data.Max.Y - data.Min.Y) / vg.Length(len(s.Names))
	first = data.Max.Y - step/2
	for i, one := range panel.Strips {
		one.draw(data, x, first-vg.Length(i)*step)
	}
	return first, step
}

// draw draws a strip at a height: the mean with its interval, and its values below them.
func (s Strip) draw(data draw.Canvas, x scale, middle vg.Length) {
	const apart = 4
	place := func(v float64) vg.Length { return data.X(x.normalise(v)) }
	above, below := middle+apart, middle-apart
	colour := palette[s.Colour%Colours]
	if results.Finite(s.Low) {
		data.StrokeLine2(draw.LineStyle{Color: colour, Width: vg.Points(2.4)}, place(s.Low), above, place(s.High), above)
	}
	dots := vg.Path{}
	for _, v := range s.Values {
		circle{}.addTo(&dots, vg.Point{X: place(v), Y: below}, valueRadius)
	}
	if len(dots) > 0 {
		data.SetLineStyle(draw.LineStyle{Color: soft, Width: vg.Points(0.8)})
		data.Stroke(dots)
	}
	if results.Finite(s.Mean) {
		mark := vg.Path{}
		star{corners: 4, inner: math.Sqrt2 / 2}.addTo(&mark, vg.Point{X: place(s.Mean), Y: above}, meanRadius)
		data.SetColor(colour)
		data.Fill(mark)
	}
	if s.Note != "" {
		st := alignedStyle(8.5, soft, draw.XRight)
		data.FillText(st, vg.Point{X: data.Max.X, Y: middle + stripHeight/3}, s.Note)
	}
}

// joinStrips puts the panels of charts of single data sets beside each other. A name that a chart lacks has no strip there.
func joinStrips(charts []Chart, headings []string) *Strips {
	all := &Strips{}
	number := map[string]int{}
	for _, c := range charts {
		for _, name := range c.Body.(*Strips).Names {
			if _, known := number[name]; !known {
				number[name] = len(all.Names)
				all.Names = append(all.Names, name)
			}
		}
	}
	for k, c := range charts {
		one := c.Body.(*Strips)
		p := one.Panels[0]
		strips := make([]Strip, len(all.Names))
		for i := range strips {
			strips[i] = Strip{Mean: math.NaN(), Low: math.NaN(), High: math.NaN(), Note: digits.Missing}
		}
		for i, name := range one.Names {
			strips[number[name]] = p.Strips[i]
		}
		p.Heading, p.Strips = headings[k], strips
		all.Panels = append(all.Panels, p)
	}
	return all
}
