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

// perByte is the number of bytes of memory that a byte of a file may ask for: more than any honest text or array does.
const perByte = 100

// memoryLimit is the number of bytes of memory that the files may ask for; files is their own size, 0 if it is not known.
func memoryLimit(in Input) (bytes, files int64) {
	memory := int64(usual)
	if b, ok := in.(Bounded); ok {
		memory, files = b.Bound()
	}
	return max(memory, perByte*files), files
}

// MostColumns is how many columns data that merely number them may have: at most MaxColumns, and as many as there is memory for.
func MostColumns(in Input) int {
	const each = 48 // bytes: name, beginning, what is compiled and hashed of it
	bytes, _ := memoryLimit(in)
	return int(min(MaxColumns, bytes/each))
}

// Allow returns an error where what a file says of itself asks for more memory than a reader may take, and for more than a file of
// its size can fill; it is asked before the memory is taken.
func Allow(in Input, bytes int64, file, format string, args ...any) error {
	if most, size := memoryLimit(in); bytes > most {
		return fmt.Errorf("%s: %s ask for %s of memory, and files of %s may ask for %s here", file, fmt.Sprintf(format, args...), Size(bytes), Size(size), Size(most))
	}
	return nil
}

// Size returns a number of bytes as people read it.
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
