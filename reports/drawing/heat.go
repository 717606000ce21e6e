package drawing

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"tenfold/io/results"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Heat is a table of numbers from 0 to 1 as coloured squares.
type Heat struct {
	Measure       string // what the colours mean
	Rows, Columns []string
	Squares       [][]Square // by row
	Small         bool       // squares without texts, as narrow as their number asks for
}

// Square is a square of a heat map.
type Square struct {
	Value float64 // determines the colour; NaN leaves the square without one
	Text  string
	Below string // smaller, under the text
}

// describe lists the numbers themselves, or their range if there are many.
func (h *Heat) describe() string {
	const many = 60
	var rows []string
	low, high := math.Inf(1), math.Inf(-1)
	for i, row := range h.Squares {
		var texts []string
		for _, s := range row {
			texts = append(texts, s.Text)
			if results.Finite(s.Value) {
				low, high = math.Min(low, s.Value), math.Max(high, s.Value)
			}
		}
		rows = append(rows, fmt.Sprintf("%s: %s", h.Rows[i], strings.Join(texts, ", ")))
	}
	if len(h.Rows)*len(h.Columns) > many {
		return fmt.Sprintf("%s from %.2f to %.2f, in %d rows and %d columns.", h.Measure, low, high, len(h.Rows), len(h.Columns))
	}
	return fmt.Sprintf("%s, by column (%s). %s.", h.Measure, strings.Join(h.Columns, ", "), strings.Join(rows, "; "))
}

const (
	longestRow    = 220 * vg.Length(1)
	longestColumn = 130 * vg.Length(1)
	narrow, broad = 46 * vg.Length(1), 92 * vg.Length(1)
	squareHeight  = 32 * vg.Length(1)
	leastSquare   = 4 * vg.Length(1)
	smallSquare   = 24 * vg.Length(1)
	smallHeight   = 13 * vg.Length(1)
	keyHeight     = 22 * vg.Length(1)
)

var (
	headStyle  = alignedStyle(9.5, ink, draw.XCenter)
	keyStyle   = alignedStyle(8.5, soft, draw.XLeft)
	heatNumber = 9.5
	heatBelow  = 7.0
)

// labelRoom returns the room for labels at the left and the top, and the side of a square. Labels of columns are vertical if they
// are too wide.
func (h *Heat) labelRoom(width vg.Length) (left, top, square vg.Length, upright bool) {
	for _, name := range h.Rows {
		left = max(left, nameStyle.Width(shortenText(nameStyle, name, longestRow))+8)
	}
	widest := vg.Length(0)
	for _, name := range h.Columns {
		widest = max(widest, headStyle.Width(shortenText(headStyle, name, longestColumn)))
	}
	room := (width - left) / vg.Length(max(1, len(h.Columns)))
	square = min(max(room, narrow, min(h.widestNumber(), broad)), broad)
	if h.Small {
		square = min(max(room, leastSquare), smallSquare)
	}
	if widest+6 > square {
		return left, widest + 8, square, true
	}
	return left, 18, square, false
}

func (h *Heat) widestNumber() vg.Length {
	widest := vg.Length(0)
	for _, row := range h.Squares {
		for _, s := range row {
			widest = max(widest, textStyle(heatNumber, ink).Width(s.Text)+8, textStyle(heatBelow, ink).Width(s.Below)+6)
		}
	}
	return widest
}

func (h *Heat) size(room vg.Length) (w, height vg.Length) {
	left, top, square, _ := h.labelRoom(room)
	return left + vg.Length(len(h.Columns))*square, keyHeight + top + vg.Length(len(h.Rows))*h.height()
}

// height returns the height of a row.
func (h *Heat) height() vg.Length {
	if h.Small {
		return smallHeight
	}
	return squareHeight
}

func (h *Heat) draw(area draw.Canvas) error {
	if len(h.Rows) == 0 || len(h.Columns) == 0 {
		return fmt.Errorf("there is nothing to draw")
	}
	h.drawKey(area)
	left, top, square, upright := h.labelRoom(area.Max.X - area.Min.X)
	origin := vg.Point{X: area.Min.X + left, Y: area.Max.Y - keyHeight - top}
	every := 1 // column has a label
	if h.Small {
		every = max(1, int(math.Ceil(float64(11/square))))
	}
	for j, name := range h.Columns {
		if j%every > 0 {
			continue
		}
		x := origin.X + (vg.Length(j)+0.5)*square
		st, y := headStyle, origin.Y+8
		if upright {
			st, y = alignedStyle(9.5, ink, draw.XLeft), origin.Y+5
			st.Rotation = math.Pi / 2
		}
		area.FillText(st, vg.Point{X: x, Y: y}, shortenText(headStyle, name, longestColumn))
	}
	for i, row := range h.Squares {
		y := origin.Y - vg.Length(i)*h.height()
		area.FillText(nameStyle, vg.Point{X: area.Min.X, Y: y - h.height()/2}, shortenText(nameStyle, h.Rows[i], longestRow))
		for j, s := range row {
			x := origin.X + vg.Length(j)*square
			s.drawIn(area, vg.Rectangle{Min: vg.Point{X: x, Y: y - h.height()}, Max: vg.Point{X: x + square, Y: y}})
		}
	}
	return nil
}

func (s Square) drawIn(c draw.Canvas, r vg.Rectangle) {
	r = vg.Rectangle{Min: r.Min.Add(vg.Point{X: 0.75, Y: 0.75}), Max: r.Max.Sub(vg.Point{X: 0.75, Y: 0.75})}
	middle := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
	var letters color.Color = soft
	if math.IsNaN(s.Value) {
		drawRectangle(c, r)
	} else {
		colour := heatColour(s.Value)
		letters = inkOn(colour)
		c.SetColor(colour)
		c.Fill(r.Path())
	}
	text, below := alignedStyle(heatNumber, letters, draw.XCenter), alignedStyle(heatBelow, letters, draw.XCenter)
	if s.Below != "" {
		middle.Y += 5
		c.FillText(below, vg.Point{X: middle.X, Y: middle.Y - 12}, s.Below)
	}
	c.FillText(text, middle, s.Text)
}

func drawRectangle(c draw.Canvas, r vg.Rectangle) {
	c.SetLineStyle(draw.LineStyle{Color: rule, Width: vg.Points(1)})
	c.Stroke(r.Path())
}

// drawKey draws the colour key.
func (h *Heat) drawKey(area draw.Canvas) {
	const steps, w, height = 20, 5, 8
	x, y := area.Min.X, area.Max.Y-8
	text := func(s string) {
		area.FillText(keyStyle, vg.Point{X: x, Y: y}, s)
		x += keyStyle.Width(s) + 5
	}
	text(h.Measure + ":")
	text("0")
	start := x
	for i := range steps {
		area.SetColor(heatColour((float64(i) + 0.5) / steps))
		r := vg.Rectangle{Min: vg.Point{X: x, Y: y - height/2}, Max: vg.Point{X: start + steps*w, Y: y + height/2}} // no seams
		area.Fill(r.Path())
		x += w
	}
	drawRectangle(area, vg.Rectangle{Min: vg.Point{X: start, Y: y - height/2}, Max: vg.Point{X: x, Y: y + height/2}})
	x += 5
	text("1")
}
