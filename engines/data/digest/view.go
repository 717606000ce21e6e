package digest

import (
	"crypto/sha256"

	"tenfold/engines/data"
)

// View returns the digest of what a fit sees of a view: columns with names, classes and treatment, entries, responses, and what else
// its rows have. How columns look at labels of rows before is part of the data set's digest, not of this one. O(entries + columns).
func View(v *data.View) string {
	h := &fieldHasher{sum: sha256.New()}
	h.addText("tenfold view 1")
	h.addFeatures(v.Features())
	h.addMatrix(v.Matrix())
	h.addRows(v.Division())
	h.addFloats("factors", v.Factors())
	if by := v.ClassWeights(); by != "" {
		h.addText("class weights " + by)
		h.addFloats("weights in fits", v.Weights())
	}
	units, _ := v.Units()
	addIntegers(h, "units", units)
	if v.Together() {
		h.addText("together")
	}
	p := v.Probes()
	addIntegers(h, "probes", []int64{int64(p.First), int64(p.Number), int64(p.Candidates)})
	addIntegers(h, "starts", v.Starts())
	return h.digest()
}
