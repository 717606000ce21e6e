package plan

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/prepare"
)

// keySchema is part of every key. Raise it when the meaning of a stored outcome changes.
const keySchema = 3

// Ingredients is everything that determines the result of a unit, and nothing else: the unit's key is their hash. The
// plan stores them, so that a later plan can say what changed.
type Ingredients struct {
	Schema   int            `json:"schema"`
	Dataset  string         `json:"dataset"` // digest of the data set's content as loaded
	Recipe   prepare.Recipe `json:"recipe"`
	Fold     string         `json:"fold_digest"` // digest of the rows of the unit's own fold
	Engine   string         `json:"engine"`
	Revision int            `json:"revision"`
	Params   string         `json:"params"`            // those that differ from their defaults, canonical JSON
	Seed     int64          `json:"seed"`              // of the fit
	After    []string       `json:"after,omitempty"`   // keys of the units that it builds on
	Stage    string         `json:"stage,omitempty"`   // for stages: its name and revision
	Inner    string         `json:"inner,omitempty"`   // how training rows are divided further, JSON; of engines that divide them
	Path     string         `json:"path,omitempty"`    // sizes at which the fit returns models, a JSON list
	Metrics  int            `json:"metrics,omitempty"` // revision of what is measured of predictions
}

// Key returns the key of a unit: 32 hex digits.
func (in Ingredients) Key() string { return hashJSON("unit", in) }

// cellKey returns the key of a cell: a hash of the ingredients its units share, the digests of all its folds and the
// file's seed.
func cellKey(in Ingredients, folds []string, seed int64) string {
	in.Fold, in.Seed = "", 0
	return hashJSON("cell", struct {
		Ingredients
		Folds []string `json:"folds"`
		Seed  int64    `json:"file_seed"`
	}{in, folds, seed})
}

func hashJSON(what string, v any) string {
	b, err := json.Marshal(v)
	if err != nil { // plain structs of strings and numbers always encode
		panic(fmt.Sprintf("key of a %s: %v", what, err))
	}
	sum := sha256.Sum256(append([]byte("tenfold "+what+"\n"), b...))
	return hex.EncodeToString(sum[:16])
}

// innerJSON returns how training rows may be divided, as it enters keys: "" for the default.
func innerJSON(inner engines.Inner) string {
	if inner == (engines.Inner{}) {
		return ""
	}
	b, _ := json.Marshal(inner) // flags and numbers always encode
	return string(b)
}

// fitSeed derives the seed of one fit from the file's seed, the data set's training rows, repeat, fold and engine.
// Labels, order and grid values do not enter, so that the points of a grid are compared on equal draws; nor do rows given
// as test. It is not negative.
func fitSeed(fileSeed int64, training string, repeat, fold int, engine string) int64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "tenfold seed\n%d\n%s\n%d\n%d\n%s", fileSeed, training, repeat, fold, engine))
	return int64(binary.LittleEndian.Uint64(sum[:8]) >> 1)
}

// probeSeed derives the seed of a fold's probes likewise, so that all engines on the fold meet the same ones.
func probeSeed(seed int64, training string, repeat, fold int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "tenfold probes\n%d\n%s\n%d\n%d", seed, training, repeat, fold))
	return binary.LittleEndian.Uint64(sum[:8])
}
