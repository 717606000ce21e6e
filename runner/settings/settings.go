// Package settings holds what a user sets once for the tool rather than in an experiment: none of it can change a
// result. It comes from flags, TENFOLD_* variables or tenfold.yaml in the working directory, in that order.
package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"tenfold/engines/kind"
	"tenfold/io/files"
)

// File is the name of the settings file, looked for in the working directory.
const File = "tenfold.yaml"

// Settings of the tool.
type Settings struct {
	Jobs  int      // units of work at a time, at least 1; default: the processors there are
	Cache string   // folder of compiled data and stored results; default: tenfold below the user's cache folder
	Data  []string // folders where data files are looked up, in order
	// Mirrors are folders, and beginnings of URLs, that have data files by their paths: downloads try them first, in order.
	Mirrors []string
}

// keys are the settings, which have the same name as a flag, as a key of tenfold.yaml and, in capitals after TENFOLD_,
// as a variable.
var keys = []string{"jobs", "cache", "data", "mirrors"}

// lists are the settings that are lists.
var lists = map[string]listing{
	"data":    {names: "names of folders", text: filepath.SplitList, element: filepath.SplitList},
	"mirrors": {names: "folders or addresses", text: strings.Fields, element: func(name string) []string { return []string{name} }},
}

// listing says how a list is written: addresses have the sign in them that separates folders.
type listing struct {
	names   string
	text    func(string) []string // takes the text of a variable apart
	element func(string) []string // and that of a flag, or of an element of a list in the file
}

// Load reads the settings; dir is the folder of tenfold.yaml. Flags that do not exist or were not given are passed over.
// Errors name the setting, where it came from and what was expected.
func Load(flags *pflag.FlagSet, dir string) (Settings, error) {
	v, err := open(flags, filepath.Join(dir, File))
	if err != nil {
		return Settings{}, err
	}
	s := Settings{Cache: v.GetString("cache"), Data: list(v, "data"), Mirrors: list(v, "mirrors")}
	wrong := func(key, expected string) error {
		return fmt.Errorf("setting %s (%s): found %q, expected %s", key, origin(v, flags, key), v.GetString(key), expected)
	}
	s.Jobs, err = strconv.Atoi(v.GetString("jobs"))
	if err != nil || s.Jobs < 0 {
		return Settings{}, wrong("jobs", "a number, 0 for all processors")
	}
	if s.Jobs == 0 {
		s.Jobs = runtime.GOMAXPROCS(0)
	}
	if s.Cache == "" {
		if s.Cache, err = files.DefaultCache(); err != nil {
			return Settings{}, fmt.Errorf("no cache folder: %w; set TENFOLD_CACHE", err)
		}
	}
	return s, nil
}

// open binds every key to its sources. The instance is our own and its delimiter occurs in no key, so that nothing is
// split; a default and a variable are bound key by key, since viper finds variables only for keys it knows.
func open(flags *pflag.FlagSet, path string) (*viper.Viper, error) {
	v := viper.NewWithOptions(viper.KeyDelimiter("::"))
	for key, value := range map[string]any{"jobs": 0, "cache": "", "data": []string{}, "mirrors": []string{}} {
		v.SetDefault(key, value)
	}
	for _, key := range keys {
		if err := v.BindEnv(key, variable(key)); err != nil {
			return nil, err
		}
		if flags == nil || flags.Lookup(key) == nil {
			continue
		}
		if err := v.BindPFlag(key, flags.Lookup(key)); err != nil {
			return nil, err
		}
	}
	v.SetConfigFile(path)
	if err := v.ReadInConfig(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	names := v.AllKeys()
	slices.Sort(names)
	for _, name := range names {
		if name, _, _ = strings.Cut(name, "::"); !slices.Contains(keys, name) {
			return nil, fmt.Errorf("%s: unknown setting %q%s (have %s)", path, name, kind.DidYouMean(name, keys), strings.Join(keys, ", "))
		}
	}
	for _, key := range keys {
		switch value := v.Get(key).(type) {
		case map[string]any:
			return nil, fmt.Errorf("%s: setting %s: found a mapping, expected a value", path, key)
		case []any:
			l, ok := lists[key]
			if !ok {
				return nil, fmt.Errorf("%s: setting %s: found a list, expected a value", path, key)
			}
			for _, name := range value {
				if _, ok := name.(string); !ok {
					return nil, fmt.Errorf("%s: setting %s: found %v, expected %s", path, key, name, l.names)
				}
			}
		}
	}
	return v, nil
}

func variable(key string) string { return "TENFOLD_" + strings.ToUpper(key) }

// origin says where a setting came from.
func origin(v *viper.Viper, flags *pflag.FlagSet, key string) string {
	if flags != nil {
		if f := flags.Lookup(key); f != nil && f.Changed {
			return "--" + key
		}
	}
	if os.Getenv(variable(key)) != "" {
		return variable(key)
	}
	return v.ConfigFileUsed()
}

// list reads a setting that is one.
func list(v *viper.Viper, key string) []string {
	var out []string
	switch value := v.Get(key).(type) {
	case string:
		out = lists[key].text(value)
	case []string:
		for _, text := range value {
			out = append(out, lists[key].element(text)...)
		}
	case []any:
		for _, text := range value {
			out = append(out, lists[key].element(fmt.Sprint(text))...)
		}
	}
	return slices.DeleteFunc(out, func(name string) bool { return name == "" })
}
