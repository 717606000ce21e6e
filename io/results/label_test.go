package results

import "testing"

func TestLabels(t *testing.T) {
	point := []Param{{"scale", "sd"}, {"data_cutoff", int64(5)}, {"epsilon", 0.01}}
	for range 2 { // in any order
		dataset, algorithm := Labels("pairs", "stagewise", point, Exact)
		if dataset != "pairs cutoff=5" || algorithm != "stagewise epsilon=0.01 scale=sd" {
			t.Errorf("%q, %q", dataset, algorithm)
		}
		point[0], point[2] = point[2], point[0]
	}
}
