package settings

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func flags(t *testing.T, args ...string) *pflag.FlagSet {
	t.Helper()
	f := pflag.NewFlagSet("test", pflag.ContinueOnError)
	f.Int("jobs", 0, "")
	f.String("cache", "", "")
	f.StringArray("data", nil, "")
	f.StringArray("mirrors", nil, "")
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	return f
}

// ownFolder makes a folder of the user's own settings.
func ownFolder(t testing.TB) string {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	folder, err := os.UserConfigDir()
	if err == nil {
		folder = filepath.Join(folder, "tenfold")
		err = os.MkdirAll(folder, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// profile is what a profile of a test may say.
type profile struct {
	Partition string   `yaml:"partition"`
	Flags     []string `yaml:"flags"`
	Time      string   `yaml:"time"`
}

func (profile) Validate() error { return nil }

// TestLoad: what is set where, and what of it counts. A stranger's file decides neither what shells run nor what is believed nor where
// downloads go.
func TestLoad(t *testing.T) {
	sep := string(os.PathListSeparator)
	for _, c := range []struct {
		name, file string
		user       string // the user's own file
		stranger   bool   // the user has not allowed the folder
		env        map[string]string
		args       []string
		want       Settings
		profiles   map[string]profile
		left       string // keys of the project's file that do not count
		err        string
	}{
		{name: "file", file: "jobs: 3\ncache: /c\ndata: [a, b]\n", want: Settings{Jobs: 3, Cache: "/c", Data: []string{"a", "b"}}},
		{name: "keys in capitals", file: "Jobs: 3\ncache: /c\n", want: Settings{Jobs: 3, Cache: "/c"}},
		{name: "one folder", file: "jobs: 1\ncache: /c\ndata: Some.Dir\n", want: Settings{Jobs: 1, Cache: "/c", Data: []string{"Some.Dir"}}},
		{name: "variable before file", file: "jobs: 3\ncache: /c\ndata: [a]\n", env: map[string]string{"TENFOLD_JOBS": "4", "TENFOLD_DATA": "x" + sep + "y"},
			want: Settings{Jobs: 4, Cache: "/c", Data: []string{"x", "y"}}},
		{name: "flag before variable", file: "jobs: 3\ncache: /c\n", env: map[string]string{"TENFOLD_JOBS": "4", "TENFOLD_DATA": "x"},
			args: []string{"--jobs", "5", "--data", "p,q", "--data", "r"}, want: Settings{Jobs: 5, Cache: "/c", Data: []string{"p,q", "r"}}},
		{name: "mirrors", file: "jobs: 1\ncache: /c\nmirrors: [/a b, \"https://m.example.org/x\"]\n", want: Settings{Jobs: 1, Cache: "/c", Mirrors: []string{"/a b", "https://m.example.org/x"}}},
		{name: "mirrors of a variable", file: "jobs: 1\ncache: /c\nmirrors: /a\n", env: map[string]string{"TENFOLD_MIRRORS": "/a:b  https://m.example.org"},
			want: Settings{Jobs: 1, Cache: "/c", Mirrors: []string{"/a:b", "https://m.example.org"}}},
		{name: "mirrors of flags", file: "jobs: 1\ncache: /c\n", args: []string{"--mirrors", "/a b", "--mirrors", "/c"}, want: Settings{Jobs: 1, Cache: "/c", Mirrors: []string{"/a b", "/c"}}},
		{name: "a cluster", file: "jobs: 1\ncache: /c\nexecutor: slurm\nprofiles:\n  big: {partition: long, flags: [--qos=x]}\n", env: map[string]string{"TENFOLD_PROFILE": "big"},
			want: Settings{Jobs: 1, Cache: "/c", Executor: "slurm", Profile: "big"}, profiles: map[string]profile{"big": {Partition: "long", Flags: []string{"--qos=x"}}}},
		{name: "the user's", user: "jobs: 3\ncache: /c\nexecutor: slurm\nprofiles: {big: {partition: long}}\n", stranger: true,
			want: Settings{Jobs: 3, Cache: "/c", Executor: "slurm"}, profiles: map[string]profile{"big": {Partition: "long"}}},
		{name: "the project's before the user's", user: "jobs: 3\ncache: /c\nmemory: 1GiB\nprofiles: {big: {partition: long}}\n", file: "jobs: 4\nprofiles: {small: {time: 1h}}\n",
			want: Settings{Jobs: 4, Cache: "/c", Memory: 1 << 30}, profiles: map[string]profile{"small": {Time: "1h"}}},
		{name: "a stranger's", user: "cache: /c\nprofiles: {big: {partition: long}}\n", file: "jobs: 4\nExecutor: slurm\nprofile: big\nprofiles: {big: {setup: [rm]}}\ncache: here\nmirrors: /m\n", stranger: true,
			want: Settings{Jobs: 4, Cache: "/c", Profile: "big", Mirrors: []string{"/m"}}, profiles: map[string]profile{"big": {Partition: "long"}}, left: "cache, executor, profiles"},
		{name: "a stranger's, and variables", file: "executor: slurm\n", stranger: true, env: map[string]string{"TENFOLD_EXECUTOR": "slurm", "TENFOLD_CACHE": "/c", "TENFOLD_JOBS": "1"},
			want: Settings{Jobs: 1, Cache: "/c", Executor: "slurm"}, left: "executor"},
		{name: "a stranger's data", user: "jobs: 1\ncache: /c\n", file: "data: [data, ., ../data, /data, .git/hooks, out, out/deep, deep/in]\n", stranger: true,
			want: Settings{Jobs: 1, Cache: "/c", Data: []string{"data", ".", "../data", "/data", ".git/hooks", "out", "out/deep", "deep/in"}, Downloads: []string{"data", ".", "deep/in"}}},
		{name: "a mistake of the user's", user: "jobs: many\n", err: UserFile + `): found "many", expected a number`},
		{name: "an unknown key of the user's", user: "job: 3\n", err: `unknown setting "job"; did you mean "jobs"?`},
		{name: "nothing said", file: "jobs: 1\ncache: ~\n", env: map[string]string{"TENFOLD_CACHE": "/c"}, want: Settings{Jobs: 1, Cache: "/c"}},
		{name: "memory", file: "jobs: 1\ncache: /c\nmemory: 8GiB\n", want: Settings{Jobs: 1, Cache: "/c", Memory: 8 << 30}},
		{name: "a byte", file: "jobs: 1\ncache: /c\nmemory: 1\n", want: Settings{Jobs: 1, Cache: "/c", Memory: 1}},
		{name: "memory of nothing", file: "memory: 0\n", err: `setting memory (`},
		{name: "jobs of a flag", file: "jobs: 3\n", env: map[string]string{"TENFOLD_JOBS": "4"}, args: []string{"--jobs", "-1"}, err: `setting jobs (--jobs): found "-1", expected a number`},
		{name: "no such executor", file: "jobs: 1\nexecutor: pbs\n", err: `found "pbs", expected local or slurm`},
		{name: "no memory", env: map[string]string{"TENFOLD_MEMORY": "much"}, err: `setting memory (TENFOLD_MEMORY): found "much", expected a size such as 8GiB`},
		{name: "profiles are not a list", file: "profiles: [a]\n", err: "setting profiles: found a list"},
		{name: "nor a text", file: "profiles: a\n", err: "setting profiles: found \"a\", expected a mapping of names to profiles"},
		{name: "nor a number", file: "profiles: 5\n", err: "setting profiles: found 5, expected a mapping of names to profiles"},
		{name: "no folder", file: "data: 5\n", err: "setting data: found 5, expected names of folders"},
		{name: "no address", file: "mirrors: true\n", err: "setting mirrors: found true, expected folders or addresses"},
		{name: "no folders", file: "data: {a: b}\n", err: "setting data: found a mapping, expected names of folders"},
		{name: "no mirror", file: "mirrors: [{a: b}]\n", err: "expected folders or addresses"},
		{name: "unknown key", file: "job: 3\n", err: `unknown setting "job"; did you mean "jobs"?`},
		{name: "nested", file: "jobs: {a: 3}\n", err: "setting jobs: found a mapping"},
		{name: "list", file: "cache: [a]\n", err: "setting cache: found a list"},
		{name: "folders", file: "data: [{a: b}]\n", err: "expected names of folders"},
		{name: "not YAML", file: "jobs: [\n", err: File},
		{name: "jobs from the file", file: "jobs: many\n", err: File + `): found "many", expected a number`},
		{name: "jobs from a variable", env: map[string]string{"TENFOLD_JOBS": "-1"}, err: `(TENFOLD_JOBS): found "-1"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, name := range []string{"TENFOLD_JOBS", "TENFOLD_CACHE", "TENFOLD_DATA", "TENFOLD_MIRRORS", "TENFOLD_EXECUTOR", "TENFOLD_PROFILE", "TENFOLD_MEMORY"} {
				t.Setenv(name, c.env[name])
			}
			dir, own := t.TempDir(), ownFolder(t)
			allowed := dir
			if c.stranger {
				allowed = filepath.Join(dir, "other")
			}
			for path, text := range map[string]string{filepath.Join(dir, File): c.file, filepath.Join(own, UserFile): c.user, filepath.Join(own, "methods"): allowed} {
				if text == "" {
					continue
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(t.TempDir(), filepath.Join(dir, "out")); err != nil {
				t.Skip(err)
			}
			t.Chdir(dir)
			got, err := Load(flags(t, c.args...), ".")
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("got %v, want %s", err, c.err)
				}
				return
			}
			if c.want.Executor == "" {
				c.want.Executor = "local"
			}
			for name, part := range got.Profiles {
				var p profile
				if err := part.Decode(&p, name); err != nil || !reflect.DeepEqual(p, c.profiles[name]) {
					t.Errorf("profile %s: %+v, %v", name, p, err)
				}
			}
			if len(got.Profiles) != len(c.profiles) {
				t.Errorf("profiles %v, want %v", got.Profiles, c.profiles)
			}
			got.Profiles = nil
			if c.want.Downloads == nil {
				c.want.Downloads = c.want.Data
			}
			if (c.left != "") != (got.LeftOut != nil) || c.left != "" && !strings.HasPrefix(got.LeftOut.Error(), File+": "+c.left+" left out: ") {
				t.Errorf("left out %v, want %s", got.LeftOut, c.left)
			}
			got.LeftOut, got.ProfilesFile = nil, ""
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, %v; want %+v", got, err, c.want)
			}
		})
	}
}

func TestDefaults(t *testing.T) {
	for _, name := range []string{"TENFOLD_JOBS", "TENFOLD_CACHE", "TENFOLD_DATA", "TENFOLD_MIRRORS", "TENFOLD_EXECUTOR", "TENFOLD_PROFILE", "TENFOLD_MEMORY"} {
		t.Setenv(name, "")
	}
	t.Setenv("XDG_CACHE_HOME", "/x")
	t.Setenv("HOME", "/x")
	t.Setenv("XDG_CONFIG_HOME", "/x")
	got, err := Load(nil, t.TempDir())
	if err != nil || got.Jobs < 1 || filepath.Base(got.Cache) != "tenfold" || got.Data != nil {
		t.Errorf("%+v, %v", got, err)
	}
}
