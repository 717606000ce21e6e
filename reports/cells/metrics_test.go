package cells

import "testing"

func TestOfCell(t *testing.T) {
	if !OfCell("stability") || OfCell("accuracy") {
		t.Error("stability is measured on all folds together, accuracy on each")
	}
}
