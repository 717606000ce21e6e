package registry

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Identified is implemented by values that hold more than what determines their results: a program, say.
type Identified interface {
	// Identity returns a text that only values with equal results share; false if none is known.
	Identity() (text string, ok bool)
}

// The limits of what has an identity, in bytes and in levels of values inside values: what has more is data, not parameters.
const (
	longestIdentity = 1 << 16
	deepestIdentity = 64
)

// Revisions holds the revisions of types, in words: what values of a type compute may change with its revision.
type Revisions map[reflect.Type]string

// Add adds the revision of a kind to that of the type of its defaults, which several kinds may share.
func (r Revisions) Add(name string, revision int, defaults any) {
	r[reflect.TypeOf(defaults)] += fmt.Sprintf("%s %d,", name, revision)
}

// Identity returns a text that only values share which compute the same: types with their revisions and all their fields, exported or not,
// but those that do not influence results (key:"-"). It is false for a value that holds functions, channels, or too much.
func (r Revisions) Identity(value any) (text string, ok bool) {
	b := identity{revisions: r}
	ok = b.add(reflect.ValueOf(value), deepestIdentity)
	return b.String(), ok
}

// identity is the text of a value in the making.
type identity struct {
	strings.Builder
	revisions Revisions
}

// add adds a value; false if it has no identity.
func (b *identity) add(v reflect.Value, depth int) bool {
	if depth == 0 || b.Len() > longestIdentity {
		return false
	}
	if v.IsValid() {
		b.WriteString(b.revisions[v.Type()])
	}
	if v.IsValid() && v.CanInterface() {
		if known, is := v.Interface().(Identified); is && !(v.Kind() == reflect.Pointer && v.IsNil()) {
			text, ok := known.Identity()
			fmt.Fprintf(b, "%s %q", v.Type(), text)
			return ok
		}
	}
	switch v.Kind() {
	case reflect.Invalid:
		b.WriteString("nil")
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.String:
		fmt.Fprintf(b, "%#v", v)
	case reflect.Float32, reflect.Float64:
		fmt.Fprintf(b, "%x", v.Float())
	case reflect.Interface:
		if !v.IsNil() {
			b.WriteString(v.Elem().Type().String() + " ")
		}
		return b.add(v.Elem(), depth-1)
	case reflect.Pointer:
		return b.add(v.Elem(), depth-1)
	case reflect.Slice, reflect.Array:
		b.WriteByte('[')
		for i := range v.Len() {
			if !b.add(v.Index(i), depth-1) {
				return false
			}
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case reflect.Map:
		return b.addMap(v, depth)
	case reflect.Struct:
		return b.addStruct(v, depth)
	default:
		return false
	}
	return true
}

// addMap adds the entries in the order of their texts.
func (b *identity) addMap(v reflect.Value, depth int) bool {
	var entries []string
	for it := v.MapRange(); it.Next(); {
		entry := identity{revisions: b.revisions}
		if !entry.add(it.Key(), depth-1) {
			return false
		}
		entry.WriteByte(':')
		if !entry.add(it.Value(), depth-1) {
			return false
		}
		entries = append(entries, entry.String())
	}
	slices.Sort(entries)
	fmt.Fprintf(b, "map%q", entries)
	return true
}

func (b *identity) addStruct(v reflect.Value, depth int) bool {
	t := v.Type()
	fmt.Fprintf(b, "%s.%s{", t.PkgPath(), t.Name())
	for i := range t.NumField() {
		f := t.Field(i)
		if word := f.Tag.Get("key"); word == "-" || !counts(word, v.Field(i)) {
			continue
		}
		b.WriteString(f.Name + ":")
		if !b.add(v.Field(i), depth-1) {
			return false
		}
		b.WriteByte(',')
	}
	b.WriteByte('}')
	return true
}
