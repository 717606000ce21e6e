package settings

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"
	"gopkg.in/yaml.v3"

	"tenfold/engines/suggest"
	"tenfold/io/files"
	"tenfold/io/strictyaml"
	"tenfold/runner/method/declaration"
)

// layers are the files with settings.
type layers struct {
	user, project file
	trusted       bool     // the user has allowed the project's folder
	left          []string // keys of the project's file that were left out
	allowed       string   // the file of the user's in which a line allows a folder
	folder        string   // of the project, as that line has it
}

// file is a file with settings.
type file struct {
	path   string
	values map[string]any // nil if there is no file
}

// readFiles reads the settings of the user, and those of the project in a folder, as far as they may count.
func readFiles(dir string) (l layers, err error) {
	l.project, err = readFile(filepath.Join(dir, File))
	if err != nil {
		return l, err
	}
	l.user.path = UserFile
	l.allowed, err = declaration.AllowedFile()
	if err == nil { // there is no home otherwise
		if l.user, err = readFile(filepath.Join(filepath.Dir(l.allowed), UserFile)); err != nil {
			return l, err
		}
	}
	if l.project.values == nil {
		return l, nil
	}
	if l.folder, err = filepath.Abs(dir); err == nil {
		l.folder, err = filepath.EvalSymlinks(l.folder)
	}
	if err != nil {
		return l, err
	}
	allowed, err := declaration.ReadAllowed(l.allowed)
	if err != nil {
		return l, err
	}
	if l.trusted = allowed.AllowsFolder(l.folder); !l.trusted {
		for _, key := range trustedKeys {
			if _, ok := l.project.values[key]; ok {
				l.left = append(l.left, key)
				delete(l.project.values, key)
			}
		}
	}
	return l, nil
}

// readFile reads a file with settings, which need not exist; keys are in lower case, as viper has them.
func readFile(path string) (file, error) {
	f := file{path: path}
	content, err := files.ReadRegular(path, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	} else if err != nil {
		return f, err
	}
	f.values = map[string]any{}
	if strictyaml.IsEmpty(content) {
		return f, nil
	}
	p := strictyaml.NewProblems(path, content, nil)
	root := p.Parse(content)
	if root == nil || root.Kind != yaml.MappingNode {
		if root != nil {
			p.Add(root, "expected a mapping such as jobs: 4, found %s", strictyaml.Describe(root))
		}
		return f, p.Err()
	}
	decoder := strictyaml.Decoder{Problems: &p}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, node := root.Content[i], root.Content[i+1]
		name := strings.ToLower(key.Value)
		keys := append(slices.Sorted(maps.Keys(defaults)), profilesKey)
		switch {
		case !slices.Contains(keys, name):
			p.Add(key, "unknown setting %q%s", key.Value, suggest.Choices(key.Value, keys))
		case node.Tag == "!!null":
		case name == profilesKey && node.Kind == yaml.MappingNode:
			f.values[name] = p.Parts(node)
		default:
			var value any
			if decoder.Decode(node, &value, strictyaml.Owner{Of: name}) {
				if err := kindError(name, value); err != nil {
					p.Add(node, "%s", err)
				}
			}
			f.values[name] = value
		}
	}
	return f, p.Err()
}

// bind binds every key to its sources. The delimiter occurs in no key, so that nothing is split; a default and a variable are bound key
// by key, since viper finds variables only for keys it knows.
func (l layers) bind(flags *pflag.FlagSet) (*viper.Viper, error) {
	v := viper.NewWithOptions(viper.KeyDelimiter("::"))
	for key, value := range defaults {
		v.SetDefault(key, value)
		if err := v.BindEnv(key, variableName(key)); err != nil {
			return nil, err
		}
		if flags == nil || flags.Lookup(key) == nil {
			continue
		}
		if err := v.BindPFlag(key, flags.Lookup(key)); err != nil {
			return nil, err
		}
	}
	merged := maps.Clone(l.user.values)
	if merged == nil {
		merged = map[string]any{}
	}
	maps.Copy(merged, l.project.values)
	return v, v.MergeConfigMap(merged)
}

// leftOut returns what says which keys of the project's file were left out; nil if none was.
func (l layers) leftOut() error {
	if len(l.left) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s left out: what runs, and what is believed, is not for a project to say. Settings of your own belong into %s; what a project says counts if %s has the line %s",
		l.project.path, strings.Join(l.left, ", "), l.user.path, l.allowed, l.folder)
}

// kindError returns the error of a value of the wrong kind in the file.
func kindError(key string, value any) error {
	list, isList := listSettings[key]
	isMapping := key == profilesKey
	found, good := fmt.Sprint(value), !isList && !isMapping
	switch value := value.(type) {
	case string:
		found, good = strconv.Quote(value), !isMapping
	case []string: // of a flag or a default
		good = true
	case map[string]any:
		found, good = "a mapping", false
	case []any:
		found, good = "a list", isList
		for _, element := range value {
			if _, ok := element.(string); isList && !ok {
				found, good = fmt.Sprint(element), false
				break
			}
		}
	}
	switch {
	case good:
		return nil
	case isMapping:
		return fmt.Errorf("setting %s: found %s, expected a mapping of names to profiles", key, found)
	}
	return fmt.Errorf("setting %s: found %s, expected %s", key, found, cmp.Or(list.names, "a value"))
}

func variableName(key string) string { return "TENFOLD_" + strings.ToUpper(key) }

// origin says where a setting came from.
func (l layers) origin(flags *pflag.FlagSet, key string) string {
	if flags != nil {
		if f := flags.Lookup(key); f != nil && f.Changed {
			return "--" + key
		}
	}
	if os.Getenv(variableName(key)) != "" {
		return variableName(key)
	}
	if _, ok := l.project.values[key]; ok {
		return l.project.path
	}
	return l.user.path
}
