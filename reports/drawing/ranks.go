package drawing

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Ranks is a diagram of mean ranks on an axis from Last to 1, the best on the right as in Demšar's figure 1.
type Ranks struct {
	Label      string
	Last       float64      // the worst possible rank
	Names      []Ranked     // best first
	Joined     [][2]float64 // from rank to rank: bars that join algorithms without a difference
	Difference float64      // critical difference, shown as a bar above the axis
}

// Ranked is an algorithm with its mean rank.
type Ranked struct {
	Name string
	Rank float64
}

func (r *Ranks) describe() string {
	var names []string
	for _, n := range r.Names {
		names = append(names, fmt.Sprintf("%s %.3g", n.Name, n.Rank))
	}
	return fmt.Sprintf("Mean ranks, best first: %s. Critical difference %.3g.", strings.Join(names, "; "), r.Difference)
}

const (
	longestName = 215 * vg.Length(1)
	usualAxis   = 270 * vg.Length(1)
	shortAxis   = 150 * vg.Length(1) // where there is no room for that
	nameRow     = 17 * vg.Length(1)
	barRow      = 8 * vg.Length(1)
	aboveAxis   = 62 * vg.Length(1) // label of the axis, critical difference, tick labels
	outward     = 6 * vg.Length(1)  // from the end of the axis to where leader lines end
)

var nameStyle, rankStyle = alignedStyle(9.5, ink, draw.XLeft), alignedStyle(8.5, soft, draw.XLeft)

// splitSides returns the names on each side of the axis, from its end inward: the better half is at the right.
func (r *Ranks) splitSides() (left, right []Ranked) {
	half := (len(r.Names) + 1) / 2
	right = r.Names[:half]
	for i := len(r.Names) - 1; i >= half; i-- {
		left = append(left, r.Names[i])
	}
	return left, right
}

func nameWidth(names []Ranked) vg.Length {
	widest := vg.Length(0)
	for _, n := range names {
		widest = max(widest, nameStyle.Width(shortenText(nameStyle, n.Name, longestName))+rankStyle.Width(n.label())+4)
	}
	return widest
}

func (n Ranked) label() string { return fmt.Sprintf("%.2f", n.Rank) }

func (r *Ranks) size(room vg.Length) (w, h vg.Length) {
	left, right := r.splitSides()
	beside := nameWidth(left) + nameWidth(right) + 2*outward
	w = max(room, beside+min(usualAxis, max(shortAxis, room-beside)))
	return w, aboveAxis + r.barsHeight() + vg.Length(max(len(left), len(right)))*nameRow
}

func (r *Ranks) draw(area draw.Canvas) error {
	if len(r.Names) == 0 || !(r.Last > 1) {
		return fmt.Errorf("there are no ranks to draw")
	}
	left, right := r.splitSides()
	d := rankDrawing{Ranks: r, Canvas: area, y: area.Max.Y - aboveAxis,
		from: area.Min.X + nameWidth(left) + outward, to: area.Max.X - nameWidth(right) - outward}
	d.drawAxis()
	d.drawDifference()
	names := d.drawBars()
	for i, n := range left {
		d.drawLeader(n, names-vg.Length(i)*nameRow, -1)
	}
	for i, n := range right {
		d.drawLeader(n, names-vg.Length(i)*nameRow, 1)
	}
	return nil
}

// rankDrawing is a diagram on its canvas: the axis is at height y.
type rankDrawing struct {
	*Ranks
	draw.Canvas
	y, from, to vg.Length
}

func (d rankDrawing) x(rank float64) vg.Length {
	return d.to - vg.Length((rank-1)/(d.Last-1))*(d.to-d.from)
}

