package drawing

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tenfold/reports/cells"
)

// Panels holds small curves side by side, one for each data set, with one legend: a line has the same colour in all of them.
type Panels struct {
	Names  []string
	Each   []*Curves
	legend Curves // the lines of all panels, without their points
	x, y   string // labels of the axes, shared by all
}

// JoinPanels joins the charts of single data sets into one. They share their title, and mostly their captions: a sentence that is not
// in all of them names its panels.
func JoinPanels(charts []Chart, names []string) Chart {
	all := charts[0]
	all.joinCaptions(charts, names)
	if _, strips := all.Body.(*Strips); strips {
		all.Body = joinStrips(charts, names)
		return all
	}
	p := &Panels{Names: names}
	number := map[string]int{}
	marks := map[string]string{} // of all panels that have the line
	for _, chart := range charts {
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
				s.Colour, s.Dash = n, Dash(n/Colours%4)
			}
			p.legend.Series[n].Colour, p.legend.Series[n].Dash = s.Colour, s.Dash
			marks[name] += s.Label[len(name):]
			for i := range s.Points {
				s.Points[i].Label = ""
			}
		}
		p.Each = append(p.Each, body)
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

// joinCaptions makes one caption of those of charts: where they differ, each names its panels.
func (c *Chart) joinCaptions(charts []Chart, names []string) {
	var captions []string
	panels := map[string][]string{} // names of the panels with a caption
	for i, chart := range charts {
		if panels[chart.Caption] == nil {
			captions = append(captions, chart.Caption)
		}
		panels[chart.Caption] = append(panels[chart.Caption], names[i])
	}
	if len(captions) == 1 {
		return
	}
	c.Caption = ""
	for _, text := range captions {
		if text != "" {
			c.AddSentence("%s: %s", JoinNames(panels[text]), text)
		}
	}
}

func (p *Panels) describe() string {
	return fmt.Sprintf("A panel for each data set (%s): %s against %s. Lines: %s.", strings.Join(p.Names, ", "), p.y, p.x, JoinNames(namesOf(p.legend.Series)))
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
