//go:build ignore

// Command palette writes a picture with its 256 most frequent colours, which makes screenshots half the size:
//
//	go run docs/images/palette.go in.png out.png
package main

import (
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"log"
	"os"
	"slices"
)

func main() {
	in, err := os.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	picture, err := png.Decode(in)
	if err != nil {
		log.Fatal(err)
	}
	bounds := picture.Bounds()
	count := map[color.NRGBA]int{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			count[color.NRGBAModel.Convert(picture.At(x, y)).(color.NRGBA)]++
		}
	}
	var colours []color.NRGBA
	for c := range count {
		colours = append(colours, c)
	}
	slices.SortFunc(colours, func(a, b color.NRGBA) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	var palette color.Palette
	for _, c := range colours[:min(256, len(colours))] {
		palette = append(palette, c)
	}
	small := image.NewPaletted(bounds, palette)
	draw.Draw(small, bounds, picture, bounds.Min, draw.Src)
	out, err := os.Create(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(out, small); err != nil {
		log.Fatal(err)
	}
	if err := out.Close(); err != nil {
		log.Fatal(err)
	}
}
