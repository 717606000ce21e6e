// Package schema describes experiment files to editors and people: it makes their JSON Schema, and the list of keys for the reference,
// from the structs that files are decoded into, with their tags, defaults and checks. It reads no file. File.Schema and File.Reference
// are the places to begin; schematypes.go goes from Go's types to those of JSON.
package schema

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/io/files"
	"tenfold/io/source"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/grid"
	"tenfold/runner/folds"
	"tenfold/runner/imported"
	"tenfold/runner/tune"
)

// tuning is the key of the section tune.
const tuning = "tune"

// schemaAddress identifies the schema, by the address that the public store of schemas would give it.
const schemaAddress = "https://json.schemastore.org/tenfold.json"

// File describes the mappings of a file, each by a pointer to the struct that it is decoded into, with its defaults.
type File struct {
	Root, Dataset, Family, Algorithm, Part, Path, Defaults, Limits, RunLimits, Budget, Failures, Method, MethodFile any

	Where, Import any // values of these keys of an algorithm
	Version       int
	Name          *regexp.Regexp // matches names of files
	DatasetKeys   []string       // keys that every data set may have; all others are the format's
	Reactions     []string       // to cells that cannot be fitted
	Weightings    []string       // meanings of the weight of a row

	Engines     engines.Set
	Wrappers    engines.Wrappers
	Sections    []engines.Wrapper // wrappers whose keys may stand in an algorithm
	InParts     []engines.Wrapper // and in a part of one
	Formats     source.Set
	Others      any // pointer to a struct of sections that others own; nil for none
	MetricNames []string
	MetricName  *regexp.Regexp // matches names of metrics that a file may define
}

// Schema returns the JSON Schema of a file, for editors, with a final newline. It is draft-07, which the public store of
// schemas asks for, in keywords that mean the same in draft 2020-12. It accepts all that the decoder accepts, except texts written
// null without quotes. Only the decoder compares the parts of a file with each other, such as names with their definitions.
func (f File) Schema() ([]byte, error) {
	root := schemaOf(f.Root, false)
	root["$schema"], root["$id"] = "http://json-schema.org/draft-07/schema#", schemaAddress
	root["title"], root["description"] = "experiment of tenfold", "an experiment that compares feature selectors"
	root["$defs"] = schema{
		"dataset": f.datasetSchema(), "algorithm": f.algorithmSchema(), "part": f.partSchema(),
		"engine": f.engineSchema(), "metric": f.metricSchema(),
		"folds": schemaOf(&folds.Spec{}, false), "limits": schemaOf(f.Limits, false),
		"file": fileSchema(), "path": f.pathSchema(), "range": rangeSchema(), "distribution": distributionSchema(),
	}
	defs := root["$defs"].(schema)
	for _, w := range f.Sections {
		defs[w.Key()] = wrapperSchema(w)
	}
	for name, k := range f.Engines {
		defs["engine-"+name] = schemaOfKind(k)
		defs["with-engine-"+name] = f.algorithmWith(k, defs)
	}
	for name, k := range f.Formats {
		defs["format-"+name] = f.datasetWith(schemaOfKind(k), "#/$defs/format-"+name)
	}
	root.refine(f.sectionSchemas())
	root.refine(schema{
		"tenfold": schema{"const": f.Version}, "name": schema{"pattern": f.Name.String()},
		"datasets": listOf(ref("dataset")), "algorithms": listOf(ref("algorithm")), "folds": ref("folds"), "methods": listOf(f.methodSchema()),
		"defaults": f.inheritedSchema(), "limits": schemaOf(f.RunLimits, false), "failures": f.failuresSchema(), "budget": f.budgetSchema(),
	})
	root["allOf"] = []schema{{"if": schema{"required": []string{"methods"}}, "else": f.engineNames()}, f.metricNames()}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(root)
	return out.Bytes(), err
}

// refine adds keywords to properties of an object.
func (s schema) refine(keywords schema) {
	for name, more := range keywords {
		maps.Copy(s["properties"].(schema)[name].(schema), more.(schema))
	}
}

// closedObject returns an object with these properties and no others.
func closedObject(properties schema) schema {
	return schema{"type": "object", "properties": properties, "additionalProperties": false}
}

func listOf(s schema) schema { return schema{"type": "array", "minItems": 1, "items": s} }

// whenEquals applies a schema to the objects in which a key has a value.
func whenEquals(key, value string, then schema) schema {
	return schema{"if": schema{"properties": schema{key: schema{"const": value}}, "required": []string{key}}, "then": then}
}

