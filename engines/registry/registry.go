// Package registry turns names in an experiment file into typed, validated values.
//
// Engines, data formats and fold splitters are all kinds: a name, a sentence of documentation, a revision, and a struct
// whose fields are the parameters. The package knows nothing of YAML: the caller passes the function that decodes.
package registry

import (
	"fmt"
	"sort"

	"tenfold/engines/param"
	"tenfold/engines/suggest"
)

// Kind is one named, documented, configurable thing.
type Kind[T param.Validator] struct {
	Name, Doc, Cite string
	Rev             int // raise when results may change; part of every key

	fresh func() any      // pointer to a copy of the defaults
	value func(ptr any) T // the value behind such a pointer
	zero  T               // the defaults
}

// Define completes a Kind with the defaults of its parameters. The parameter struct P is itself the T.
func Define[T param.Validator, P param.Validator](k Kind[T], defaults P) Kind[T] {
	if _, ok := any(defaults).(T); !ok {
		panic(fmt.Sprintf("kind %s: %T does not implement the interface of its family", k.Name, defaults))
	}
	k.fresh = func() any { p := defaults; return &p }
	k.value = func(ptr any) T { return any(*ptr.(*P)).(T) }
	k.zero = any(defaults).(T)
	return k
}

// Made completes a Kind whose parameters are known only at run time: fresh returns a pointer to a new copy of the defaults, a struct like
// those of Define, and value returns what such a pointer points to.
func Made[T param.Validator](k Kind[T], fresh func() any, value func(ptr any) T) Kind[T] {
	k.fresh, k.value, k.zero = fresh, value, value(fresh())
	return k
}

// Defaults returns the value with all parameters at their defaults.
func (k Kind[T]) Defaults() T { return k.zero }

// New decodes over a copy of the defaults and validates. decode gets a pointer to the parameter struct.
func (k Kind[T]) New(decode func(ptr any) error) (T, error) {
	p := k.fresh()
	if err := decode(p); err != nil {
		var none T
		return none, err
	}
	v := k.value(p)
	return v, v.Validate()
}

// Set is a family of kinds by name.
type Set[T param.Validator] map[string]Kind[T]

// NewSet rejects duplicates and kinds without documentation or revision.
func NewSet[T param.Validator](kinds ...Kind[T]) (Set[T], error) {
	s := make(Set[T], len(kinds))
	for _, k := range kinds {
		switch {
		case k.Name == "" || k.Doc == "" || k.Rev < 1 || k.fresh == nil:
			return nil, fmt.Errorf("kind %q lacks a name, documentation, a revision or defaults", k.Name)
		case s[k.Name].Name != "":
			return nil, fmt.Errorf("kind %q is defined twice", k.Name)
		}
		s[k.Name] = k
	}
	return s, nil
}

// Names returns the names in alphabetical order.
func (s Set[T]) Names() []string {
	names := make([]string, 0, len(s))
	for n := range s {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Lookup finds a kind; the error suggests the nearest name and lists what exists.
func (s Set[T]) Lookup(name string) (Kind[T], error) {
	if k, ok := s[name]; ok {
		return k, nil
	}
	return Kind[T]{}, fmt.Errorf("%q%s", name, suggest.Choices(name, s.Names()))
}
