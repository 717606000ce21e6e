package engines

import (
	"slices"

	"tenfold/engines/param"
	"tenfold/engines/registry"
)

// Wrapper makes an engine of another one. An algorithm asks for it by a key beside params: a section of options, or a word.
// The engine that it makes has the parameters of the inner one as its own, and its options under the key:
//
//	type Engine struct {
//		Base    engines.Engine `yaml:",inline"`
//		Options `yaml:"combinations"`
//	}
type Wrapper struct {
	Kind registry.Kind[param.Validator] // of the options; its name is the key, its revision is part of the keys of results

	// On asks for the wrapper, Off does not, where the key has a word instead of a section. On is part of the keys of results in
	// place of the revision, so that other models of the same word need another word.
	Off, On string

	Accepts  func(inner Engine) bool // nil: every engine. It depends on the type of an engine, not on its parameters
	Lacks    string                  // what an engine that is not accepted does not do: "does not learn from other tasks"
	When     Setting                 // of the inner engine, without which the section is refused; with it, the engine is wrapped even without a section
	Idle     func(inner Engine) bool // nil, or: the inner engine does so by itself, and is left as it is
	Apart    bool                    // stands beside whole algorithms alone, not in a part of one
	Whole    bool                    // goes around tune as well: what it does takes no part in the choice of parameters
	Limit    string                  // of its options, the one that a path of sizes stands in for; "" where that is the inner engine's own
	Excludes []Exclusion             // keys of inner wrappers that it does not go together with, or path

	// Wrap is given an engine that is accepted and sound; together with the options it need not be, which Validate tells.
	Wrap func(inner Engine, options param.Validator) Engine
}

// Exclusion is another key beside params, and the end of the sentence that refuses it: ", which are found at one penalty".
type Exclusion struct{ Key, Why string }

// Key asks for the wrapper.
func (w Wrapper) Key() string { return w.Kind.Name }

// Takes tells whether the wrapper accepts an engine.
func (w Wrapper) Takes(inner Engine) bool { return w.Accepts == nil || w.Accepts(inner) }

// Setting is a parameter with one of its words; none has no parameter.
type Setting struct{ Parameter, Word string }

func (s Setting) String() string { return s.Parameter + " " + s.Word }

// Of tells whether an engine has the setting.
func (s Setting) Of(e Engine) bool {
	return slices.ContainsFunc(registry.Params(e, e), func(p registry.Param) bool { return p.Name == s.Parameter && p.Value == s.Word })
}

// Pair makes an engine of two, each with parameters and wrappers of its own, which stand under a key each in place of one engine.
type Pair struct {
	Keys, Docs [2]string
	Rev        int // part of the keys of results
	Join       func(first, second Engine) Engine
}

// Has tells whether a key is one of the two.
func (p Pair) Has(key string) bool { return slices.Contains(p.Keys[:], key) }

// Wrappers are all that make engines of engines.
type Wrappers struct {
	Around []Wrapper // the inner ones first
	Pair   Pair
}