// sectionSchemas returns the schemas of the sections that others own.
func (f File) sectionSchemas() schema {
	out := schema{}
	if f.Others == nil {
		return out
	}
	all := reflect.ValueOf(f.Others).Elem()
	for _, field := range strictyaml.Fields(all.Type()) {
		out[field.Name] = schemaOf(all.FieldByIndex(field.Index).Addr().Interface(), false)
	}
	return out
}

// metricSchema returns the schema of names of metrics. Names with a colon have a parameter, which only the metric can check; others may be
// defined in the file.
func (f File) metricSchema() schema {
	return anyOf(schema{"enum": f.MetricNames}, schema{"type": "string", "pattern": ":"}, schema{"type": "string", "pattern": f.MetricName.String()})
}

// metricNames returns the schema of a file that defines no metric: those that its tables show are of the program.
func (f File) metricNames() schema {
	list := func(entries schema) schema {
		return schema{"properties": schema{"metrics": entries}, "required": []string{"metrics"}}
	}
	named := anyOf(schema{"enum": f.MetricNames}, schema{"type": "string", "pattern": ":"})
	return schema{"if": list(schema{"type": "array", "items": schema{"type": "string"}}), "then": list(schema{"items": named})}
}

// inheritedSchema returns the schema of the section defaults: parameters that some engine has.
func (f File) inheritedSchema() schema {
	names := map[string]bool{}
	for _, k := range f.Engines {
		for name := range schemaOfKind(k)["properties"].(schema) {
			names[name] = true
		}
	}
	s := schemaOf(f.Defaults, false)
	s.refine(schema{
		"params": schema{"type": "object", "propertyNames": schema{"enum": slices.Sorted(maps.Keys(names))}}, "limits": ref("limits"),
	})
	return s
}

// datasetSchema returns the schema of an entry of datasets; the keys of each format are a definition of their own.
func (f File) datasetSchema() schema {
	s := schemaOf(f.Dataset, false)
	s.refine(schema{
		"format": documentedChoice(f.Formats.Names(), func(name string) string { return f.Formats[name].Doc }),
		"files":  schema{"additionalProperties": ref("file")}, "folds": ref("folds"), "grid": schema{"type": "object"},
		"weights":        schema{"enum": f.Weightings},
		"train_fraction": schema{"exclusiveMinimum": 0, "maximum": 1}, "similar": schema{"exclusiveMinimum": 0, "maximum": 1},
	})
	delete(s, "additionalProperties") // the format's own keys
	var each []schema
	for _, name := range f.Formats.Names() {
		each = append(each, whenEquals("format", name, ref("format-"+name)))
	}
	s["allOf"] = each
	return s
}

// datasetWith returns the schema of an entry of datasets with the options of one format, which are described at at.
func (f File) datasetWith(format schema, place string) schema {
	vary := format.pathsBelow(place)
	vary["train_fraction"] = "#/$defs/dataset/properties/train_fraction"
	for _, key := range f.DatasetKeys {
		format["properties"].(schema)[key] = true
	}
	format["properties"].(schema)["grid"] = gridSchema(vary)
	return format
}

// algorithmSchema returns the schema of an entry of algorithms: an engine, or two parts.
func (f File) algorithmSchema() schema {
	s := schemaOf(f.Algorithm, false)
	s.refine(refsBeside(f.Sections))
	s.refine(schema{"limits": ref("limits"), "path": ref("path"), "grid": schema{"type": "object"}, "import": f.importSchema(), "datasets": f.whereSchema()})
	ofParts, tuned := closedObject(zipSchema()), closedObject(tuningOptions())
	both := schema{"engine": false, "params": false}
	for _, w := range f.Sections {
		both[w.Key()] = false
	}
	both["grid"], both[tuning] = ofParts, tuned
	keys := f.Wrappers.Pair.Keys[:]
	var either []schema
	for i, key := range keys {
		part := ref("part")
		if i > 0 {
			part["not"] = schema{"required": []string{f.Wrappers.Joint.Kind.Name}}
		}
		s.refine(schema{key: part})
		either = append(either, schema{"required": []string{key}})
	}
	inPart := `^(` + strings.Join(keys, "|")
	ofParts["patternProperties"] = schema{inPart + `|tune)\.`: axisOf(schema{})}
	tuned["patternProperties"] = schema{inPart + `)\.`: tunedOver(schema{})}
	alone := schema{}
	for name := range s["properties"].(schema) {
		if name != "name" && name != "import" && name != "datasets" {
			alone[name] = false
		}
	}
	s["allOf"] = []schema{
		ref("engine"),
		{
			"if":   anyOf(either...),
			"then": schema{"required": keys, "properties": both},
			"else": anyOf(schema{"required": []string{"engine"}}, schema{"required": []string{"import"}}),
		},
		{"if": schema{"required": []string{"import"}}, "then": schema{"properties": alone}},
	}
	return s
}

