package tablefile

import (
	"math/big"
	"testing"
)

func TestDecimalText(t *testing.T) {
	for _, c := range []struct {
		x        int64
		decimals int
		want     string
	}{{5, 1, "0.5"}, {150, 2, "1.5"}, {-5, 3, "-0.005"}, {700, 2, "7"}, {12, 0, "12"}, {0, 2, "0"}} {
		if got := decimalText(big.NewInt(c.x), c.decimals); got != c.want {
			t.Errorf("%d, %d decimals: %s, expected %s", c.x, c.decimals, got, c.want)
		}
	}
	for bits, want := range map[uint16]float64{0x3c00: 1, 0xc000: -2, 0x0001: 5.960464477539063e-08, 0x7bff: 65504} {
		if got := halfFloat([]byte{byte(bits), byte(bits >> 8)}); got != want {
			t.Errorf("%#x: %v, expected %v", bits, got, want)
		}
	}
}
