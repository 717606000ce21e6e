package drawing

import (
	"image/color"
	"strings"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// sansFont returns a font that gonum/plot includes and loads once.
func sansFont(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)}
}

func textStyle(size float64, c color.Color) text.Style {
	return text.Style{Font: sansFont(size), Color: c, Handler: plot.DefaultTextHandler}
}

// alignedStyle returns the style of texts that are right of, around, or left of their points, with these at half the height of a capital. gonum's
// YCenter, half the height of the font, is lower.
func alignedStyle(size float64, c color.Color, x text.XAlignment) text.Style {
	st := textStyle(size, c)
	st.XAlign, st.YAlign = x, -0.4
	return st
}

func titleStyle() text.Style {
	st := textStyle(12.5, ink)
	st.Font.Weight = stdfont.WeightBold
	st.YAlign = draw.YTop
	return st
}

const titleLine, belowTitle = 16 * vg.Length(1), 6 * vg.Length(1)

func titleHeight(title string, room vg.Length) vg.Length {
	if title == "" {
		return 0
	}
	return vg.Length(len(wrapText(titleStyle(), title, room)))*titleLine + belowTitle
}

// drawTitle returns the area below the title.
func drawTitle(area draw.Canvas, title string) draw.Canvas {
	room := area.Max.X - area.Min.X
	y := area.Max.Y
	if title != "" {
		for _, l := range wrapText(titleStyle(), title, room) {
			area.FillText(titleStyle(), vg.Point{X: area.Min.X, Y: y}, l)
			y -= titleLine
		}
	}
	return draw.Crop(area, 0, 0, 0, -titleHeight(title, room))
}

// wrapText breaks a text between words into lines that fit; a word that does not is shortened.
func wrapText(st text.Style, s string, room vg.Length) []string {
	var lines []string
	for _, word := range strings.Fields(s) {
		last := len(lines) - 1
		if last >= 0 && st.Width(lines[last]+" "+word) <= room {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, shortenText(st, word, room))
	}
	return lines
}

// shortenText cuts the middle out of a text that does not fit: long labels differ at their beginning, the algorithm, and at their
// end, the point of its grid.
func shortenText(st text.Style, s string, room vg.Length) string {
	if st.Width(s) <= room {
		return s
	}
	r := []rune(s)
	for keep := len(r) - 1; keep > 0; keep-- {
		head := (keep + 1) / 2
		short := string(r[:head]) + "…" + string(r[len(r)-(keep-head):])
		if st.Width(short) <= room {
			return short
		}
	}
	return "…"
}
