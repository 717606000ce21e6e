package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/runner/cli/app"
)

// completed asks as the scripts of shells do and returns the words without descriptions.
func completed(t *testing.T, line ...string) []string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), &out, &errs, append([]string{"__complete"}, line...)); code != app.ExitOK {
		t.Errorf("%q: exit code %d", line, code)
	}
	if said, _, _ := strings.Cut(errs.String(), "Completion ended"); said != "" {
		t.Errorf("%q says %q", line, said)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var words []string
	for _, l := range lines[:len(lines)-1] { // the last one is for the script
		word, _, _ := strings.Cut(l, "\t")
		words = append(words, word)
	}
	return words
}

func TestCompletion(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	const tuned = `  - {name: lasso 0.5, engine: lasso, tune: {lambda: path}}` + "\n"
	write := func(path, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("small.yaml", strings.Replace(small, "metrics:", tuned+"metrics:", 1))
	write("small.baseline.yaml", "")
	write("notes.txt", "")
	write("sub/other.yml", small)
	write("bad.yaml", "tenfold: 1\nalgorithms: [")
	write("runs/small/plan.json", `{"schema": 2, "path": "small.yaml", "name": "small", "cells": [`) // the rest is not read
	write("runs/lost/plan.json", `{"schema": 2, "path": "lost.yaml", "name": "lost"}`)
	write("runs/broken/plan.json", `{`)
	write("runs/empty/none", "")
	cells := []string{"pairs/lasso 0.5", "pairs/mean", "pairs/stagewise", "pairs/stagewise/epsilon=0.03", "pairs/stagewise/epsilon=0.1"}
	all := append([]string{"lasso 0.5", "mean", "pairs", "stagewise"}, cells...)
	for _, c := range []struct {
		line string // words by |, the last one as far as it is typed
		want []string
	}{
		{"run|", []string{"bad.yaml", "runs/", "small.yaml", "sub/"}},
		{"check|sub/", []string{"sub/other.yml"}},
		{"validate|small.yaml|s", []string{"sub/"}},
		{"describe|", []string{"engine", "section", "format", "metric", "fold", "abilities"}},
		{"describe|engine|ridg", []string{"ridge"}},
		{"describe|ridg", []string{"ridge"}},
		{"describe|formats|conllu-", []string{"conllu-joins", "conllu-pairs"}},
		{"describe|engine|ridge|", nil},
		{"run|small.yaml|--only|", all},
		{"plan|small.yaml|--only|pairs/s", cells[2:]},
		{"run|small.yaml|--set|algorithms.stagewise.grid={epsilon: [1]}|--only|pairs/s", []string{"pairs/stagewise", "pairs/stagewise/epsilon=1"}},
		{"run|bad.yaml|--only|", nil},
		{"run|gone.yaml|--only|", nil},
		{"run|--only|", nil},
		{"why|", all},
		{"why|mean|sm", []string{"small.yaml"}},
		{"report|", []string{"runs/broken", "runs/lost", "runs/small"}},
		{"diff|runs/small|runs/", []string{"runs/broken", "runs/lost"}},
		{"verify|runs/s", []string{"runs/small"}},
		{"gc|runs/lost|runs/s", []string{"runs/small"}},
		{"run|small.yaml|--set|se", []string{"seed="}},
		{"run|small.yaml|--set|algorithms.", []string{"algorithms.lasso 0.", "algorithms.mean.", "algorithms.stagewise."}},
		{"run|small.yaml|--set|algorithms.lasso 0.5.tune.", []string{
			"algorithms.lasso 0.5.tune.choose=", "algorithms.lasso 0.5.tune.draws=", "algorithms.lasso 0.5.tune.factor=", "algorithms.lasso 0.5.tune.k=", "algorithms.lasso 0.5.tune.lambda=",
			"algorithms.lasso 0.5.tune.metric=", "algorithms.lasso 0.5.tune.repeats=", "algorithms.lasso 0.5.tune.resource=", "algorithms.lasso 0.5.tune.search=",
			"algorithms.lasso 0.5.tune.seed=", "algorithms.lasso 0.5.tune.threshold.", "algorithms.lasso 0.5.tune.time="}},
		{"run|small.yaml|--set|algorithms.stagewise.params.eps", []string{"algorithms.stagewise.params.epsilon="}},
		{"run|small.yaml|--set|datasets.pairs.features.c", []string{"datasets.pairs.features.cutoff="}},
		{"report|runs/small|--metric|nonzero,test_ms", []string{"nonzero,test_mse"}},
	} {
		if got := completed(t, strings.Split(c.line, "|")...); !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", c.line, got, c.want)
		}
	}
}

// TestCompletionRunsNothing: names from files and data that a shell could run are not offered.
func TestCompletionRunsNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "t.csv", "\"$(touch x)a\",\"$(touch x)b\",`id`,a;b,a&b,a|b,a>b,\"it's\",\"say \"\"x\"\"\",a\\b,\"a\x1b[31m\",a\u202eb,plain (cm),Größe\n1,2,3,4,5,6,7,8,9,10,11,12,13,14\n")
	if err := os.MkdirAll("sub/$(touch x)", 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, "sub/$(touch x).yaml", "")
	if got, want := completed(t, "init", "t.csv", "--target", ""), []string{"plain (cm)", "Größe"}; !slices.Equal(got, want) {
		t.Errorf("columns: got %q, want %q", got, want)
	}
	if got := completed(t, "run", "sub/"); len(got) > 0 {
		t.Errorf("files: %q", got)
	}
}

// The scripts themselves come with the library.
func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), &out, &errs, []string{"completion", shell}); code != app.ExitOK || !strings.Contains(out.String(), "__complete") {
			t.Errorf("%s: exit code %d, %d bytes, %s", shell, code, out.Len(), errs.String())
		}
	}
}

func TestSchemaCommand(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	if code := run(t.Context(), &out, &errs, []string{"schema"}); code != app.ExitOK {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	wants(t, out.String(), `"$schema": "http://json-schema.org/draft-07/schema#"`, `"$id": "https://json.schemastore.org/tenfold.json"`, `"engine-stagewise"`, `"format-conllu-joins"`)
}
