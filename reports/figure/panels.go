package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/ranks"
)

// Values of the key panels, and of over.
const datasetDim = "dataset"

// Panels holds small curves side by side, one for each data set, with one legend: a line has the same colour in all of them.
type Panels struct {
	Names  []string
	Each   []*Curves
	legend Curves // the lines of all panels, without their points
	x, y   string // labels of the axes, shared by all
}

// panelsOf joins the charts of single data sets into one. They share their title, and mostly their captions: a sentence that is not
// in all of them names its panels.
func panelsOf(charts []Chart, names []string) Chart {
	all := charts[0]
	p := &Panels{Names: names}
	number := map[string]int{}
	marks := map[string]string{} // of all panels that have the line
	var captions []string
	of := map[string][]string{} // names of the panels with a caption
	for i, chart := range charts {
		body := chart.Body.(*Curves)
		p.x, p.y = body.X.Label, body.Left.Label
		body.X.Label, body.Left.Label, body.Readings = "", "", nil
		for k := range body.Series {
			s := &body.Series[k]
			name := strings.TrimRightFunc(s.Label, func(r rune) bool { return strings.ContainsRune(cells.AllMarks, r) })
			n, known := number[name]
			if !known {
				n = len(number)
				number[name] = n
				p.legend.Series = append(p.legend.Series, Series{Label: name, Line: s.Line, Dots: s.Dots, Rings: s.Rings})
			}
			if s.Colour >= 0 {
				s.Colour, s.Dash = n, Dash(n/len(palette)%4)
			}
			p.legend.Series[n].Colour, p.legend.Series[n].Dash = s.Colour, s.Dash
			marks[name] += s.Label[len(name):]
			for i := range s.Points {
				s.Points[i].Label = ""
			}
		}
		p.Each = append(p.Each, body)
		if of[chart.Caption] == nil {
			captions = append(captions, chart.Caption)
		}
		of[chart.Caption] = append(of[chart.Caption], names[i])
	}
	if len(captions) > 1 {
		all.Caption = ""
		for _, c := range captions {
			if c != "" {
				all.addToCaption("%s: %s", joinNames(of[c]), c)
			}
		}
	}
	for name, n := range number {
		for mark := range strings.FieldsSeq(cells.AllMarks) {
			if strings.Contains(marks[name], mark) {
				p.legend.Series[n].Label += " " + mark
			}
		}
	}
	all.Body = p
	return all
}

func (p *Panels) describe() string {
	return fmt.Sprintf("A panel for each data set (%s): %s against %s. Lines: %s.", strings.Join(p.Names, ", "), p.y, p.x, joinNames(namesOf(p.legend.Series)))
}

func namesOf(series []Series) (names []string) {
	for _, s := range series {
		names = append(names, s.Label)
	}
	return names
}

// Sizes of a panel: its minimum width, and its aspect ratio; its name is above it, the labels of the axes are beside and below all
// panels.
const (
	leastPanel   = 125 * vg.Length(1)
	mostPanel    = 210 * vg.Length(1)
	panelName    = 14 * vg.Length(1)
	betweenPanel = 8 * vg.Length(1)
	sharedLabel  = 18 * vg.Length(1)
)

// grid returns the number of columns and rows of panels for a given room.
func (p *Panels) grid(room vg.Length) (columns, rows int) {
	columns = min(len(p.Each), max(1, int((room-sharedLabel)/leastPanel)))
	return columns, (len(p.Each) + columns - 1) / columns
}

// panelSize returns the room of a panel, with its name and the gap to the next.
func (p *Panels) panelSize(room vg.Length) (w, h vg.Length) {
	columns, _ := p.grid(room)
	w = min(mostPanel, (room-sharedLabel)/vg.Length(columns))
	return w, 0.72*w + panelName + betweenPanel
}

func (p *Panels) size(room vg.Length) (w, h vg.Length) {
	w = max(room, leastPanel+sharedLabel)
	_, rows := p.grid(w)
	_, each := p.panelSize(w)
	return w, vg.Length(rows)*each + sharedLabel + p.legend.legendHeight(w)
}

