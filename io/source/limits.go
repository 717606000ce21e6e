package source

import "fmt"

// Bounded is an Input that says how much memory a reader may take for what little of a file can ask for.
type Bounded interface {
	Input
	// Bound is a number of bytes of memory, and that of the files, decoded.
	Bound() (memory, files int64)
}

// usual memory for a reader where nobody says.
const usual = 1 << 30

// perByte is how many bytes of memory a byte of a file may ask for: more than any text or array does that holds what it says.
const perByte = 100

// Allow is an error where what a file says of itself asks for more memory than a reader may take, and for more than a file of
// its size can fill: before it is taken. what is found: "column 67108863".
func Allow(in Input, bytes int64, format string, args ...any) error {
	memory, files := int64(usual), int64(0)
	if b, ok := in.(Bounded); ok {
		memory, files = b.Bound()
	}
	if most := max(memory, perByte*files); bytes > most {
		return fmt.Errorf("%s asks for %s of memory, and a data set of %s may take at most %s here", fmt.Sprintf(format, args...), Size(bytes), Size(files), Size(most))
	}
	return nil
}

// AllowColumns is Allow for columns that are merely numbered.
func AllowColumns(in Input, columns int) error {
	const each = 48 // bytes: name, beginning, what is compiled and hashed of it
	return Allow(in, each*int64(columns), "a table of %d columns", columns)
}

// Size is a number of bytes as people read it.
func Size(n int64) string {
	if n < 1<<10 {
		return fmt.Sprintf("%d bytes", n)
	}
	size, unit := float64(n)/(1<<10), 0
	for size >= 1023.95 && unit < 3 {
		size, unit = size/(1<<10), unit+1
	}
	return fmt.Sprintf("%.1f %s", size, []string{"KiB", "MiB", "GiB", "TiB"}[unit])
}
