//go:build !amd64

package dense

const hasVectors = false

func dotVector(a, b *float64, n int) float64 { panic("no vector instructions") }

func dotsVector(a, b, c, d, w *float64, n int, dst *[4]float64) { panic("no vector instructions") }

func addToVector(dst, x *float64, n int, a float64) { panic("no vector instructions") }

func addProductsToVector(dst, x, y *float64, n int, a float64) { panic("no vector instructions") }

func dot16Vector(dst, x, v *float64, rows, k int) { panic("no vector instructions") }

func dot4Vector(dst, x, v *float64, rows, k int) { panic("no vector instructions") }

func add16Vector(v, x, d *float64, rows, k int) { panic("no vector instructions") }

func add4Vector(v, x, d *float64, rows, k int) { panic("no vector instructions") }

func dotDifferenceVector(x, w, a, b *float64, n int) float64 { panic("no vector instructions") }

func addFourVector(dst, a, b, c, d *float64, n int) { panic("no vector instructions") }

func addTwoVector(dst, a, b *float64, n int, x, y float64) { panic("no vector instructions") }

func addCombinationVector(dst, a, b, c, d *float64, n int, w *[4]float64) {
	panic("no vector instructions")
}

func takeShrunkVector(u, w, d *float64, n int, x, t float64) { panic("no vector instructions") }

const hasWideVectors = false

func tileVector(t *tile, a, b *float64, rows int) { panic("no vector instructions") }

func weightedTileVector(t *tile, a, b, w *float64, rows int) { panic("no vector instructions") }

func tileWide(t *tile, a, b *float64, rows int) { panic("no vector instructions") }

func weightedTileWide(t *tile, a, b, w *float64, rows int) { panic("no vector instructions") }