// whereSchema returns the schema of the data sets that an algorithm runs on: a name, or a list.
func (f File) whereSchema() schema {
	s := schemaOf(f.Where, false)
	maps.Copy(s["anyOf"].([]schema)[1], schema{"minItems": 1, "uniqueItems": true})
	return s
}

// importSchema returns the schema of the files of predictions made elsewhere.
func (f File) importSchema() schema {
	s := schemaOf(f.Import, false)
	s.refine(schema{imported.Predictions: ref("file"), imported.Selections: ref("file")})
	return s
}

// refsBeside returns the schemas of the keys beside params. params and tune themselves depend on the engine.
func refsBeside(wrappers []engines.Wrapper) schema {
	out := schema{}
	for _, w := range wrappers {
		out[w.Key()] = ref(w.Key())
	}
	out["params"], out[tuning] = schema{"type": "object"}, schema{"type": "object"}
	return out
}

// wrapperSchema returns the schema of a wrapper's section of options, or of its two words.
func wrapperSchema(w engines.Wrapper) schema {
	if w.On != "" {
		return enumOf([]string{w.Off, w.On})
	}
	return schemaOfKind(w.Kind)
}

// partSchema returns the schema of a part of an algorithm, select or refit: of an engine, or of a list of parts that are joined.
func (f File) partSchema() schema {
	s := schemaOf(f.Part, false)
	s.refine(refsBeside(f.InParts))
	s["allOf"] = []schema{ref("engine")}
	joint := f.Wrappers.Joint.Kind
	properties := s["properties"].(schema)
	maps.Copy(properties, schemaOfKind(joint)["properties"].(schema))
	properties[joint.Name] = listOf(ref("part"))
	delete(s, "required")
	s["anyOf"] = []schema{{"required": []string{"engine"}}, {"required": []string{joint.Name}}}
	return s
}

// engineSchema returns the schema that an engine implies for the keys beside it, in an algorithm or in a part of one.
func (f File) engineSchema() schema {
	s := schema{"properties": schema{
		"engine": anyOf(documentedChoice(f.Engines.Names(), func(name string) string { return f.Engines[name].Doc }), schema{"type": "string"}),
	}}
	var each []schema
	for _, name := range f.Engines.Names() {
		each = append(each, whenEquals("engine", name, ref("with-engine-"+name)))
	}
	s["allOf"] = each
	return s
}

// engineNames returns the schema of a file without methods, whose engines are those of the program. A file with methods has others.
func (f File) engineNames() schema {
	named := schema{"properties": schema{"engine": schema{"enum": f.Engines.Names()}}}
	parts := schema{"engine": named["properties"].(schema)["engine"]}
	for _, key := range f.Wrappers.Pair.Keys {
		parts[key] = named
	}
	return schema{"properties": schema{"algorithms": schema{"items": schema{"properties": parts}}}}
}

// methodSchema returns the schema of an entry of methods: a declaration, or the file that has one.
func (f File) methodSchema() schema {
	return anyOf(schemaOf(f.MethodFile, false), schemaOf(f.Method, false))
}

// algorithmWith returns the schema of the keys beside an engine. Its parameters and sections are added to defs.
func (f File) algorithmWith(k engines.Kind, defs schema) schema {
	beside := schema{"params": ref("engine-" + k.Name)}
	vary := defs["engine-"+k.Name].(schema).pathsBelow("#/$defs/engine-" + k.Name)
	section := func(w engines.Wrapper) {
		key, place := w.Key(), "#/$defs/"+w.Key()
		if !w.Section() {
			vary[key] = place
		}
		for path, below := range defs[key].(schema).pathsBelow(place) {
			vary[key+"."+path] = below
		}
	}
	for _, w := range f.Wrappers.Around {
		if w.Takes(k.Defaults()) {
			section(w)
		} else {
			beside[w.Key()] = false
		}
	}
	tuned := tuningOptions()
	for path, place := range vary {
		tuned[path] = tunedOver(schema{"$ref": place})
		if option, both := tuningOptions()[path]; both {
			tuned[tune.EnginePrefix+path] = tuned[path]
			tuned[path] = anyOf(option.(schema), tuned[path].(schema))
		}
	}
	beside[tuning] = closedObject(tuned)
	section(tune.Wrapper)
	beside["grid"] = gridSchema(vary)
	with := f.pathOf(k)
	with["properties"] = beside
	return with
}

