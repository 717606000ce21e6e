// Package settings holds what a user sets once for the tool and not in an experiment: none of it can change a result. It
// comes from flags, TENFOLD_* variables or tenfold.yaml in the working directory, in that order.
package settings

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"tenfold/engines/suggest"
	"tenfold/io/files"
	"tenfold/runner/spec"
)

// File is the name of the settings file in the working directory.
const File = "tenfold.yaml"

// Executors: where fits run.
const (
	Local = "local" // here
	Slurm = "slurm" // on a cluster, by its sbatch
)

// Settings holds the settings of the tool.
type Settings struct {
	Jobs     int      // units of work at a time, at least 1; default: the number of processors
	Cache    string   // folder of compiled data and stored results; default: tenfold below the user's cache folder
	Data     []string // folders where data files are looked up, in order
	Memory   int64    // bytes that fits may take together; 0: what the system says is available
	Executor string   // where fits run: Local or Slurm
	// Profile is the name of the cluster's profile; Profiles has what tenfold.yaml says of each.
	Profile  string
	Profiles map[string]any
	// Mirrors lists folders and URL prefixes that have data files by their paths: downloads try them first, in order.
	Mirrors []string
}

// defaults maps settings to their default values. A setting has the same name as a flag, as a key of tenfold.yaml and, in
// capitals after TENFOLD_, as a variable.
var defaults = map[string]any{
	"jobs": 0, "cache": "", "data": []string{}, "mirrors": []string{}, "memory": "", "executor": Local, "profile": "",
}

// profilesKey is the one setting that only tenfold.yaml can have: a mapping of names.
const profilesKey = "profiles"

var listSettings = map[string]listFormat{
	"data":    {names: "names of folders", split: filepath.SplitList, splitElement: filepath.SplitList},
	"mirrors": {names: "folders or addresses", split: strings.Fields, splitElement: func(name string) []string { return []string{name} }},
}

// listFormat says how a list is written: addresses contain the character that separates folders.
type listFormat struct {
	names        string
	split        func(string) []string // splits the text of a variable
	splitElement func(string) []string // splits a flag, or an element of a list in the file
}

// Load reads the settings; dir is the folder of tenfold.yaml. Flags that do not exist or were not given are ignored.
// Errors name the setting, where it came from and what was expected.
func Load(flags *pflag.FlagSet, dir string) (Settings, error) {
	v, err := openViper(flags, filepath.Join(dir, File))
	if err != nil {
		return Settings{}, err
	}
	s := Settings{
		Cache: v.GetString("cache"), Data: readList(v, "data"), Mirrors: readList(v, "mirrors"),
		Executor: v.GetString("executor"), Profile: v.GetString("profile"), Profiles: v.GetStringMap(profilesKey),
	}
	wrong := func(key, expected string) error {
		return fmt.Errorf("setting %s (%s): found %q, expected %s", key, settingOrigin(v, flags, key), v.GetString(key), expected)
	}
	s.Jobs, err = strconv.Atoi(v.GetString("jobs"))
	if err != nil || s.Jobs < 0 {
		return Settings{}, wrong("jobs", "a number, 0 for all processors")
	}
	if text := v.GetString("memory"); text != "" {
		var size spec.Size
		if err := size.UnmarshalText([]byte(text)); err != nil || size <= 0 {
			return Settings{}, wrong("memory", "a size such as 8GiB or 500MB")
		}
		s.Memory = int64(size)
	}
	if s.Executor != Local && s.Executor != Slurm {
		return Settings{}, wrong("executor", Local+" or "+Slurm)
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

// openViper binds every key to its sources. Its delimiter occurs in no key, so that nothing is split; a default and a
// variable are bound key by key, since viper finds variables only for keys it knows.
func openViper(flags *pflag.FlagSet, path string) (*viper.Viper, error) {
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
	content, err := files.ReadRegular(path, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return v, nil
	} else if err != nil {
		return nil, err
	}
	file, err := spec.ReadMapping(path, content)
	if err != nil {
		return nil, err
	}
	v.SetConfigFile(path)
	if err := v.ReadInConfig(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return v, file.Each(func(key string) (bool, error) {
		name := strings.ToLower(key) // viper's names
		if keys := append(slices.Sorted(maps.Keys(defaults)), profilesKey); !slices.Contains(keys, name) {
			return false, fmt.Errorf("unknown setting %q%s", key, suggest.Choices(key, keys))
		}
		return true, kindError(name, v.Get(name))
	})
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
		found, good = "a mapping", isMapping
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

// settingOrigin says where a setting came from.
func settingOrigin(v *viper.Viper, flags *pflag.FlagSet, key string) string {
	if flags != nil {
		if f := flags.Lookup(key); f != nil && f.Changed {
			return "--" + key
		}
	}
	if os.Getenv(variableName(key)) != "" {
		return variableName(key)
	}
	return v.ConfigFileUsed()
}

func readList(v *viper.Viper, key string) []string {
	var out []string
	switch value := v.Get(key).(type) {
	case string:
		out = listSettings[key].split(value)
	case []string:
		for _, text := range value {
			out = append(out, listSettings[key].splitElement(text)...)
		}
	case []any:
		for _, text := range value {
			out = append(out, listSettings[key].splitElement(fmt.Sprint(text))...)
		}
	}
	return slices.DeleteFunc(out, func(name string) bool { return name == "" })
}
