package experiment

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/io/files"
	"tenfold/io/strictyaml"
	"tenfold/runner/folds"
	"tenfold/runner/imported"
	"tenfold/runner/method/declaration"
	"tenfold/runner/tune"
)

// schemaAddress identifies the schema, by the address that the public store of schemas would give it.
const schemaAddress = "https://json.schemastore.org/tenfold.json"

// Schema returns the JSON Schema of experiment files, for editors, with a final newline. It is draft-07, which the public store of
// schemas asks for, in keywords that mean the same in draft 2020-12. It is made from the types that files are decoded into
// (schematypes.go). It accepts all that Parse accepts, except texts written null without quotes. Only Parse compares the parts of a
// file with each other, such as names with their definitions.
func Schema(o Options) ([]byte, error) {
	root := schemaOf(&outline{}, false)
	root["$schema"], root["$id"] = "http://json-schema.org/draft-07/schema#", schemaAddress
	root["title"], root["description"] = "experiment of tenfold", "an experiment that compares feature selectors"
	root["$defs"] = schema{
		"dataset": o.datasetSchema(), "algorithm": o.algorithmSchema(), "part": o.partSchema(),
		"engine": o.engineSchema(), "metric": o.metricSchema(),
		"folds": schemaOf(&folds.Spec{}, false), "limits": schemaOf(&limitsEntry{}, false),
		"file": fileSchema(), "path": pathSchema(), "range": rangeSchema(),
	}
	defs := root["$defs"].(schema)
	for _, w := range wrapperList(o.Wrappers).sections() {
		defs[w.Key()] = wrapperSchema(w)
	}
	for name, k := range o.Engines {
		defs["engine-"+name] = schemaOfKind(k)
		defs["with-engine-"+name] = o.algorithmWith(k, defs)
	}
	for name, k := range o.Formats {
		defs["format-"+name] = datasetWith(schemaOfKind(k), "#/$defs/format-"+name)
	}
	root.refine(o.sectionSchemas())
	root.refine(schema{
		"tenfold": schema{"const": Version}, "name": schema{"pattern": fileName.String()},
		"datasets": listOf(ref("dataset")), "algorithms": listOf(ref("algorithm")), "folds": ref("folds"), "methods": listOf(methodSchema()),
		"defaults": o.inheritedSchema(), "limits": ref("limits"), "failures": failuresSchema(), "budget": budgetSchema(),
	})
	root["if"], root["else"] = schema{"required": []string{"methods"}}, o.engineNames()
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
func (o Options) sectionSchemas() schema {
	out := schema{}
	if o.Sections == nil {
		return out
	}
	all := reflect.ValueOf(o.Sections).Elem()
	for _, f := range strictyaml.Fields(all.Type()) {
		out[f.Name] = schemaOf(all.FieldByIndex(f.Index).Addr().Interface(), false)
	}
	return out
}

// metricSchema returns the schema of names of metrics. Names with a colon have a parameter, which only the metric can check.
func (o Options) metricSchema() schema {
	return anyOf(schema{"enum": o.MetricNames}, schema{"type": "string", "pattern": ":"})
}

// inheritedSchema returns the schema of the section defaults: parameters that some engine has.
func (o Options) inheritedSchema() schema {
	names := map[string]bool{}
	for _, k := range o.Engines {
		for name := range schemaOfKind(k)["properties"].(schema) {
			names[name] = true
		}
	}
	s := schemaOf(&inherited{}, false)
	s.refine(schema{
		"params": schema{"type": "object", "propertyNames": schema{"enum": slices.Sorted(maps.Keys(names))}}, "limits": ref("limits"),
	})
	return s
}

// datasetSchema returns the schema of an entry of datasets; the keys of each format are a definition of their own.
func (o Options) datasetSchema() schema {
	s := schemaOf(&datasetEntry{TrainFraction: 1}, false)
	s.refine(schema{
		"format": documentedChoice(o.Formats.Names(), func(name string) string { return o.Formats[name].Doc }),
		"files":  schema{"additionalProperties": ref("file")}, "folds": ref("folds"), "grid": schema{"type": "object"},
		"train_fraction": schema{"exclusiveMinimum": 0, "maximum": 1}, "similar": schema{"exclusiveMinimum": 0, "maximum": 1},
	})
	delete(s, "additionalProperties") // the format's own keys
	var each []schema
	for _, name := range o.Formats.Names() {
		each = append(each, whenEquals("format", name, ref("format-"+name)))
	}
	s["allOf"] = each
	return s
}

// datasetWith returns the schema of an entry of datasets with the options of one format, which are described at at.
func datasetWith(format schema, at string) schema {
	vary := format.pathsBelow(at)
	vary["train_fraction"] = "#/$defs/dataset/properties/train_fraction"
	for _, key := range commonKeys {
		format["properties"].(schema)[key] = true
	}
	format["properties"].(schema)["grid"] = gridSchema(vary)
	return format
}

// algorithmSchema returns the schema of an entry of algorithms: an engine, or two parts.
func (o Options) algorithmSchema() schema {
	l := wrapperList(o.Wrappers)
	s := schemaOf(entryWith[algorithmEntry](l.ofAlgorithm()), false)
	s.refine(refsBeside(l.sections()))
	s.refine(schema{"limits": ref("limits"), "path": ref("path"), "grid": schema{"type": "object"}, "import": importSchema(), "datasets": whereSchema()})
	ofParts, tuned := closedObject(zipSchema()), closedObject(tuningOptions())
	both := schema{"engine": false, "params": false}
	for _, w := range l.sections() {
		both[w.Key()] = false
	}
	both["grid"], both[tuning] = ofParts, tuned
	keys := l.Pair.Keys[:]
	var either []schema
	for _, key := range keys {
		s.refine(schema{key: ref("part")})
		either = append(either, schema{"required": []string{key}})
	}
	of := `^(` + strings.Join(keys, "|")
	ofParts["patternProperties"] = schema{of + `|tune)\.`: axisOf(schema{})}
	tuned["patternProperties"] = schema{of + `)\.`: tunedOver(schema{})}
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
func whereSchema() schema {
	s := schemaOf(new(Where), false)
	maps.Copy(s["anyOf"].([]schema)[1], schema{"minItems": 1, "uniqueItems": true})
	return s
}

// importSchema returns the schema of the files of predictions made elsewhere.
func importSchema() schema {
	s := schemaOf(&imported.Files{}, false)
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

// partSchema returns the schema of a part of an algorithm, select or refit.
func (o Options) partSchema() schema {
	l := wrapperList(o.Wrappers)
	s := schemaOf(entryWith[partEntry](keysOf(l.ofPart())), false)
	s.refine(refsBeside(l.ofPart()))
	s["allOf"] = []schema{ref("engine")}
	return s
}

// engineSchema returns the schema that an engine implies for the keys beside it, in an algorithm or in a part of one.
func (o Options) engineSchema() schema {
	s := schema{"properties": schema{
		"engine": anyOf(documentedChoice(o.Engines.Names(), func(name string) string { return o.Engines[name].Doc }), schema{"type": "string"}),
	}}
	var each []schema
	for _, name := range o.Engines.Names() {
		each = append(each, whenEquals("engine", name, ref("with-engine-"+name)))
	}
	s["allOf"] = each
	return s
}

// engineNames returns the schema of a file without methods, whose engines are those of the program. A file with methods has others.
func (o Options) engineNames() schema {
	named := schema{"properties": schema{"engine": schema{"enum": o.Engines.Names()}}}
	parts := schema{"engine": named["properties"].(schema)["engine"]}
	for _, key := range wrapperList(o.Wrappers).Pair.Keys {
		parts[key] = named
	}
	return schema{"properties": schema{"algorithms": schema{"items": schema{"properties": parts}}}}
}

// methodSchema returns the schema of an entry of methods: a declaration, or the file that has one.
func methodSchema() schema {
	return anyOf(schemaOf(&methodFile{}, false), schemaOf(&methodEntry{Declaration: declaration.Defaults()}, false))
}

// algorithmWith returns the schema of the keys beside an engine. Its parameters and sections are added to defs.
func (o Options) algorithmWith(k engines.Kind, defs schema) schema {
	beside := schema{"params": ref("engine-" + k.Name)}
	vary := defs["engine-"+k.Name].(schema).pathsBelow("#/$defs/engine-" + k.Name)
	section := func(w engines.Wrapper) {
		key, at := w.Key(), "#/$defs/"+w.Key()
		if w.On != "" {
			vary[key] = at
		}
		for path, below := range defs[key].(schema).pathsBelow(at) {
			vary[key+"."+path] = below
		}
	}
	for _, w := range o.Wrappers.Around {
		if w.Takes(k.Defaults()) {
			section(w)
		} else {
			beside[w.Key()] = false
		}
	}
	tuned := tuningOptions()
	for path, at := range vary {
		tuned[path] = tunedOver(schema{"$ref": at})
		if option, both := tuningOptions()[path]; both {
			tuned[ofEngine+path] = tuned[path]
			tuned[path] = anyOf(option.(schema), tuned[path].(schema))
		}
	}
	beside[tuning] = closedObject(tuned)
	section(tune.Wrapper)
	beside["grid"] = gridSchema(vary)
	with := o.pathOf(k)
	with["properties"] = beside
	return with
}

// pathOf returns the schema of the key path beside an engine: by the engine's own sizes, or by those of a wrapper that has some.
func (o Options) pathOf(k engines.Kind) schema {
	only := func(path any) schema { return schema{"properties": schema{"path": path}} }
	weights, own := only(schema{"properties": schema{"refit": schema{"const": true}}}), schema{}
	switch sizes := k.Defaults().Needs().Sizes; {
	case sizes.Limit == "":
		own = only(false)
	case sizes.Refit == "":
		own = weights
	}
	sized := []schema{{"not": schema{}}}
	for _, w := range o.Wrappers.Around {
		if w.Limit != "" && w.Takes(k.Defaults()) {
			sized = append(sized, schema{"required": []string{w.Key()}})
		}
	}
	return schema{"if": anyOf(sized...), "then": weights, "else": own}
}

// gridSchema returns the schema of a grid over these paths, each with the place where its value is described.
func gridSchema(vary map[string]string) schema {
	properties := zipSchema()
	for path, at := range vary {
		properties[path] = axisOf(schema{"$ref": at})
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

// tunedOver returns the schema of a tuned parameter: an axis, or the word for the engine's own path of values.
func tunedOver(value schema) schema {
	return anyOf(listOf(value), ref("range"), schema{"const": alongPath})
}

// tuningOptions returns the schemas of the keys of tune that are not parameters of the engine.
func tuningOptions() schema {
	out := schema{}
	for path, at := range schemaOfKind(tune.Kind).pathsBelow("#/$defs/" + tuning) {
		out[path] = schema{"$ref": at}
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

func fileSchema() schema {
	s := schemaOf(&files.Ref{}, false) // a path, or a mapping
	mapping := s["anyOf"].([]schema)[1]
	mapping["required"] = []string{"path"}
	mapping.refine(schema{"sha256": schema{"pattern": "^([0-9a-fA-F]{64})?$"}})
	return s
}

func failuresSchema() schema {
	s := schemaOf(&Failures{}, false)
	s.refine(schema{"retries": schema{"minimum": 0}, "unsuitable": schema{"enum": []string{Refuse, Skip}}, "unavailable": schema{"enum": []string{Refuse, Skip}}})
	return s
}

func budgetSchema() schema {
	s := schemaOf(&Budget{}, false)
	s.refine(schema{"tuned": schema{"minimum": 1}})
	return s
}

func pathSchema() schema {
	s := schemaOf(&pathEntry{}, false)
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