func (d rankDrawing) drawAxis() {
	line := draw.LineStyle{Color: soft, Width: vg.Points(0.9)}
	d.StrokeLine2(line, d.from, d.y, d.to, d.y)
	label := alignedStyle(9.5, ink, draw.XCenter)
	step := math.Ceil((d.Last - 1) / 12)
	for rank := 1.0; rank <= d.Last; rank += 0.5 {
		x, long := d.x(rank), rank == math.Trunc(rank)
		switch {
		case long && math.Mod(rank-1, step) == 0:
			d.StrokeLine2(line, x, d.y, x, d.y+5)
			d.FillText(label, vg.Point{X: x, Y: d.y + 12}, FormatNumber(rank, 0))
		case long || step == 1:
			d.StrokeLine2(line, x, d.y, x, d.y+3)
		}
	}
	d.FillText(alignedStyle(11, ink, draw.XCenter), vg.Point{X: (d.from + d.to) / 2, Y: d.y + 28}, d.Label)
}

// drawDifference draws the critical difference as a bar at the left end, as long as it is on the axis. If it is longer than the
// axis, it is only written.
func (d rankDrawing) drawDifference() {
	y := d.Max.Y - 8
	text := fmt.Sprintf("CD = %.3g", d.Difference)
	st := alignedStyle(9.5, ink, draw.XLeft)
	if d.Difference > d.Last-1 {
		d.FillText(st, vg.Point{X: d.from, Y: y}, text+", longer than the axis")
		return
	}
	end := d.x(d.Last - d.Difference)
	line := draw.LineStyle{Color: ink, Width: vg.Points(1.2)}
	d.StrokeLine2(line, d.from, y, end, y)
	for _, x := range []vg.Length{d.from, end} {
		d.StrokeLine2(line, x, y-4, x, y+4)
	}
	if end+6+st.Width(text) > d.Max.X { // no room beside the bar
		d.FillText(alignedStyle(9.5, ink, draw.XCenter), vg.Point{X: (d.from + end) / 2, Y: y - 10}, text)
		return
	}
	d.FillText(st, vg.Point{X: end + 6, Y: y}, text)
}

// barLevels gives overlapping bars different levels; level 0 is next to the axis.
func (r *Ranks) barLevels() []int {
	var ends []float64 // of the last bar on each level
	out := make([]int, len(r.Joined))
	for i, b := range r.Joined { // from the best rank on
		level := 0
		for level < len(ends) && b[0] <= ends[level]+0.03*r.Last {
			level++
		}
		if level == len(ends) {
			ends = append(ends, 0)
		}
		ends[level], out[i] = b[1], level
	}
	return out
}

func (r *Ranks) barsHeight() vg.Length {
	rows := 0
	for _, l := range r.barLevels() {
		rows = max(rows, l+1)
	}
	return vg.Length(rows)*barRow + 18
}

// drawBars draws the bars of groups without a difference, and returns the height of the first row of names below them.
func (d rankDrawing) drawBars() vg.Length {
	st := draw.LineStyle{Color: palette[0], Width: vg.Points(3.2)}
	for i, level := range d.barLevels() {
		y := d.y - 9 - vg.Length(level)*barRow
		d.StrokeLine2(st, d.x(d.Joined[i][0])+3, y, d.x(d.Joined[i][1])-3, y)
	}
	return d.y - d.barsHeight() - 2
}

// drawLeader joins the place of a rank on the axis with the name at its side (-1 left, 1 right). The names nearest to the
// ends of the axis come first from the top, so that leaders do not cross.
func (d rankDrawing) drawLeader(n Ranked, y vg.Length, side vg.Length) {
	line := draw.LineStyle{Color: soft, Width: vg.Points(0.9)}
	x, end := d.x(n.Rank), d.from-outward
	if side > 0 {
		end = d.to + outward
	}
	d.StrokeLines(line, []vg.Point{{X: x, Y: d.y}, {X: x, Y: y}, {X: end - side*2, Y: y}})
	name, rank := shortenText(nameStyle, n.Name, longestName), n.label()
	nameX, rankX := end+side*1, end+side*(nameStyle.Width(name)+5)
	if side < 0 {
		nameX, rankX = nameX-nameStyle.Width(name), rankX-rankStyle.Width(rank)
	}
	d.FillText(nameStyle, vg.Point{X: nameX, Y: y}, name)
	d.FillText(rankStyle, vg.Point{X: rankX, Y: y}, rank)
}
