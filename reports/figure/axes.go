package figure

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// rightWidth is the room that the right axis takes.
func rightWidth(p scaled) vg.Length {
	widest := vg.Length(0)
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		widest = max(widest, p.Y.Tick.Label.Width(t.Label))
	}
	return widest + p.Y.Tick.Length + 3 + p.Y.Label.Padding + p.Y.Label.TextStyle.Height(p.Y.Label.Text) + 4
}

func drawRightAxis(data draw.Canvas, p *plot.Plot) {
	_, toY := p.Transforms(&data)
	line := draw.LineStyle{Color: p.Y.Color, Width: p.Y.LineStyle.Width}
	data.StrokeLine2(line, data.Max.X, data.Min.Y, data.Max.X, data.Max.Y)
	label := p.Y.Tick.Label
	label.XAlign, label.YAlign = draw.XLeft, draw.YCenter
	x := data.Max.X + p.Y.Tick.Length
	widest := vg.Length(0)
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		y := toY(t.Value)
		if t.IsMinor() || y < data.Min.Y-0.01 || y > data.Max.Y+0.01 {
			continue
		}
		data.StrokeLine2(p.Y.Tick.LineStyle, data.Max.X, y, x, y)
		data.FillText(label, vg.Point{X: x + 3, Y: y}, t.Label)
		widest = max(widest, label.Width(t.Label))
	}
	title := p.Y.Label.TextStyle
	title.Rotation, title.XAlign, title.YAlign = math.Pi/2, draw.XCenter, draw.YTop
	data.FillText(title, vg.Point{X: x + 3 + widest + p.Y.Label.Padding, Y: (data.Min.Y + data.Max.Y) / 2}, p.Y.Label.Text)
}

// ticks are about five multiples of 1, 2 or 5 times a power of ten.
type ticks struct{}

func (ticks) Ticks(low, high float64) []plot.Tick {
	if !(high > low) {
		return []plot.Tick{{Value: low, Label: plain(low, 1)}}
	}
	power := math.Pow(10, math.Floor(math.Log10((high-low)/5)))
	step := power
	for _, m := range []float64{2, 5, 10} {
		if (high-low)/step <= 7 {
			break
		}
		step = m * power
	}
	var out []plot.Tick
	for k := math.Ceil(low/step - 1e-9); k*step <= high+1e-9*step; k++ {
		out = append(out, plot.Tick{Value: k * step, Label: plain(k*step, high-low)})
	}
	return out
}

// logTicks label 1, 2 and 5 of each decade, or powers of ten where there are many.
type logTicks struct{}

func (logTicks) Ticks(low, high float64) []plot.Tick {
	var out []plot.Tick
	few := math.Log10(high/low) < 3
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for m := 1.0; m < 10; m++ {
			v := m * math.Pow(10, e)
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			t := plot.Tick{Value: v}
			if m == 1 || few && (m == 2 || m == 5) {
				t.Label = plain(v, v)
			}
			out = append(out, t)
		}
	}
	return out
}

// plain writes a number for an axis of the given span, thousands set apart by commas.
func plain(v, span float64) string {
	if math.Abs(v) < 1e-9*span {
		v = 0
	}
	if a := math.Abs(v); a != 0 && (a >= 1e9 || a < 1e-4) {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	s := strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
	whole, fraction, _ := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "−", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return sign + whole
}
