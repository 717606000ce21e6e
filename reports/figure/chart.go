package figure

import (
	"fmt"
	"math"
	"strings"

	"tenfold/reports/cells"
)

// Chart is what a figure shows.
type Chart struct {
	Name    string // of its file, without ending
	Title   string
	Caption string // what a reader must know besides: which cell, fold, what is left out
	X       Axis
	Left    Axis
	Right   Axis // no label: there is none
	Series  []Series
	Marks   []Mark
}

// say adds a sentence to the caption.
func (c *Chart) say(format string, args ...any) {
	c.Caption = strings.TrimSpace(c.Caption + " " + fmt.Sprintf(format, args...))
}

// Axis of a chart.
type Axis struct {
	Label string
	Log   bool
}

// Series is one line.
type Series struct {
	Label  string
	Points []Point
	Right  bool // measured on the right axis
	Dash   Dash
	Colour int  // number in the palette, -1 for grey
	Dots   bool // show the points
}

// Point of a line; Error is half the length of its error bar, 0 for none.
type Point struct{ X, Y, Error float64 }

// Dash tells lines apart without colour.
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

// Alt describes the chart in words for those who do not see it.
func (c Chart) Alt() string {
	var lines []string
	for _, s := range c.Series {
		if n := len(s.Points); n > 0 {
			lines = append(lines, fmt.Sprintf("%s from %.4g to %.4g", s.Label, s.Points[0].Y, s.Points[n-1].Y))
		}
	}
	return fmt.Sprintf("%s. Along the axis %s. %s.", c.Title, c.X.Label, strings.Join(lines, "; "))
}

// Build makes the charts of a configuration, one for each data set.
func Build(c Config, in Input) ([]Chart, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if in.Source == nil {
		in.Source = cells.InRows{}
	}
	kept, err := cells.Select(in.Cells, c.where())
	if err != nil {
		return nil, err
	}
	var order []string
	byData := map[string][]*cells.Cell{}
	for _, cell := range kept {
		d := cell.DatasetLabel(c.X, c.Lines)
		if byData[d] == nil {
			order = append(order, d)
		}
		byData[d] = append(byData[d], cell)
	}
	var charts []Chart
	for _, d := range order {
		chart, err := one(c, in, byData[d], d)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d, err)
		}
		if len(order) > 1 {
			chart.Title += ", " + d
		}
		charts = append(charts, chart)
	}
	return charts, nil
}

// Input is what figures are made from.
type Input struct {
	Cells   []*cells.Cell
	Source  cells.Source
	Metrics []string // of the experiment file
}

func one(c Config, in Input, cs []*cells.Cell, dataset string) (Chart, error) {
	var chart Chart
	var err error
	switch c.Kind {
	case Path:
		chart, err = pathChart(c, in, cs)
	default:
		chart, err = sweepChart(c, in, cs)
	}
	chart.Name = slug(chart.Name + " " + dataset)
	return chart, err
}

// slug makes a file name of a label.
func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_', r == '.':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-.")
}

func finite(xs ...float64) bool {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}
