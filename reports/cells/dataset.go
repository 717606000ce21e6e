package cells

// Dataset holds the cells of one data set, or of one point of its grid.
type Dataset struct {
	Label string
	Cells []*Cell
}

// ByDataset groups cells by the label of their data set, without the parameters that are shown elsewhere. Data sets and
// cells keep their order.
func ByDataset(cs []*Cell, elsewhere ...string) []Dataset {
	var out []Dataset
	index := map[string]int{}
	for _, c := range cs {
		label := c.DatasetLabel(elsewhere...)
		i, ok := index[label]
		if !ok {
			i = len(out)
			index[label] = i
			out = append(out, Dataset{Label: label})
		}
		out[i].Cells = append(out[i].Cells, c)
	}
	return out
}
