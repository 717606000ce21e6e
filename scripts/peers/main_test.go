package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test's binary be the process between, as the program is.
func TestMain(m *testing.M) {
	if len(os.Args) > 4 && os.Args[1] == measureWord {
		exit(measureOne(os.Args[2:]))
		return
	}
	os.Exit(m.Run())
}

// TestGenerate: small problems have the bytes that their digests were published for; another digest is refused, and leaves nothing.
func TestGenerate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"D1", "D2", "D3", "S"} {
		p, err := problemNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.generate(dir); err != nil {
			t.Error(err)
		}
	}
	if at, err := generateAll(dir, "D1,S"); err != nil || at != dir {
		t.Error(at, err)
	}
	if _, err := generateAll(dir, "D1,Z"); err == nil || !strings.Contains(err.Error(), `no problem "Z"`) {
		t.Error(err)
	}
	wrong := problem{"X", "", "0123456789abcdef", everyday(1, 5, 3)}
	if _, err := wrong.generate(dir); err == nil || !strings.Contains(err.Error(), "expected 0123456789abcdef") {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 4 {
		t.Errorf("%d folders, expected 4", len(entries))
	}
}

// TestObjective: a model of liblinear is judged by hand: labels in its order, losses of margins 1.5, −0.5 and 0, a penalty.
func TestObjective(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model, data := filepath.Join(dir, "model"), filepath.Join(dir, "data")
	for path, text := range map[string]string{
		model: "solver_type L2R_L2LOSS_SVC_DUAL\nnr_class 2\nlabel -1 1\nnr_feature 2\nbias -1\nw\n-1.5 \n0.5 \n",
		data:  "1 1:1\n1 2:1\n-1 3:1\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for loss, want := range map[string]float64{"hinge": 1.25 + 0.1*2.5, "squared-hinge": 1.25 + 0.1*3.25} {
		if got, err := linearObjective(model, data, loss, "l2", 0.1); err != nil || got < want-1e-12 || got > want+1e-12 {
			t.Errorf("%s: %v, %v, expected %v", loss, got, err, want)
		}
	}
}

// TestSaidQuality: lines of scripts are found among others; none is an error.
func TestSaidQuality(t *testing.T) {
	t.Parallel()
	q, err := saidQuality([]byte("warning\nquality objective 12.5\nquality penalties 99\n"))
	if err != nil || q["objective"] != 12.5 || q["penalties"] != 99 {
		t.Error(q, err)
	}
	if _, err := saidQuality([]byte("killed\n")); err == nil {
		t.Error("no error")
	}
}

// TestRun: a workload runs with a peer of PATH; a slow one is stopped, one that fails or is missing is said, with its package.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"tenfold": "#!/bin/sh\ncase $1 in run) mkdir -p $6; echo '{\"results\":{\"d\":{\"a\":{\"folds\":1,\"ok\":1,\"metrics\":{\"objective\":{\"mean\":10,\"n\":1}}}}}}' >$6/metrics.json;; esac\n",
		"quick":   "#!/bin/sh\necho quality objective 11\n",
		"slow":    "#!/bin/sh\nsleep 60\n",
		"broken":  "#!/bin/sh\necho no such column\nexit 3\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string, limit time.Duration) peer {
		return peer{label: name, limit: limit, program: program{name: name, debian: "package-of-" + name,
			find: func() ([]string, string, error) {
				_, err := os.Stat(filepath.Join(dir, name))
				return []string{filepath.Join(dir, name)}, "1.0", err
			}}}
	}
	w := workload{name: "tiny", problem: "S", engine: "l1", metric: "objective",
		peers: []peer{at("quick", time.Minute), at("slow", 100*time.Millisecond), at("broken", time.Minute), at("absent", time.Minute)}}
	var out bytes.Buffer
	o := options{pairs: 2, format: "markdown", dir: filepath.Join(dir, "work"), tenfold: filepath.Join(dir, "tenfold")}
	if err := peers(o, []workload{w}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"objective 10 | quick |", "objective 11, 10 % above the other: stops early", "slow | stopped after", "exit status 3: no such column",
		"absent is not installed: apt-get install package-of-absent", "quick 1.0"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}

// TestChoose: names of workloads and of problems choose; others are refused.
func TestChoose(t *testing.T) {
	t.Parallel()
	if got, err := choose(workloads(), "C,chi2"); err != nil || len(got) != 5 {
		t.Error(len(got), err)
	}
	if _, err := choose(workloads(), "Z"); err == nil {
		t.Error("no error")
	}
}

// TestSpread: a median with its range, of numbers below a tenth by digits and not by places.
func TestSpread(t *testing.T) {
	t.Parallel()
	for want, values := range map[string][]float64{"2.50 (1.00 … 4.00)": {4, 1, 2, 3}, "0.0019": {0.0019}, "0.10": {0.1}} {
		if got := newSpread(values).String(); got != want {
			t.Errorf("%v: %s, expected %s", values, got, want)
		}
	}
}