func (p *Panels) draw(area draw.Canvas) error {
	area = p.legend.drawLegend(area)
	room := area.Max.X - area.Min.X
	columns, rows := p.grid(room)
	w, h := p.panelSize(room)
	for k, c := range p.Each {
		left, top := area.Min.X+sharedLabel+vg.Length(k%columns)*w, area.Max.Y-vg.Length(k/columns)*h
		one := draw.Canvas{Canvas: area.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: left, Y: top - h + betweenPanel}, Max: vg.Point{X: left + w - betweenPanel, Y: top}}}
		name := alignedStyle(9.5, ink, draw.XLeft)
		one.FillText(name, vg.Point{X: left + 4, Y: top - panelName/2}, shortenText(name, p.Names[k], w-betweenPanel))
		if err := c.drawData(draw.Crop(one, 0, 0, 0, -panelName)); err != nil {
			return fmt.Errorf("%s: %w", p.Names[k], err)
		}
	}
	label := alignedStyle(11, ink, draw.XCenter)
	bottom := area.Max.Y - vg.Length(rows)*h
	middle := area.Min.X + sharedLabel + vg.Length(columns)*w/2
	area.FillText(label, vg.Point{X: middle, Y: bottom - sharedLabel/2}, shortenText(label, p.x, room))
	label.Rotation = math.Pi / 2
	area.FillText(label, vg.Point{X: area.Min.X + sharedLabel/2, Y: (area.Max.Y + bottom) / 2}, shortenText(label, p.y, area.Max.Y-bottom))
	return nil
}

// behind returns the cells behind the numbers of some cells.
func (in Input) behind(cs []*cells.Cell) []*cells.Cell {
	if in.groups == nil {
		return cs
	}
	var out []*cells.Cell
	for _, c := range cs {
		out = append(out, in.groups[c]...)
	}
	return out
}

// rivals returns the cells that may be compared in a metric (cells.Rivals): of averages over data sets, those whose cells all may.
func (in Input) rivals(cs []*cells.Cell, metric string) map[*cells.Cell]bool {
	all := cells.Rivals(in.Source, in.behind(cs), metric)
	out := map[*cells.Cell]bool{}
	for _, c := range cs {
		out[c] = !slices.ContainsFunc(in.behind([]*cells.Cell{c}), func(one *cells.Cell) bool { return !all[one] })
	}
	return out
}

// caveatsOf returns the caveats of the number of a cell.
func (in Input) caveatsOf(c *cells.Cell) (all cells.Caveats) {
	for _, one := range in.behind([]*cells.Cell{c}) {
		all = all.Or(one.Caveats())
	}
	return all
}

// averaged returns the input with one cell for each algorithm, or size along a path, that averages its cells on all data sets. Data
// sets or algorithms that lack a value of a metric are left out, whichever lack the larger share, as for ranks.
func averaged(in Input, cs []*cells.Cell, metrics ...string) (Input, []*cells.Cell, string) {
	g := arrangementOf(cs)
	scores := make([][]float64, len(g.datasets))
	var rivals []map[*cells.Cell]bool // of each metric
	for _, m := range metrics {
		rivals = append(rivals, in.rivals(cs, m))
	}
	for d := range scores {
		scores[d] = slices.Repeat([]float64{math.NaN()}, len(g.algorithms))
		for a := range g.algorithms {
			c := g.cells[a][d]
			if c == nil || slices.ContainsFunc(rivals, func(yes map[*cells.Cell]bool) bool { return !yes[c] }) {
				continue
			}
			scores[d][a] = 0
			for _, m := range metrics {
				scores[d][a] += in.metricOf(c, m).Mean
			}
		}
	}
	datasets, algorithms := ranks.Complete(scores)
	in.groups = map[*cells.Cell][]*cells.Cell{}
	var kept []*cells.Cell
	for _, a := range algorithms {
		var group []*cells.Cell
		for _, d := range datasets {
			group = append(group, g.cells[a][d])
		}
		if len(group) > 0 {
			in.groups[group[0]] = group
			kept = append(kept, group[0])
		}
	}
	var out []string
	for a, name := range g.algorithms {
		if !slices.Contains(algorithms, a) {
			out = append(out, name)
		}
	}
	for d, name := range g.datasets {
		if !slices.Contains(datasets, d) {
			out = append(out, name)
		}
	}
	caption := fmt.Sprintf("Means over %s.", digits.Count(len(datasets), "data set"))
	if len(out) > 0 {
		caption += fmt.Sprintf(" Left out, as results are missing: %s.", joinNames(out))
	}
	return in, kept, caption
}
