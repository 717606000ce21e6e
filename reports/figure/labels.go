package figure

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawLabels writes the labels of points where they hide neither points, nor lines, nor each other; a label without such a
// place is left out.
func (c *Curves) drawLabels(data draw.Canvas, in func(Series) frame) {
	labelled := func(p Point) bool { return p.Label != "" }
	if !slices.ContainsFunc(c.Series, func(s Series) bool { return slices.ContainsFunc(s.Points, labelled) }) {
		return
	}
	const height = 9
	st := aligned(8, soft, draw.XLeft)
	taken := c.obstacles(in)
	for _, s := range c.Series {
		for _, p := range s.Points {
			if !labelled(p) {
				continue
			}
			for _, b := range beside(in(s).at(p.X, p.Y), st.Width(p.Label)+2, height) {
				if inside(b, data.Rectangle) && free(b, taken) {
					taken = append(taken, b)
					data.FillText(st, vg.Point{X: b.Min.X + 1, Y: (b.Min.Y + b.Max.Y) / 2}, p.Label)
					break
				}
			}
		}
	}
}

// beside are the places for a label next to a point, the best first.
func beside(at vg.Point, w, h vg.Length) []vg.Rectangle {
	const away = 6
	x, y := w/2+away, h/2+away
	var out []vg.Rectangle
	for _, d := range []vg.Point{{X: x, Y: away}, {X: x, Y: -away}, {X: -x, Y: -away}, {X: -x, Y: away},
		{Y: y}, {Y: -y}, {X: x + 1}, {X: -x - 1}, {X: x + away, Y: -away}, {X: x, Y: 2 * away}, {X: -x, Y: -2 * away}} {
		out = append(out, around(at.Add(d), w/2, h/2))
	}
	return out
}

// obstacles are squares around the points, and small ones along the lines between them.
func (c *Curves) obstacles(in func(Series) frame) (out []vg.Rectangle) {
	const point, line, step = 5, 1.5, 3
	for _, s := range c.Series {
		f := in(s)
		for _, p := range s.Points {
			out = append(out, around(f.at(p.X, p.Y), point, point))
		}
		corners := s.line(f)
		for i := 1; i < len(corners); i++ {
			d := corners[i].Sub(corners[i-1])
			n := math.Ceil(math.Hypot(float64(d.X), float64(d.Y)) / step)
			for k := range int(n) {
				out = append(out, around(corners[i-1].Add(d.Scale(vg.Length(float64(k)/n))), line, line))
			}
		}
	}
	return out
}

// around is the rectangle with half its width and height on each side of its middle.
func around(p vg.Point, x, y vg.Length) vg.Rectangle {
	d := vg.Point{X: x, Y: y}
	return vg.Rectangle{Min: p.Sub(d), Max: p.Add(d)}
}

func inside(a, b vg.Rectangle) bool {
	return a.Min.X >= b.Min.X && a.Max.X <= b.Max.X && a.Min.Y >= b.Min.Y && a.Max.Y <= b.Max.Y
}

func free(a vg.Rectangle, taken []vg.Rectangle) bool {
	for _, b := range taken {
		if a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y {
			return false
		}
	}
	return true
}
