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

func TestLoad(t *testing.T) {
	sep := string(os.PathListSeparator)
	for _, c := range []struct {
		name, file string
		env        map[string]string
		args       []string
		want       Settings
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
			want: Settings{Jobs: 1, Cache: "/c", Executor: "slurm", Profile: "big", Profiles: map[string]any{"big": map[string]any{"partition": "long", "flags": []any{"--qos=x"}}}}},
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
			dir := t.TempDir()
			if c.file != "" {
				if err := os.WriteFile(filepath.Join(dir, File), []byte(c.file), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got, err := Load(flags(t, c.args...), dir)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("got %v, want %s", err, c.err)
				}
				return
			}
			if c.want.Executor == "" {
				c.want.Executor = "local"
			}
			if len(got.Profiles) == 0 {
				got.Profiles = nil
			}
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
	got, err := Load(nil, t.TempDir())
	if err != nil || got.Jobs < 1 || filepath.Base(got.Cache) != "tenfold" || got.Data != nil {
		t.Errorf("%+v, %v", got, err)
	}
}
