// Package settings holds what a user sets once for the tool and not in an experiment: none of it can change a result. It comes from
// flags, TENFOLD_* variables, tenfold.yaml in the working directory, or settings.yaml in the user's own settings, in that order. A
// tenfold.yaml may be a stranger's: what decides where shells run, and what is believed, counts only in a folder that the user allowed.
package settings

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"tenfold/io/fetch"
	"tenfold/io/files"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/reading"
)

// File is the name of a project's settings file, in the working directory; UserFile is that of the user's own, in the folder tenfold of
// the user's settings.
const (
	File     = "tenfold.yaml"
	UserFile = "settings.yaml"
)

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
	// Profile is the name of the cluster's profile; Profiles has what ProfilesFile says of each.
	Profile      string
	Profiles     map[string]strictyaml.Part
	ProfilesFile string
	// Mirrors lists folders and URL prefixes that have data files by their paths: downloads try them first, in order.
	Mirrors []string
	// Downloads are those of Data that downloads may go to: none that a project's file names outside of its folder without being allowed to.
	Downloads []string
	// LeftOut says what a project's file sets without being allowed to, and how to allow it; nil if there is nothing.
	LeftOut error
}

// defaults maps settings to their default values. A setting has the same name as a flag, as a key of tenfold.yaml and, in
// capitals after TENFOLD_, as a variable.
var defaults = map[string]any{
	"jobs": 0, "cache": "", "data": []string{}, "mirrors": []string{}, "memory": "", "executor": Local, "profile": "",
}

// profilesKey is the one setting that only files can have: a mapping of names.
const profilesKey = "profiles"

// trustedKeys are settings that a project's file can have only in a folder that the user has allowed: executor and profiles end in
// shells, and what lies in a cache is believed.
var trustedKeys = []string{"cache", "executor", profilesKey}

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
	l, err := readFiles(dir)
	if err != nil {
		return Settings{}, err
	}
	v, err := l.bind(flags)
	if err != nil {
		return Settings{}, err
	}
	s := Settings{
		Cache: v.GetString("cache"), Data: readList(v, "data"), Mirrors: readList(v, "mirrors"),
		Executor: v.GetString("executor"), Profile: v.GetString("profile"), ProfilesFile: l.origin(nil, profilesKey), LeftOut: l.leftOut(),
	}
	s.Profiles, _ = v.Get(profilesKey).(map[string]strictyaml.Part)
	wrong := func(key, expected string) error {
		return fmt.Errorf("setting %s (%s): found %q, expected %s", key, l.origin(flags, key), v.GetString(key), expected)
	}
	s.Jobs, err = strconv.Atoi(v.GetString("jobs"))
	if err != nil || s.Jobs < 0 {
		return Settings{}, wrong("jobs", "a number, 0 for all processors")
	}
	if text := v.GetString("memory"); text != "" {
		var size reading.Size
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
	s.Downloads = s.Data
	if !l.trusted && l.origin(flags, "data") == l.project.path {
		s.Downloads = slices.DeleteFunc(slices.Clone(s.Data), func(folder string) bool {
			relative, ok := files.Below(dir, folder)
			return !ok || fetch.Allowed(filepath.ToSlash(filepath.Join(relative, "x"))) != nil // a hidden folder, such as .git
		})
	}
	return s, nil
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
