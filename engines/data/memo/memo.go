// Package memo keeps what fits with other parameters to the same rows have in common.
package memo

import "sync"

// Values holds what was made, by key. The zero value is empty; nil keeps nothing.
type Values struct {
	sync.Mutex
	byKey map[any]*value
}

// value is what was made for a key.
type value struct {
	sync.Mutex
	made bool
	what any
}

// Once returns what make returns, which is made once for equal keys; these should be of a type of the caller's package. A value depends on the
// rows and its key alone, so that nobody can tell whether it was kept. What fails is made again. Safe for several goroutines, of which one makes a
// value and the others wait.
func Once[T any](v *Values, key any, make func() (T, error)) (T, error) {
	if v == nil {
		return make()
	}
	k := v.find(key)
	k.Lock()
	defer k.Unlock()
	if !k.made {
		what, err := make()
		if err != nil {
			return what, err
		}
		k.what, k.made = what, true
	}
	return k.what.(T), nil
}

// find returns the value of a key, made or not.
func (v *Values) find(key any) *value {
	v.Lock()
	defer v.Unlock()
	k := v.byKey[key]
	if k == nil {
		if v.byKey == nil {
			v.byKey = map[any]*value{}
		}
		k = new(value)
		v.byKey[key] = k
	}
	return k
}
