package imported_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/files"
	"tenfold/runner/imported"
	"tenfold/runner/score"
)

// FuzzImport reads any predictions and selections: they are refused in words, or there is a finite value for each test row.
func FuzzImport(f *testing.F) {
	plain := lines(func(all []string) []string { return all })
	scores := strings.NewReplacer("prediction\n", "score_no,score_yes\n").Replace(lines(func(all []string) []string {
		for i := range all[1:] {
			all[i+1] += ",0.5"
		}
		return all
	}))
	for kind := range uint8(6) {
		f.Add(kind, plain, "")
		f.Add(kind, scores, "dataset,repeat,fold,feature,rank,score\nset,0,0,a,0,1.5\nset,0,0,c,1,1\n")
		f.Add(kind, strings.ReplaceAll(strings.ReplaceAll(plain, "prediction", "probability_yes"), ",", "\t"), "feature,output,coefficient\nb,yes,-1\n")
		f.Add(kind, "fold_digest,id,prediction\nd0,r1,yes\nd0,r37,no\n", "")
	}
	sets := map[uint8]*data.Dataset{}
	f.Fuzz(func(t *testing.T, kind uint8, content, selections string) {
		levels := []uint8{0, 2, 3}[kind%3]
		if sets[levels] == nil {
			sets[levels] = set(t, int(levels))
		}
		d, of := sets[levels], fold()
		fold := imported.Fold{Dataset: "set", Digest: of.Digest, Test: of.Test}
		refs := map[string]files.Ref{}
		for role, text := range map[string]string{imported.Predictions: content, imported.Selections: selections} {
			if role == imported.Selections && text == "" {
				continue
			}
			path := filepath.Join(t.TempDir(), role+map[bool]string{false: ".csv", true: ".tsv"}[kind >= 3])
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			refs[role] = files.Ref{Path: path}
		}
		in, err := files.Open(refs, files.Folders{}, "")
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		m, err := imported.Read(t.Context(), in, []imported.Fold{fold}, nil, levels > 0, levels == 0)
		if err != nil || m.CheckLevels(d.Targets[0].Levels) != nil || m.CheckTargets("set", d.Targets) != nil {
			return
		}
		if given, err := m.Predictions(fold, score.Request{Targets: d.Targets, ID: func(i int) string { return d.IDs[of.Test[i]] }, Defined: func(int, int) bool { return true }}); err == nil {
			for _, v := range given.Scores {
				if math.IsNaN(v) || math.IsInf(v, 1) {
					t.Errorf("scores %v", given.Scores)
				}
			}
		}
		_, _ = m.Selected(fold)
	})
}
