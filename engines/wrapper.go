package engines

import (
	"slices"

	"tenfold/engines/param"
	"tenfold/engines/registry"
)

// Wrapper turns an engine into another one. An algorithm asks for it by a key beside params, which holds a section of options or a word.
// The new engine has the parameters of the inner one, and the options under the key:
//
//	type Engine struct {
//		Base    engines.Engine `yaml:",inline"`
//		Options `yaml:"combinations"`
//	}
type Wrapper struct {
	Kind registry.Kind[param.Validator] // the options; its name is the key beside params, its revision is part of result keys

	// Off and On are the words if the key holds a word instead of a section; On asks for the wrapper. On is part of result keys in place
	// of the revision, so a change of its models needs a new word. Off without On is the word for no wrapper where the key holds a value of
	// another form: the options are one parameter.
	Off, On string

	Accepts  func(inner Engine) bool // by the type of an engine, not its parameters; nil: every engine
	Lacks    string                  // for messages, what other engines lack: "does not learn from other tasks"
	When     Setting                 // setting of the inner engine that the section requires, and that wraps it even without a section
	Idle     func(inner Engine) bool // reports that the inner engine needs no wrapping; nil: it always does
	Apart    bool                    // allowed for whole algorithms only, not for a part of one (select, refit)
	Whole    bool                    // wraps tune as well, so that it takes no part in the choice of parameters
	Limit    string                  // the option that path: {at: ...} replaces; "": that of the inner engine
	Excludes []Exclusion             // keys of inner wrappers, or path, that cannot be combined with this one

	// Wrap gets an accepted, valid engine. The combination with the options may still be invalid, which its Validate reports.
	Wrap func(inner Engine, options param.Validator) Engine
}

// Exclusion is another key beside params, and the end of the error that refuses it: ", which are found at one penalty".
type Exclusion struct{ Key, Why string }

// Key returns the key beside params that asks for the wrapper.
func (w Wrapper) Key() string { return w.Kind.Name }

// Section reports whether the key holds a section of options, rather than a word or another value.
func (w Wrapper) Section() bool { return w.Off == "" && w.On == "" }

// Takes reports whether the wrapper accepts an engine.
func (w Wrapper) Takes(inner Engine) bool { return w.Accepts == nil || w.Accepts(inner) }

// Setting is a parameter set to one of its words; the zero Setting is none.
type Setting struct{ Parameter, Word string }

func (s Setting) String() string { return s.Parameter + " " + s.Word }

// Of reports whether an engine has the setting.
func (s Setting) Of(e Engine) bool {
	return slices.ContainsFunc(registry.Params(e, e), func(p registry.Param) bool { return p.Name == s.Parameter && p.Value == s.Word })
}

// Pair joins two engines, each under its own key with parameters and wrappers, in place of one engine.
type Pair struct {
	Keys, Docs [2]string
	Rev        int // part of result keys
	Join       func(first, second Engine) Engine
}

// Has reports whether a key is one of the two.
func (p Pair) Has(key string) bool { return slices.Contains(p.Keys[:], key) }

// Joint makes one engine of a list of engines, each with parameters and wrappers. The list stands under the kind's name, and the options
// of the kind beside it, in place of an engine with parameters in the first part of a Pair.
type Joint struct {
	Kind Kind
	Join func(joint Engine, parts []Engine) Engine
}

// Wrappers lists everything that turns engines into engines.
type Wrappers struct {
	Around []Wrapper // the inner ones first
	Pair   Pair
	Joint  Joint
}
