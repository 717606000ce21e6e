package drawing

import (
	"io"

	"tenfold/io/sanitize"
	"tenfold/reports/digits"
)

// CSV writes the numbers that the chart shows, a line each, with a header: names as they stand in the figure, numbers with all their
// digits, and nothing for those that do not exist.
func (c Chart) CSV(w io.Writer) error {
	out := sanitize.NewCSV(w, false)
	header, lines := c.Body.numbers()
	if err := out.Write(header); err != nil {
		return err
	}
	for _, l := range lines {
		if err := out.Write(l); err != nil {
			return err
		}
	}
	return out.Flush()
}

// numbers lists points with the ends of their error bars, and marks as points without a height.
func (c *Curves) numbers() (header []string, lines [][]string) {
	header = []string{"series", "axis", "x", "y", "x_low", "x_high", "y_low", "y_high", "label"}
	name := "" // that of lines which the legend has no entry for is the last one
	for _, s := range c.Series {
		if s.Label != "" {
			name = s.Label
		}
		axis := c.Left.Label
		if s.Right {
			axis = c.Right.Label
		}
		for _, p := range s.Points {
			line := []string{name, axis, digits.Exact(p.X), digits.Exact(p.Y), "", "", "", "", p.Label}
			if p.ErrorX > 0 {
				line[4], line[5] = digits.Exact(p.X-p.ErrorX), digits.Exact(p.X+p.ErrorX)
			}
			if low, high := p.ends(); low < high {
				line[6], line[7] = digits.Exact(low), digits.Exact(high)
			}
			lines = append(lines, line)
		}
	}
	for _, m := range c.Marks {
		lines = append(lines, []string{m.Label, "", digits.Exact(m.X), "", "", "", "", "", ""})
	}
	return header, lines
}

// numbers lists those of each panel, after its name.
func (p *Panels) numbers() (header []string, lines [][]string) {
	for i, c := range p.Each {
		each, points := c.numbers()
		header = append([]string{"panel"}, each...)
		for _, line := range points {
			line[1] = p.y
			lines = append(lines, append([]string{p.Names[i]}, line...))
		}
	}
	return header, lines
}

func (r *Ranks) numbers() (header []string, lines [][]string) {
	for _, n := range r.Names {
		lines = append(lines, []string{n.Name, digits.Exact(n.Rank)})
	}
	return []string{"name", "mean_rank"}, append(lines, []string{"critical difference", digits.Exact(r.Difference)})
}

func (h *Heat) numbers() (header []string, lines [][]string) {
	for i, row := range h.Squares {
		for j, s := range row {
			lines = append(lines, []string{h.Rows[i], h.Columns[j], digits.Exact(s.Value), s.Text, s.Below})
		}
	}
	return []string{"row", "column", "value", "text", "below"}, lines
}

// numbers lists the values of each strip, then its mean with the interval.
func (s *Strips) numbers() (header []string, lines [][]string) {
	for _, p := range s.Panels {
		for i, one := range p.Strips {
			for _, v := range one.Values {
				lines = append(lines, []string{p.Heading, s.Names[i], "value", digits.Exact(v), "", "", ""})
			}
			lines = append(lines, []string{p.Heading, s.Names[i], "mean", digits.Exact(one.Mean), digits.Exact(one.Low), digits.Exact(one.High), one.Note})
		}
	}
	return []string{"panel", "name", "what", "value", "low", "high", "note"}, lines
}
