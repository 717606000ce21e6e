package reading

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Size is a number of bytes, written 4GiB, 500MB or 1048576.
type Size int64

// TypeName returns the word of the reference for such a value.
func (*Size) TypeName() string { return "size" }

// JSONSchema returns the forms that UnmarshalText reads.
func (*Size) JSONSchema() []map[string]any {
	return []map[string]any{{"type": "integer", "minimum": 1}, {"type": "string", "pattern": `^[0-9.][0-9.eE+]* *([kMGT]?B|[KMGT]iB)?$`}}
}

// UnmarshalText reads a size with a decimal (kB, MB, GB, TB) or binary (KiB, MiB, GiB, TiB) unit, or plain bytes.
func (s *Size) UnmarshalText(text []byte) error {
	digits := strings.TrimRight(string(text), "kKMGTiB ")
	unit, ok := map[string]float64{
		"": 1, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
		"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
	}[strings.TrimSpace(string(text)[len(digits):])]
	x, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || !(x*unit >= 0 && x*unit < math.MaxInt64) {
		return fmt.Errorf("expected a size such as 4GiB or 500MB, found %q", text)
	}
	*s = Size(x * unit)
	return nil
}