// pathOf returns the schema of the key path beside an engine: by the engine's own sizes, or by those of a wrapper that has some.
func (f File) pathOf(k engines.Kind) schema {
	only := func(path any) schema { return schema{"properties": schema{"path": path}} }
	weights, otherwise := only(schema{"properties": schema{"refit": schema{"const": true}}}), schema{}
	switch sizes := k.Defaults().Needs().Sizes; {
	case sizes.Limit == "":
		otherwise = only(false)
	case sizes.Refit == "":
		otherwise = weights
	}
	sized := []schema{{"not": schema{}}}
	for _, w := range f.Wrappers.Around {
		if w.Limit != "" && w.Takes(k.Defaults()) {
			sized = append(sized, schema{"required": []string{w.Key()}})
		}
	}
	return schema{"if": anyOf(sized...), "then": weights, "else": otherwise}
}

// gridSchema returns the schema of a grid over these paths, each with the place where its value is described.
func gridSchema(vary map[string]string) schema {
	properties := zipSchema()
	for path, place := range vary {
		properties[path] = axisOf(schema{"$ref": place})
	}
	s := closedObject(properties)
	s["minProperties"] = 1
	return s
}

// zipSchema returns the properties of a grid besides its axes.
func zipSchema() schema {
	points := func(doc string) schema {
		return schema{"type": "array", "items": schema{"type": "object", "minProperties": 1}, "description": doc}
	}
	return schema{
		"zip": schema{"type": "array", "items": schema{"type": "array", "items": schema{"type": "string"}},
			"description": "groups of parameters that move together"},
		"include": points("points that are added"), "exclude": points("points, or parts of them, that are left out"),
	}
}

// axisOf returns the schema of an axis: a list of values, or a range of numbers.
func axisOf(value schema) schema { return anyOf(listOf(value), ref("range")) }

// tunedOver returns the schema of a tuned parameter: an axis, what its values are drawn from, or the word for the engine's own path of
// values.
func tunedOver(value schema) schema {
	among := closedObject(schema{grid.OneOf: listOf(value)})
	among["required"] = []string{grid.OneOf}
	return anyOf(listOf(value), ref("range"), ref("distribution"), among, schema{"const": tune.AlongPath})
}

// tuningOptions returns the schemas of the keys of tune that are not parameters of the engine.
func tuningOptions() schema {
	out := schema{}
	for path, place := range schemaOfKind(tune.Kind).pathsBelow("#/$defs/" + tuning) {
		out[path] = schema{"$ref": place}
	}
	return out
}

func rangeSchema() schema {
	ends := func(doc string, number schema) schema {
		return schema{"type": "array", "items": number, "minItems": 3, "maxItems": 3, "description": doc}
	}
	s := closedObject(schema{
		"log":    ends("[from, to, count]: count values with equal ratios", schema{"type": "number", "exclusiveMinimum": 0}),
		"linear": ends("[from, to, count]: count values with equal differences", schema{"type": "number"}),
	})
	s["minProperties"], s["maxProperties"] = 1, 1
	return s
}

// distributionSchema returns the schema of a range that values are drawn from.
func distributionSchema() schema {
	properties := schema{}
	for _, d := range grid.Distributions() {
		number := schema{"type": "number"}
		if d.Whole() {
			number["type"] = "integer"
		}
		if d.Logarithmic() {
			number["exclusiveMinimum"] = 0
		}
		properties[string(d)] = schema{"type": "array", "items": number, "minItems": 2, "maxItems": 2, "description": "[low, high]: " + d.Doc()}
	}
	s := closedObject(properties)
	s["minProperties"], s["maxProperties"] = 1, 1
	return s
}

func fileSchema() schema {
	s := schemaOf(&files.Ref{}, false) // a path, or a mapping
	mapping := s["anyOf"].([]schema)[1]
	mapping["required"] = []string{"path"}
	mapping.refine(schema{"sha256": schema{"pattern": "^([0-9a-fA-F]{64})?$"}})
	return s
}

func (f File) failuresSchema() schema {
	s := schemaOf(f.Failures, false)
	s.refine(schema{"retries": schema{"minimum": 0}, "unsuitable": schema{"enum": f.Reactions}, "unavailable": schema{"enum": f.Reactions}})
	return s
}

func (f File) budgetSchema() schema {
	s := schemaOf(f.Budget, false)
	s.refine(schema{"tuned": schema{"minimum": 1}})
	return s
}

func (f File) pathSchema() schema {
	s := schemaOf(f.Path, false)
	s.refine(schema{"at": schema{
		"minItems": 1, "uniqueItems": true, "items": schema{"type": "integer", "minimum": 1, "maximum": math.MaxInt32},
	}})
	return s
}

// documentedChoice returns the schema of a choice of names, each with its documentation.
func documentedChoice(names []string, doc func(name string) string) schema {
	var each []schema
	for _, name := range slices.Sorted(slices.Values(names)) {
		each = append(each, schema{"const": name, "description": doc(name)})
	}
	return schema{"oneOf": each}
}
