package inspect

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The list of labels beside an ARFF file has its name, or that of the whole; one of other attributes is none, and is refused by name.
func TestListed(t *testing.T) {
	t.Parallel()
	const table = "@relation r\n@attribute a numeric\n@attribute sad {0,1}\n@data\n1,0\n"
	for _, c := range []struct{ data, list, label, want string }{
		{"m.arff", "m.xml", "sad", "m.xml sad"}, {"m-train.arff", "m.xml", "sad", "m.xml sad"}, {"m-test.arff", "m.xml", "sad", "m.xml sad"}, {"m-train.arff", "m-train.xml", "sad", "m-train.xml sad"},
		{"m.arff", "n.xml", "sad", " "}, {"m.arff", "m.xml", "glad", " "},
	} {
		path := file(t, c.data, table)
		list := filepath.Join(filepath.Dir(path), c.list)
		if err := os.WriteFile(list, []byte(`<labels><label name="`+c.label+`"/></labels>`), 0o644); err != nil {
			t.Fatal(err)
		}
		f := look(t, path, "")
		if got := strings.TrimPrefix(f.Beside, filepath.Dir(path)+string(filepath.Separator)) + " " + strings.Join(f.Listed, " "); got != c.want {
			t.Errorf("%s beside %s of %s: %q, want %q", c.list, c.data, c.label, got, c.want)
		}
		if _, err := f.ReadListed(list); c.label == "glad" && (err == nil || !strings.Contains(err.Error(), `is called "glad"`)) || c.label == "sad" && err != nil {
			t.Errorf("%s: %v", c.label, err)
		}
	}
	f := look(t, file(t, "m.arff", table), "")
	for text, want := range map[string]string{"": "no such file", "<labels>": "l.xml"} {
		list := filepath.Join(t.TempDir(), "l.xml")
		if text != "" {
			list = file(t, "l.xml", text)
		}
		if listed, err := f.ReadListed(list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v", text, listed, err)
		}
	}
}

// Folders are classes, hidden ones and files left aside; where they are those of training and of test documents, the folders in them are.
func TestFolders(t *testing.T) {
	t.Parallel()
	for folders, want := range map[string]string{
		"b a .git": "{class}/**/{id}: a b", "b/x a/y": "{class}/**/{id}: a b", "train test x": "{class}/**/{id}: test train x", "a": "", "train/a test/a": "",
		"train/a train/b test/b test/c": "{part}/{class}/**/{id}: a b c, parted", "train/a train/b": "train/{class}/**/{id}: a b", "all/in/a all/in/b": "all/in/{class}/**/{id}: a b",
		"n-train/a n-train/b n-test/a": "{part}/{class}/**/{id}: a b, parted [[n-test test] [n-train train]]",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "README"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, name := range strings.Fields(folders) {
			at := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(at, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(at, "1.txt"), []byte("words"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Look(t.Context(), dir, "", Asked{})
		got := ""
		if err == nil {
			if got = f.Layout + ": " + strings.Join(f.Classes, " "); f.Parted {
				got += ", parted"
			}
			if f.Parts != nil {
				got += fmt.Sprint(" ", f.Parts)
			}
			if f.Elsewhere != 1 {
				t.Errorf("%s: %d files elsewhere", folders, f.Elsewhere)
			}
		}
		if got != want {
			t.Errorf("%s: %q, %v; want %q", folders, got, err, want)
		}
	}
}

// All of a large table is looked at, and the last of the lines that tell a format is left aside where it may be cut.
func TestBeginnings(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxBytes/4)
	f := look(t, file(t, "a.csv", "a,b\n"+strings.Repeat("1,\"two\n"+long+"\"\n", 5)), "")
	if f.Rows != 5 {
		t.Errorf("%d rows", f.Rows)
	}
	if got := detectFormat("a", []byte("1 1:2\n1 1:"+strings.Repeat("3", 1<<16))); got != SVMlight {
		t.Errorf("%q", got)
	}
}
