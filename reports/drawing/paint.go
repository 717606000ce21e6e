package drawing

import (
	"fmt"
	"image/color"
)

// paint is a colour with a name. In an SVG it is the CSS custom property --tf-NAME if a page sets that, and light or dark by itself
// in a file of its own; in a PNG it is light.
type paint struct {
	name        string
	light, dark color.RGBA
}

// RGBA implements color.Color.
func (p paint) RGBA() (r, g, b, a uint32) { return p.light.RGBA() }

func rgbColour(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

func hexColour(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

var (
	ink   = paint{"ink", rgbColour(0x1f2328), rgbColour(0xe6e8eb)}   // text
	soft  = paint{"soft", rgbColour(0x59636e), rgbColour(0x9aa2ab)}  // axes, and grey lines
	rule  = paint{"line", rgbColour(0xe1e5ea), rgbColour(0x343b44)}  // grid
	paper = paint{"paper", rgbColour(0xffffff), rgbColour(0x15181c)} // background
)

// Colours is the number of colours that distinguish series.
const Colours = 8

// palette is that of Okabe & Ito 2008, darkened for white paper and ordered so that neighbours also differ in lightness,
// for readers who do not see every colour; shapes of points and dashes tell series apart in grey.
var palette = [Colours]paint{
	{"c0", rgbColour(0x0072b2), rgbColour(0x4ea8de)}, // blue
	{"c1", rgbColour(0xd55e00), rgbColour(0xf0874a)}, // vermilion
	{"c2", rgbColour(0x00825f), rgbColour(0x3fc79f)}, // green
	{"c3", rgbColour(0xaa5087), rgbColour(0xdd8fc0)}, // purple
	{"c4", rgbColour(0xb87c00), rgbColour(0xe6b94a)}, // ochre
	{"c5", rgbColour(0x3c96cd), rgbColour(0x9bd4f7)}, // sky
	{"c6", rgbColour(0x7f4a2a), rgbColour(0xcf9f80)}, // brown
	{"c7", rgbColour(0x4d5a6b), rgbColour(0xb3bfce)}, // slate
}

// shades holds the colours of a heat map from 0 to 1: one hue that only gets darker, so that print in grey keeps the order.
var shades = []color.RGBA{rgbColour(0xf7fbff), rgbColour(0xc6dbef), rgbColour(0x6baed6), rgbColour(0x2171b5), rgbColour(0x08306b)}

// heatColour returns the colour of a value from 0 to 1; others get the colour of the nearer end.
func heatColour(v float64) color.RGBA {
	position := min(max(v, 0), 1) * float64(len(shades)-1)
	i := min(int(position), len(shades)-2)
	a, b, t := shades[i], shades[i+1], position-float64(i)
	mix := func(x, y uint8) uint8 { return uint8(float64(x) + t*(float64(y)-float64(x)) + 0.5) }
	return color.RGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 255}
}

// inkOn returns black or white, whichever is easier to read on a colour; one of them always has a contrast of 4.5.
func inkOn(c color.Color) color.RGBA {
	black, white := rgbColour(0), rgbColour(0xffffff)
	if contrastRatio(c, black) >= contrastRatio(c, white) {
		return black
	}
	return white
}
