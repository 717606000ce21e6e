package drawing

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawLabels writes the labels of points where they hide neither points, nor lines, nor each other; a label without such a place is
// left out.
func (c *Curves) drawLabels(data draw.Canvas, in func(Series) frame) {
	labelled := func(p Point) bool { return p.Label != "" }
	if !slices.ContainsFunc(c.Series, func(s Series) bool { return slices.ContainsFunc(s.Points, labelled) }) {
		return
	}
	const height = 9
	st := alignedStyle(8, soft, draw.XLeft)
	taken := c.labelObstacles(in)
	for _, s := range c.Series {
		for _, p := range s.Points {
			if !labelled(p) {
				continue
			}
			for _, b := range labelPlaces(in(s).place(p.X, p.Y), st.Width(p.Label)+2, height) {
				if contains(b, data.Rectangle) && isFree(b, taken) {
					taken = append(taken, b)
					data.FillText(st, vg.Point{X: b.Min.X + 1, Y: (b.Min.Y + b.Max.Y) / 2}, p.Label)
					break
				}
			}
		}
	}
}

// labelPlaces returns the places for a label next to a point, the best first.
func labelPlaces(point vg.Point, w, h vg.Length) []vg.Rectangle {
	const away = 6
	x, y := w/2+away, h/2+away
	var out []vg.Rectangle
	for _, d := range []vg.Point{{X: x, Y: away}, {X: x, Y: -away}, {X: -x, Y: -away}, {X: -x, Y: away},
		{Y: y}, {Y: -y}, {X: x + 1}, {X: -x - 1}, {X: x + away, Y: -away}, {X: x, Y: 2 * away}, {X: -x, Y: -2 * away}} {
		out = append(out, centredRectangle(point.Add(d), w/2, h/2))
	}
	return out
}

// labelObstacles returns squares around the points, and small ones along the lines between them.
func (c *Curves) labelObstacles(in func(Series) frame) (out []vg.Rectangle) {
	const point, line, step = 5, 1.5, 3
	for _, s := range c.Series {
		f := in(s)
		for _, p := range s.Points {
			out = append(out, centredRectangle(f.place(p.X, p.Y), point, point))
		}
		corners := s.corners(f)
		for i := 1; i < len(corners); i++ {
			d := corners[i].Sub(corners[i-1])
			n := math.Ceil(math.Hypot(float64(d.X), float64(d.Y)) / step)
			for k := range int(n) {
				out = append(out, centredRectangle(corners[i-1].Add(d.Scale(vg.Length(float64(k)/n))), line, line))
			}
		}
	}
	return out
}

// centredRectangle returns the rectangle that extends x to the left and right of p, and y above and below it.
func centredRectangle(p vg.Point, x, y vg.Length) vg.Rectangle {
	d := vg.Point{X: x, Y: y}
	return vg.Rectangle{Min: p.Sub(d), Max: p.Add(d)}
}

// contains reports whether b holds all of a.
func contains(a, b vg.Rectangle) bool {
	return a.Min.X >= b.Min.X && a.Max.X <= b.Max.X && a.Min.Y >= b.Min.Y && a.Max.Y <= b.Max.Y
}

// isFree reports whether a overlaps none of the rectangles.
func isFree(a vg.Rectangle, taken []vg.Rectangle) bool {
	for _, b := range taken {
		if a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y {
			return false
		}
	}
	return true
}
