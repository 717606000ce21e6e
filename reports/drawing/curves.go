package drawing

import (
	"fmt"
	"math"
	"slices"
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

// mostValues is the number of values up to which each is a tick.
const mostValues = 12

// ValueAxis returns the axis of the values of a parameter: logarithmic unless they are equally far apart, or within a factor of 20 and not
// geometric. Few values are its ticks.
func ValueAxis(label string, values []float64) Axis {
	slices.Sort(values)
	values = slices.Compact(values)
	n, axis := len(values), Axis{Label: label}
	if n <= mostValues {
		axis.Ticks = values
	}
	if n < 2 || values[0] <= 0 {
		return axis
	}
	even, geometric := n > 2, n > 2
	for i := 2; i < n; i++ {
		before, after := values[i-1]-values[i-2], values[i]-values[i-1]
		even = even && math.Abs(after-before) <= 0.01*before
		geometric = geometric && math.Abs(values[i]/values[i-1]-values[i-1]/values[i-2]) <= 0.02
	}
	axis.Log = geometric || !even && values[n-1] >= 20*values[0]
	return axis
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
