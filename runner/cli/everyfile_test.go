package cli_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// besideThem are flags for files of the data folder whose targets are elsewhere, with paths below it.
var besideThem = map[string][]string{
	"all-leukemia/ALL_hgu95av2.gct.gz":       {"--join", "all-leukemia/ALL_pheno.tsv", "--target", "sex"},
	"all-leukemia/ALL_sex_symbols.gct.gz":    {"--labels", "all-leukemia/ALL_sex.cls"},
	"gsea/Diabetes_collapsed_symbols.gct.gz": {"--labels", "gsea/Diabetes.cls"},
	"gsea/Leukemia_collapsed_symbols.gct.gz": {"--labels", "gsea/Leukemia.cls"},
	"gsea/Leukemia_hgu95av2.gct.gz":          {"--labels", "gsea/Leukemia.cls"},
	"gsea/P53_collapsed_symbols.gct.gz":      {"--labels", "gsea/P53.cls"},
	"breast-nki/expression.tsv.gz":           {"--join", "breast-nki/clinical.tsv"},
	"breast-vantveer/expression.tsv.gz":      {"--join", "breast-vantveer/pheno.tsv"},
	"mulan/emotions.arff.gz":                 {"--labels", "mulan/emotions.xml"},
}

// wayOut matches refusals that say what to do: a flag, a format, or a program.
var wayOut = regexp.MustCompile(`--[a-z]|tenfold init |features: \{|collapse:|write the file|save texts|expected`)

// TestInitOfEveryFile: of every file of the folders of trials and of data, init -y writes an experiment that validates and plans, or refuses
// the file and says what to do. It never ends on an experiment of its own that is not good.
func TestInitOfEveryFile(t *testing.T) {
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	trials, sets := os.Getenv("TENFOLD_TRIALS"), os.Getenv("TENFOLD_DATA")
	t.Setenv("TENFOLD_DATA", "")
	t.Chdir(t.TempDir())
	seen, good := 0, map[string]int{}
	for _, folder := range []string{trials, sets} {
		if folder == "" {
			continue
		}
		for _, path := range filesBelow(t, folder) {
			args := []string{"init", "-y", "--force", "-o", "e.yaml", path}
			name, _ := filepath.Rel(folder, path)
			for k, arg := range besideThem[filepath.ToSlash(name)] {
				if k == 1 {
					arg = filepath.Join(folder, filepath.FromSlash(arg))
				}
				args = append(args, arg)
			}
			seen++
			_, said, code := invoke(t, args...)
			if code != 0 {
				if code != 2 || strings.Contains(said, "was not written") || !wayOut.MatchString(said) || len(args) > 6 {
					t.Errorf("%s: exit %d: %s", name, code, said)
				}
				continue
			}
			good[regexp.MustCompile(`: format (\w+)`).FindStringSubmatch(said)[1]]++
			for _, command := range []string{"validate", "plan"} {
				if out, said, code := invoke(t, command, "e.yaml"); code != 0 {
					t.Errorf("%s: %s: exit %d: %s%s", name, command, code, out, said)
				}
			}
		}
	}
	if seen == 0 {
		t.Skip("TENFOLD_TRIALS and TENFOLD_DATA name no folders")
	}
	t.Logf("%d files; experiments by format: %v", seen, good)
}

// filesBelow returns the files of data in a folder.
func filesBelow(t *testing.T, folder string) (paths []string) {
	others := regexp.MustCompile(`(?i)(\.(yaml|sh|py|md|go)|README)$|^security|^algorithms`)
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if name, _ := filepath.Rel(folder, path); err == nil && d.Type().IsRegular() && !others.MatchString(filepath.ToSlash(name)) {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}
