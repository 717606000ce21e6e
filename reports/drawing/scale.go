package drawing

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// scale is the range of an axis. A logarithmic one that has zeros shows them at zero, left of all other values.
type scale struct {
	low, high float64
	log       bool
	zero      float64 // where zeros are drawn; 0: there are none
	ticks     []float64
}

// newScale returns a scale with margins on both sides, as a share of the values' range. It is never empty.
func newScale(a Axis, values []float64, below, above float64) scale {
	s := rangeOf(a, values, below, above)
	s.ticks = a.Ticks
	return s
}

func rangeOf(a Axis, values []float64, below, above float64) scale {
	if len(values) == 0 {
		return scale{low: 0, high: 1}
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		low, high = math.Min(low, v), math.Max(high, v)
	}
	least, most := positiveRange(values)
	switch {
	case a.Log && most > 0:
		s := scale{log: true}
		from, to := math.Log10(least), math.Log10(most)
		if low <= 0 {
			from -= math.Max(0.25, 0.08*(to-from))
			s.zero = math.Pow(10, from)
		}
		span := math.Max(to-from, 0.2)
		s.low, s.high = math.Pow(10, from-below*span), math.Min(math.Pow(10, to+above*span), math.MaxFloat64)
		return s
	case !(high-low > 1e-12*math.Max(math.Abs(low), math.Abs(high))):
		room := 0.5 * math.Max(1e-9, math.Abs(high))
		if high == 0 {
			room = 1
		}
		return scale{low: low - room, high: high + room}
	}
	return scale{low: low - below*(high-low), high: high + above*(high-low)}
}

// normalise maps a value to its place from 0 at the low end to 1 at the high one; values outside are put at the end.
func (s scale) normalise(v float64) float64 {
	if s.log {
		if v == 0 && s.zero > 0 {
			v = s.zero
		}
		low, high := math.Log(s.low), math.Log(s.high)
		return (math.Log(math.Min(math.Max(v, s.low), s.high)) - low) / (high - low)
	}
	return (math.Min(math.Max(v, s.low), s.high) - s.low) / (s.high - s.low)
}

// An axis has at most mostTicks labels, and may have leastTicks however short it is.
const mostTicks, leastTicks = 8, 3

// applyTo sets an axis of a plot that has room for at most this many labels.
func (s scale) applyTo(a *plot.Axis, room int) {
	most := min(max(room, leastTicks), mostTicks)
	a.Min, a.Max = s.low, s.high
	a.Tick.Marker = linearTicks{most}
	if s.log {
		a.Scale, a.Tick.Marker = plot.LogScale{}, logTicks{most: most, zero: s.zero}
	}
	if len(s.ticks) > 0 {
		a.Tick.Marker = givenTicks{s, most}
	}
}

// givenTicks are those of given values, with labels where these are far enough from the one before.
type givenTicks struct {
	scale
	most int
}

func (t givenTicks) Ticks(low, high float64) (out []plot.Tick) {
	last := math.Inf(-1)
	for _, v := range t.ticks {
		tick := plot.Tick{Value: v}
		if v == 0 && t.zero > 0 {
			tick.Value = t.zero
		}
		if place := t.normalise(v); place-last >= 0.9/float64(t.most) {
			tick.Label, last = FormatTick(v, v), place
		}
		out = append(out, tick)
	}
	return out
}

// linearTicks are about five multiples of 1, 2 or 5 times a power of ten, all with the same number of decimals.
type linearTicks struct{ most int }

func (t linearTicks) Ticks(low, high float64) []plot.Tick {
	if !(high > low) {
		return []plot.Tick{{Value: low, Label: FormatTick(low, 1)}}
	}
	power := math.Pow(10, math.Floor(math.Log10((high-low)/5)))
	step := power
	for _, m := range []float64{2, 5, 10, 20} {
		if (high-low)/step <= float64(t.most) {
			break
		}
		step = m * power
	}
	decimals := max(0, int(-math.Floor(math.Log10(step)+1e-9)))
	largest := math.Max(math.Abs(low), math.Abs(high))
	var out []plot.Tick
	for k := math.Ceil(low/step - 1e-9); k*step <= high+1e-9*step; k++ {
		label := FormatNumber(k*step, decimals)
		if decimals > 5 || largest >= 1e9 {
			label = FormatTick(k*step, high-low)
		}
		out = append(out, plot.Tick{Value: k * step, Label: label})
	}
	return out
}

// logTicks labels 1, 2 and 5 of each decade, or powers of ten if there are many; of very many, every second or third.
type logTicks struct {
	most int
	zero float64 // where zero is drawn, 0 for nowhere
}

func (t logTicks) Ticks(low, high float64) []plot.Tick {
	var out []plot.Tick
	if t.zero > 0 {
		out = append(out, plot.Tick{Value: t.zero, Label: "0"})
		low = t.zero * math.Pow(10, 0.15)
	}
	span := math.Log10(high) - math.Log10(low)
	few, every := span < 2.2 && span*3.2 < float64(t.most), math.Ceil(span/float64(t.most))
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for m := 1.0; m < 10; m++ {
			v := m * math.Pow(10, e)
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			tick := plot.Tick{Value: v}
			if m == 1 && math.Mod(e, every) == 0 || few && (m == 2 || m == 5) {
				tick.Label = FormatTick(v, v)
			}
			if tick.Label != "" || every == 1 {
				out = append(out, tick)
			}
		}
	}
	return out
}

// FormatTick writes a number for an axis of this span, with as many decimals as it has.
func FormatTick(v, span float64) string {
	if math.Abs(v) < 1e-9*span {
		v = 0
	}
	if a := math.Abs(v); a != 0 && (a >= 1e9 || a < 1e-4) {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return FormatNumber(math.Round(v*1e6)/1e6, -1)
}

// FormatNumber writes a number with a true minus sign, and commas between thousands.
func FormatNumber(v float64, decimals int) string {
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(v, 'f', decimals, 64), ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "−", whole[1:]
	}
	if strings.Trim(whole+fraction, "0") == "" {
		sign = ""
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return sign + whole
}
