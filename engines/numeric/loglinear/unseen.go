package loglinear

import (
	"fmt"
	"strings"
)

// named is the largest number of names in a note.
const named = 10

// Unseen returns a note about classes without a training row, nil where there is none.
func (p *Problem) Unseen(levels []string) []string {
	seen := make([]bool, p.Classes)
	for _, c := range p.labels.class {
		seen[c] = true
	}
	var missing []string
	for c, name := range levels {
		if !seen[c] {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	more := ""
	if len(missing) > named {
		more = ", …"
	}
	return []string{fmt.Sprintf("%d of %d classes have no training row: no feature is for them (%s%s)",
		len(missing), p.Classes, strings.Join(missing[:min(len(missing), named)], ", "), more)}
}
