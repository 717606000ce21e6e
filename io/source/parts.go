package source

// MaxColumns is the maximum number of columns that a reader accepts from data that merely numbers them: the largest public sets
// have 55 million, and a mistyped index must not ask for all memory.
const MaxColumns = 1 << 26

// PartRoles returns the combinations of roles of formats that read one file, or a training and a test file.
func PartRoles() [][]string { return [][]string{{"all"}, {"train", "test"}} }

// Parts returns the roles to read, in order of row: training and test file if both are given, else the only file.
func Parts(in Input) []string {
	if in.Has("train") || in.Has("test") {
		return []string{"train", "test"}
	}
	return []string{"all"}
}

// PartOf returns the part of each row, given the number of rows of each part; nil if there is only one part.
func PartOf(rows ...int) []int8 {
	if len(rows) < 2 {
		return nil
	}
	var numbers []int8
	for part, n := range rows {
		for range n {
			numbers = append(numbers, int8(part))
		}
	}
	return numbers
}
