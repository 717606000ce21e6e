package source

import (
	"fmt"

	"tenfold/io/rawtext"
)

// Bounded is implemented by an Input that limits the memory that a reader may take because of a few bytes in a file.
type Bounded interface {
	Input
	// Bound returns the limit in bytes, and the decoded size of the files.
	Bound() (memory, files int64)
}

// usual is the number of bytes of memory that the smallest files may ask for beyond what they spell: with the program itself they stay
// within 256 MiB.
const usual = 160 << 20

// Bytes of memory that a byte of a file may ask for: of packed arrays, which may hold much in few bytes; of numbers of columns; and of what
// a file only implies.
const (
	perByte        = 100
	columnsPerByte = 16
	impliedPerByte = 8
)

// memoryLimit returns usual, or less if memory is short, and the size of the files, 0 if unknown.
func memoryLimit(in Input) (bytes, files int64) {
	bytes = usual
	if b, ok := in.(Bounded); ok {
		bytes, files = b.Bound()
	}
	return min(bytes, usual), files
}

// MostColumns returns the maximum number of columns in data that merely number them: MaxColumns, or fewer in small files.
func MostColumns(in Input) int {
	const each = 32 // bytes for the name and its offset, in memory and compiled
	bytes, files := memoryLimit(in)
	return int(min(MaxColumns, (bytes+columnsPerByte*files)/each))
}

// Allow returns an error if the sizes that a file declares ask for more memory than a file of its size may. It is called before the
// memory is allocated.
func Allow(in Input, bytes int64, file, format string, args ...any) error {
	least, size := memoryLimit(in)
	if most := max(least, perByte*size); bytes > most {
		return fmt.Errorf("%s: %s ask for %s of memory, and files of %s may ask for %s here", file, fmt.Sprintf(format, args...), Size(bytes), Size(size), Size(most))
	}
	return nil
}

// Implied counts the memory that files ask for without spelling it, such as an entry for each level where a value is missing: it must not
// be the product of two lengths. A nil one allows everything.
type Implied struct{ asked, most, files int64 }

// NewImplied counts for the files of an input; nil if these come one by one, by Spell.
func NewImplied(in Input) *Implied {
	least, files := memoryLimit(in)
	m := &Implied{most: least}
	m.Spell(files)
	return m
}

// Spell adds bytes of files.
func (m *Implied) Spell(bytes int64) { m.files, m.most = m.files+bytes, m.most+impliedPerByte*bytes }

// MostNames returns how many names files of this size may have.
func (m *Implied) MostNames() int { return rawtext.MostNames(m.files) }

// Entry is the memory of an entry of the matrix, in bytes: read and compiled.
const Entry = 32

// Ask adds bytes of memory. It returns an error when they are too many, about what the format names.
func (m *Implied) Ask(bytes int64, format string, args ...any) error {
	if m == nil {
		return nil
	}
	if m.asked += bytes; m.asked <= m.most {
		return nil
	}
	return fmt.Errorf("%s ask for more than %s of memory, the most that files of %s may ask for here", fmt.Sprintf(format, args...), Size(m.most), Size(m.files))
}

// AskNames adds what is put before names that are spelled, of so many bytes before each: usual lengths are free.
func (m *Implied) AskNames(prefix, names int, format string, args ...any) error {
	const free, copies = 64, 4
	return m.Ask(copies*int64(max(0, prefix-free))*int64(names), format, args...)
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
