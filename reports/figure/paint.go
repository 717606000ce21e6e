package figure

import (
	"fmt"
	"image/color"
)

// paint is a colour with a name. In an SVG it is the CSS custom property --tf-NAME where a page sets that, and light or
// dark by itself where the file stands alone; in a PNG it is light.
type paint struct {
	name        string
	light, dark color.RGBA
}

// RGBA makes a paint a color.Color.
func (p paint) RGBA() (r, g, b, a uint32) { return p.light.RGBA() }

func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

var (
	ink   = paint{"ink", rgb(0x1f2328), rgb(0xe6e8eb)}   // text
	soft  = paint{"soft", rgb(0x59636e), rgb(0x9aa2ab)}  // axes, and lines that are no one's
	rule  = paint{"line", rgb(0xe1e5ea), rgb(0x343b44)}  // grid
	paper = paint{"paper", rgb(0xffffff), rgb(0x15181c)} // background
)

// palette is that of Okabe & Ito 2008, darkened for white paper and ordered so that neighbours also differ in lightness,
// for readers who do not see every colour; shapes of points and dashes tell series apart in grey.
var palette = []paint{
	{"c0", rgb(0x0072b2), rgb(0x4ea8de)}, // blue
	{"c1", rgb(0xd55e00), rgb(0xf0874a)}, // vermilion
	{"c2", rgb(0x00825f), rgb(0x3fc79f)}, // green
	{"c3", rgb(0xaa5087), rgb(0xdd8fc0)}, // purple
	{"c4", rgb(0xb87c00), rgb(0xe6b94a)}, // ochre
	{"c5", rgb(0x3c96cd), rgb(0x9bd4f7)}, // sky
	{"c6", rgb(0x7f4a2a), rgb(0xcf9f80)}, // brown
	{"c7", rgb(0x4d5a6b), rgb(0xb3bfce)}, // slate
}

// shades are the colours of a heat map from 0 to 1: one hue that only gets darker, so that print in grey keeps the order.
var shades = []color.RGBA{rgb(0xf7fbff), rgb(0xc6dbef), rgb(0x6baed6), rgb(0x2171b5), rgb(0x08306b)}

// shade of a value; what is outside [0, 1] gets the colour of that end.
func shade(v float64) color.RGBA {
	at := min(max(v, 0), 1) * float64(len(shades)-1)
	i := min(int(at), len(shades)-2)
	a, b, t := shades[i], shades[i+1], at-float64(i)
	mix := func(x, y uint8) uint8 { return uint8(float64(x) + t*(float64(y)-float64(x)) + 0.5) }
	return color.RGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 255}
}

// inkOn is black or white, whichever is read more easily on a colour; one of them always has a contrast of 4.5.
func inkOn(c color.Color) color.RGBA {
	black, white := rgb(0), rgb(0xffffff)
	if contrast(c, black) >= contrast(c, white) {
		return black
	}
	return white
}
