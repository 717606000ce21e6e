package source

import "fmt"

// Bounded is implemented by an Input that limits the memory that a reader may take because of a few bytes in a file.
type Bounded interface {
	Input
	// Bound returns the limit in bytes, and the decoded size of the files.
	Bound() (memory, files int64)
}

// usual is the limit if the Input has none.
const usual = 1 << 30

// perByte is the number of bytes of memory that a byte of a file may ask for: more than any honest text or array does.
const perByte = 100

// memoryLimit returns the number of bytes of memory that the files may ask for; files is their own size, 0 if unknown.
func memoryLimit(in Input) (bytes, files int64) {
	memory := int64(usual)
	if b, ok := in.(Bounded); ok {
		memory, files = b.Bound()
	}
	return max(memory, perByte*files), files
}

// MostColumns returns the maximum number of columns in data that merely number them: MaxColumns, or fewer if memory is short.
func MostColumns(in Input) int {
	const each = 48 // bytes for the name, its offset, and its entries when compiled and hashed
	bytes, _ := memoryLimit(in)
	return int(min(MaxColumns, bytes/each))
}

// Allow returns an error if the sizes that a file declares ask for more than memoryLimit bytes. It is called before the memory is
// allocated.
func Allow(in Input, bytes int64, file, format string, args ...any) error {
	if most, size := memoryLimit(in); bytes > most {
		return fmt.Errorf("%s: %s ask for %s of memory, and files of %s may ask for %s here", file, fmt.Sprintf(format, args...), Size(bytes), Size(size), Size(most))
	}
	return nil
}

// Size formats a number of bytes for people.
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
