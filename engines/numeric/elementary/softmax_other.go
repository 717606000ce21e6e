//go:build !amd64

package elementary

const hasVectors = false

var sumExpConstants [11][4]float64

func sumExpVector(out, x *float64, n int, high, from float64, constants *[11][4]float64, powers *[steps]power) (done int, sum float64) {
	panic("no vector instructions")
}
