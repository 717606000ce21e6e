package drawing

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// frame is a data area with the scales of its axes.
type frame struct {
	canvas draw.Canvas
	x, y   scale
}

func (f frame) place(x, y float64) vg.Point {
	return vg.Point{X: f.canvas.X(f.x.normalise(x)), Y: f.canvas.Y(f.y.normalise(y))}
}

func (s Series) draw(f frame) {
	// One path for many points is much faster than one for each, but the rasterizer is slow with a path of thousands.
	const pieces, batch = 500, 100
	for line := s.corners(f); len(line) > 1; line = line[min(pieces, len(line)-1):] {
		f.canvas.StrokeLines(s.lineStyle(), line[:min(pieces+1, len(line))])
	}
	var shown []Point
	type spot struct{ x, y int }
	seen := map[spot]bool{} // of many points on one spot, one is drawn
	for _, p := range s.Points {
		centre := f.place(p.X, p.Y)
		if k := (spot{int(2 * centre.X), int(2 * centre.Y)}); !seen[k] {
			seen[k] = true
			shown = append(shown, p)
		}
	}
	for some := range slices.Chunk(shown, batch) {
		bars, spots := vg.Path{}, make([]vg.Point, len(some))
		for i, p := range some {
			spots[i] = f.place(p.X, p.Y)
			p.addBars(&bars, f)
		}
		if len(bars) > 0 {
			f.canvas.SetLineStyle(draw.LineStyle{Color: s.colour(), Width: vg.Points(0.9)})
			f.canvas.Stroke(bars)
		}
		s.drawPoints(f.canvas, spots...)
	}
}

// corners returns the corners of the line through the points, none for a cloud. Steps have one more between two points.
func (s Series) corners(f frame) []vg.Point {
	if s.Line == Cloud {
		return nil
	}
	out := make([]vg.Point, 0, len(s.Points))
	for _, p := range s.Points {
		spot := f.place(p.X, p.Y)
		if n := len(out); s.Line == Steps && n > 0 {
			out = append(out, vg.Point{X: spot.X, Y: out[n-1].Y})
		}
		out = append(out, spot)
	}
	return out
}

// drawPoints draws all dots as one path, and all rings as another.
func (s Series) drawPoints(c draw.Canvas, spots ...vg.Point) {
	dots, rings := vg.Path{}, vg.Path{}
	for _, spot := range spots {
		s.pointShape().addTo(&dots, spot, dotRadius)
		circle{}.addTo(&rings, spot, ringRadius)
	}
	if s.Dots {
		c.SetColor(s.colour())
		c.Fill(dots)
	}
	if s.Rings {
		c.SetLineStyle(draw.LineStyle{Color: s.colour(), Width: vg.Points(1.1)})
		c.Stroke(rings)
	}
}

// ends returns those of the vertical error bar; the point itself if it has none.
func (p Point) ends() (low, high float64) {
	if p.Low < p.High {
		return p.Low, p.High
	}
	return p.Y - p.Error, p.Y + p.Error
}

// addBars adds the error bars of a point, with short lines across their ends.
func (p Point) addBars(path *vg.Path, f frame) {
	const end = 2.5
	line := func(a, b vg.Point) { path.Move(a); path.Line(b) }
	if low, high := p.ends(); low < high {
		a, b := f.place(p.X, low), f.place(p.X, high)
		line(a, b)
		for _, tip := range []vg.Point{a, b} {
			line(tip.Add(vg.Point{X: -end}), tip.Add(vg.Point{X: end}))
		}
	}
	if p.ErrorX > 0 {
		a, b := f.place(p.X-p.ErrorX, p.Y), f.place(p.X+p.ErrorX, p.Y)
		line(a, b)
		for _, tip := range []vg.Point{a, b} {
			line(tip.Add(vg.Point{Y: -end}), tip.Add(vg.Point{Y: end}))
		}
	}
}

const dotRadius, ringRadius = vg.Length(2.9), vg.Length(5)

var markStyle = draw.LineStyle{Color: soft, Width: vg.Points(1)}

func (s Series) colour() paint {
	if s.Colour < 0 {
		return soft
	}
	return palette[s.Colour%Colours]
}

func (s Series) lineStyle() draw.LineStyle {
	st := draw.LineStyle{Color: s.colour(), Width: vg.Points(1.6)}
	switch {
	case s.Thin:
		st.Width = vg.Points(0.6)
	case s.Line == Steps && !s.Wide:
		st.Width = vg.Points(1)
	}
	switch s.Dash {
	case Dashed:
		st.Dashes = []vg.Length{6, 3}
	case Dotted:
		st.Dashes = []vg.Length{1.6, 2.4}
	case DashDot:
		st.Dashes = []vg.Length{7, 3, 1.6, 3}
	}
	return st
}

// pointShape returns the shape of the series' points, which distinguishes series that share a colour.
func (s Series) pointShape() shape {
	i := max(0, s.Colour)
	return shapes[(i+i/Colours)%len(shapes)]
}

// shape is the outline of a point, added to a path.
type shape interface {
	addTo(p *vg.Path, centre vg.Point, radius vg.Length)
}

// shapes holds the shapes of points, as different as filled shapes can be.
var shapes = []shape{
	circle{},
	star{corners: 4, turn: 1, inner: math.Sqrt2 / 2}, // square
	star{corners: 3, inner: 0.5},                     // triangle
	star{corners: 4, inner: math.Sqrt2 / 2},          // diamond
	star{corners: 3, turn: 1, inner: 0.5},            // triangle on its head
	star{corners: 4, inner: 0.35},                    // plus
	star{corners: 5, inner: 0.45},                    // star
	star{corners: 4, turn: 1, inner: 0.35},           // cross
}

type circle struct{}

func (circle) addTo(p *vg.Path, centre vg.Point, radius vg.Length) {
	p.Move(vg.Point{X: centre.X + radius, Y: centre.Y})
	p.Arc(centre, radius, 0, 2*math.Pi)
	p.Close()
}

// star is a shape with the given number of corners, between which the outline comes near to the middle, to a part of the radius; it
// is a regular polygon if that is cos(π/corners). Turned once, an edge is where a corner was.
type star struct {
	corners int
	turn    float64
	inner   float64
}

// addTo draws the star larger than its radius, so that its area is about that of a circle.
func (s star) addTo(p *vg.Path, centre vg.Point, radius vg.Length) {
	for i := range 2 * s.corners {
		r := 1.3 * float64(radius)
		if i%2 == 1 {
			r *= s.inner
		}
		sin, cos := math.Sincos(math.Pi/2 + (float64(i)+s.turn)*math.Pi/float64(s.corners))
		to := vg.Point{X: centre.X + vg.Length(r*cos), Y: centre.Y + vg.Length(r*sin)}
		if i == 0 {
			p.Move(to)
		} else {
			p.Line(to)
		}
	}
	p.Close()
}
