package drawing

import (
	"io"
	"strconv"

	"tenfold/io/results"
	"tenfold/io/sanitize"
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

// exactText returns a number with all its digits, "" for one that is not finite.
func exactText(v float64) string {
	if !results.Finite(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
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
			line := []string{name, axis, exactText(p.X), exactText(p.Y), "", "", "", "", p.Label}
			if p.ErrorX > 0 {
				line[4], line[5] = exactText(p.X-p.ErrorX), exactText(p.X+p.ErrorX)
			}
			if low, high := p.ends(); low < high {
				line[6], line[7] = exactText(low), exactText(high)
			}
			lines = append(lines, line)
		}
	}
	for _, m := range c.Marks {
		lines = append(lines, []string{m.Label, "", exactText(m.X), "", "", "", "", "", ""})
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
		lines = append(lines, []string{n.Name, exactText(n.Rank)})
	}
	return []string{"name", "mean_rank"}, append(lines, []string{"critical difference", exactText(r.Difference)})
}

func (h *Heat) numbers() (header []string, lines [][]string) {
	for i, row := range h.Squares {
		for j, s := range row {
			lines = append(lines, []string{h.Rows[i], h.Columns[j], exactText(s.Value), s.Text, s.Below})
		}
	}
	return []string{"row", "column", "value", "text", "below"}, lines
}

// numbers lists the values of each strip, then its mean with the interval.
func (s *Strips) numbers() (header []string, lines [][]string) {
	for _, p := range s.Panels {
		for i, one := range p.Strips {
			for _, v := range one.Values {
				lines = append(lines, []string{p.Heading, s.Names[i], "value", exactText(v), "", "", ""})
			}
			lines = append(lines, []string{p.Heading, s.Names[i], "mean", exactText(one.Mean), exactText(one.Low), exactText(one.High), one.Note})
		}
	}
	return []string{"panel", "name", "what", "value", "low", "high", "note"}, lines
}
