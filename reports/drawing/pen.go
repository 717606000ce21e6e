package drawing

import (
	"image"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
)

// pen is the part of vg.Canvas that the canvases for SVG and PDF share: the size of the drawing, and the state for drawing lines.
type pen struct {
	width, height vg.Length // of the drawing
	now           penState
	stack         []penState
}

// penState is what Push saves. It maps points of the plot, whose origin is at the lower left, to those of the drawing by the matrix
// [a c e; b d f].
type penState struct {
	color            color.Color
	width            vg.Length
	dashes           []vg.Length
	a, b, c, d, e, f float64
}

func (p *pen) Size() (w, h vg.Length)                 { return p.width, p.height }
func (p *pen) SetLineWidth(w vg.Length)               { p.now.width = w }
func (p *pen) SetLineDash(d []vg.Length, _ vg.Length) { p.now.dashes = d }
func (p *pen) SetColor(c color.Color)                 { p.now.color = c }
func (p *pen) Push()                                  { p.stack = append(p.stack, p.now) }

func (p *pen) Pop() {
	last := len(p.stack) - 1
	p.now, p.stack = p.stack[last], p.stack[:last]
}

func (p *pen) Translate(to vg.Point) { p.now.e, p.now.f = p.transform(to) }

func (p *pen) Rotate(rad float64) {
	sin, cos := math.Sincos(rad)
	n := p.now
	p.now.a, p.now.c = n.a*cos+n.c*sin, n.c*cos-n.a*sin
	p.now.b, p.now.d = n.b*cos+n.d*sin, n.d*cos-n.b*sin
}

func (p *pen) Scale(x, y float64) {
	p.now.a, p.now.b, p.now.c, p.now.d = p.now.a*x, p.now.b*x, p.now.c*y, p.now.d*y
}

func (p *pen) transform(q vg.Point) (x, y float64) {
	n := &p.now
	return n.a*q.X.Points() + n.c*q.Y.Points() + n.e, n.b*q.X.Points() + n.d*q.Y.Points() + n.f
}

// dashText lists the lengths of dashes, "" for a solid line.
func (p *pen) dashText() string {
	var dashes []string
	for _, d := range p.now.dashes {
		dashes = append(dashes, formatLength(d.Points()))
	}
	return strings.Join(dashes, " ")
}

// DrawImage draws nothing: vg.Canvas has it, and figures have no images.
func (p *pen) DrawImage(vg.Rectangle, image.Image) {}
