package drawing

import (
	"image/color"
	"math"
)

// contrastRatio returns the contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio").
func contrastRatio(a, b color.Color) float64 {
	x, y := relativeLuminance(a), relativeLuminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

// relativeLuminance returns the luminance of an sRGB colour, from 0 to 1 (WCAG 2.2).
func relativeLuminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	linear := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}
