package dense

import "golang.org/x/sys/cpu"

var hasVectors = cpu.X86.HasAVX2

//go:noescape
func dotVector(a, b *float64, n int) float64

//go:noescape
func dotsVector(a, b, c, d, w *float64, n int, dst *[4]float64)

//go:noescape
func addToVector(dst, x *float64, n int, a float64)

//go:noescape
func addProductsToVector(dst, x, y *float64, n int, a float64)

//go:noescape
func dot16Vector(dst, x, v *float64, rows, k int)

//go:noescape
func dot4Vector(dst, x, v *float64, rows, k int)

//go:noescape
func add16Vector(v, x, d *float64, rows, k int)

//go:noescape
func add4Vector(v, x, d *float64, rows, k int)

//go:noescape
func dotDifferenceVector(x, w, a, b *float64, n int) float64

//go:noescape
func addFourVector(dst, a, b, c, d *float64, n int)

//go:noescape
func addTwoVector(dst, a, b *float64, n int, x, y float64)

//go:noescape
func addCombinationVector(dst, a, b, c, d *float64, n int, w *[4]float64)

//go:noescape
func takeShrunkVector(u, w, d *float64, n int, x, t float64)
