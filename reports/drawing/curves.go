package drawing

import (
	"fmt"
	"math"
	"strings"
)

// Curves holds lines and points over one x axis, measured on the left or on a right axis.
type Curves struct {
	X, Left Axis
	Right   Axis // no label: there is no right axis
	Series  []Series
	Marks   []Mark

	Readings []Reading // what a page shows at places on the x axis; files do not have them
}

// Reading is a text with the values at one place on the x axis.
type Reading struct {
	X    float64
	Text string
}

// Axis is an axis of a chart. One with Log that has to show zero shows it at its left end, beyond a break.
type Axis struct {
	Label string
	Log   bool
	Show  []float64 // values that it includes in any case
	Ticks []float64 // rising values that have ticks, with labels where there is room; empty: round numbers
}

// Series is one line, or a cloud of points.
type Series struct {
	Label  string // in the legend; "": no entry
	Points []Point
	Right  bool // measured on the right axis
	Line   Line
	Dash   Dash
	Colour int  // number in the palette, -1 for grey
	Dots   bool // show the points
	Rings  bool // put a ring around each point
	Wide   bool // draw steps as wide as other lines
	Thin   bool // draw the line thinner than others

	AtRisk []float64 // rising times at which rows leave: the number left is written below the axis
}

// Line says how the points of a series are joined.
type Line int

// Ways to join points.
const (
	Straight Line = iota
	Cloud         // not at all
	Steps         // to the height of the next only at its place
)

// Point is a point of a series. Error and ErrorX are half the lengths of its error bars, 0 for none; a vertical one that is not
// symmetric has ends of its own.
type Point struct {
	X, Y, Error, ErrorX float64
	Low, High           float64 // ends of the vertical bar in place of Error; both 0 for none
	Label               string  // beside the point, if there is room for it
}

// Dash is a line style, which distinguishes lines without colour.
type Dash int

// Styles of lines.
const (
	Solid Dash = iota
	Dashed
	Dotted
	DashDot
)

// Mark is a vertical line at a place on the x axis.
type Mark struct {
	X     float64
	Label string
}

func (c *Curves) describe() string {
	const many = 10
	var lines []string
	for _, s := range c.Series {
		switch n := len(s.Points); {
		case s.Label == "":
		case n == 1:
			lines = append(lines, fmt.Sprintf("%s %.4g", s.Label, s.Points[0].Y))
		case n > 1:
			lines = append(lines, fmt.Sprintf("%s from %.4g to %.4g", s.Label, s.Points[0].Y, s.Points[n-1].Y))
		}
	}
	if more := len(lines) - many; more > 0 {
		lines = append(lines[:many], fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("Along the axis %s. %s.", c.X.Label, strings.Join(lines, "; "))
}

// positiveRange returns the range of the values above zero: +Inf and 0 if there are none.
func positiveRange(values []float64) (low, high float64) {
	low = math.Inf(1)
	for _, v := range values {
		if v > 0 {
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	return low, high
}
