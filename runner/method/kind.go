package method

import (
	"fmt"
	"reflect"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/registry"
	"tenfold/runner/method/declaration"
)

// needs returns the requirements of the method's fits.
func needs(d *declaration.Declaration) engines.Needs {
	n := engines.Needs{Target: data.Any, Survival: d.TakesTimes(), Binary: d.Binary, Counts: d.Counts, Tasks: d.Tasks, Watch: d.Transductive}
	if len(d.Target) == 1 {
		n.Target = map[string]data.Type{declaration.TypeReal: data.Real, declaration.TypeClass: data.Class, declaration.TypeSurvival: data.Survival}[d.Target[0]]
		n.Survival = false
	}
	if d.Limit != "" {
		n.Sizes = engines.Sizes{Limit: d.Limit, Ranked: true}
	}
	return n
}

// Describe returns the declaration as a kind of engine that nobody fits.
func Describe(d *declaration.Declaration) engines.Kind { return (*Host)(nil).Kind(d) }

// Kind returns the declaration as a kind of engine, whose processes the host runs; it may still be empty when the kind is made.
func (h *Host) Kind(d *declaration.Declaration) engines.Kind {
	fields := parameterStruct(d)
	defaults := reflect.New(fields).Elem()
	for i, p := range d.Params {
		defaults.Field(i).Set(reflect.ValueOf(p.Default))
	}
	doc := d.Doc
	if doc == "" {
		doc = "the program " + strings.Join(d.Command, " ")
	}
	fresh := func() any {
		p := reflect.New(fields)
		p.Elem().Set(defaults)
		return p.Interface()
	}
	return registry.Made(engines.Kind{Name: d.Name, Doc: doc, Cite: d.Cite, Rev: declaration.Protocol}, fresh, func(ptr any) engines.Engine {
		return Engine{Params: reflect.ValueOf(ptr).Elem().Interface(), declaration: d, host: h}
	})
}

// parameterStruct returns a struct type with the parameters as fields.
func parameterStruct(d *declaration.Declaration) reflect.Type {
	fields := make([]reflect.StructField, len(d.Params))
	for i, p := range d.Params {
		fields[i] = reflect.StructField{
			Name: fmt.Sprintf("P%d", i), Type: reflect.TypeOf(p.Default),
			Tag: reflect.StructTag(fmt.Sprintf("yaml:%q doc:%q", p.Name, "parameter of the method")),
		}
	}
	return reflect.StructOf(fields)
}
