package plan

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/prepare"
	"tenfold/runner/method"
	"tenfold/runner/spec"
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
	Path     string         `json:"path,omitempty"`    // sizes at which the fit hands out models, a JSON list
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

// difference says, in the words of an experiment file, what differs between two units' ingredients; "" if nothing does.
func difference(was, is Ingredients) string {
	switch {
	case was.Schema != is.Schema: // other fields may have changed their meaning
		return "results of an older version of tenfold"
	case was.Dataset != is.Dataset:
		return "the data set changed"
	case was.Recipe != is.Recipe:
		return "the preparation of the data changed"
	case was.Engine != is.Engine: // and with it the seed
		return fmt.Sprintf("engine: %s was %s", is.Engine, was.Engine)
	case was.Seed != is.Seed:
		return "the seed changed"
	case was.Fold != is.Fold:
		return "the rows of the fold changed"
	case was.Revision != is.Revision:
		return fmt.Sprintf("engine %s was revised (%d, was %d)", is.Engine, is.Revision, was.Revision)
	case was.Metrics != is.Metrics:
		return fmt.Sprintf("the metrics were revised (%d, was %d)", is.Metrics, was.Metrics)
	case was.Params != is.Params:
		return changedParams(was.Params, is.Params)
	case was.Path != is.Path:
		return fmt.Sprintf("path.at is %s, was %s", cmp.Or(is.Path, "not there"), cmp.Or(was.Path, "not there"))
	case was.Inner != is.Inner:
		return fmt.Sprintf("inner folds are %s, were %s", cmp.Or(is.Inner, "plain"), cmp.Or(was.Inner, "plain"))
	case was.Stage != is.Stage:
		return fmt.Sprintf("stage %s was %s", is.Stage, was.Stage)
	case !slices.Equal(was.After, is.After):
		return "a result that it builds on changed"
	}
	return ""
}

// changedParams lists the parameters whose values differ; a missing one shows as "default".
func changedParams(was, is string) string {
	old, now := map[string]any{}, map[string]any{}
	if json.Unmarshal([]byte(was), &old) != nil || json.Unmarshal([]byte(is), &now) != nil {
		return "changed"
	}
	var before, after []json.RawMessage
	old, now = withoutMethods(old, &before).(map[string]any), withoutMethods(now, &after).(map[string]any)
	methods := changedMethods(before, after)
	out := ""
	for _, name := range sortedKeys(old, now) {
		a, b := paramText(old, name), paramText(now, name)
		if a != b {
			if out != "" {
				out += ", "
			}
			out += fmt.Sprintf("%s is %s, was %s", name, b, a)
		}
	}
	if out != "" {
		out = "params: " + out
	}
	return strings.Join(slices.DeleteFunc([]string{methods, out}, func(s string) bool { return s == "" }), "; ")
}

// withoutMethods is a JSON value without the identities of methods in it, which it appends to found. Texts of candidates are such values, too.
func withoutMethods(v any, found *[]json.RawMessage) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if name != spec.IdentityKey {
				out[name] = withoutMethods(v[name], found)
			} else if b, err := json.Marshal(v[name]); err == nil {
				*found = append(*found, b)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = withoutMethods(v[i], found)
		}
		return out
	case string:
		var inner any
		if strings.Contains(v, spec.IdentityKey) && json.Unmarshal([]byte(v), &inner) == nil {
			if b, err := json.Marshal(withoutMethods(inner, found)); err == nil {
				return string(b)
			}
		}
	}
	return v
}

// changedMethods says what changed in methods, each thing once.
func changedMethods(was, is []json.RawMessage) string {
	var out []string
	for i := range min(len(was), len(is)) {
		if text := method.Difference(was[i], is[i]); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "method: " + strings.Join(out, "; ")
}

func paramText(params map[string]any, name string) string {
	v, ok := params[name]
	if !ok {
		return "default"
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

func sortedKeys(maps ...map[string]any) []string {
	var out []string
	for _, m := range maps {
		for k := range m {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
