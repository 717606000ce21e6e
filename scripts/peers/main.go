// Command peers measures tenfold beside the programs that its documentation compares it with, on data that it generates. From the
// root of the repository:
//
//	go run ./scripts/peers                              # all workloads, five pairs of each
//	go run ./scripts/peers -pairs 3 -only l1-C,lasso-A10
//	go run ./scripts/peers -list
//	TENFOLD_BENCH=$(go run ./scripts/peers -data D1,E) go test ./engines/coding/mdl -run '^$' -bench .
//
// Every program runs as a whole, from files to results, with one thread, in turn with the others. What it took is what the kernel
// counted; beside it stands how good the answer is. A program that is not installed is named, with Debian's packages that have it.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

type options struct {
	pairs   int
	only    string
	data    string
	list    bool
	dir     string
	format  string
	tenfold string
}

func main() {
	if len(os.Args) > 4 && os.Args[1] == measureWord {
		exit(measureOne(os.Args[2:]))
		return
	}
	var o options
	flag.IntVar(&o.pairs, "pairs", 5, "how often each program runs, in turn with the others")
	flag.StringVar(&o.only, "only", "", "workloads, or problems, by commas; default all")
	flag.StringVar(&o.data, "data", "", "problems, by commas, or all: generate them and print the folder that the benchmarks' TENFOLD_BENCH is to name; run nothing")
	flag.BoolVar(&o.list, "list", false, "list the workloads and the problems; run nothing")
	flag.StringVar(&o.dir, "dir", "", "folder of generated data and of outputs (default tenfold-peers in the user's cache folder)")
	flag.StringVar(&o.format, "format", "text", "of the table: text or markdown")
	flag.StringVar(&o.tenfold, "tenfold", "", "the program to measure (default built from the sources)")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "peers: %q is no flag; usage: go run ./scripts/peers [flags]\n", flag.Arg(0))
		os.Exit(2)
	}
	exit(peers(o, workloads(), os.Stdout, os.Stderr))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// peers runs workloads and prints their table; progress goes to the second writer.
func peers(o options, known []workload, out, progress io.Writer) error {
	if o.pairs < 1 {
		return fmt.Errorf("-pairs %d, expected at least 1", o.pairs)
	}
	if o.format != "text" && o.format != "markdown" {
		return fmt.Errorf("-format %q, expected text or markdown", o.format)
	}
	chosen, err := choose(known, o.only)
	if err != nil {
		return err
	}
	if o.list {
		for _, w := range chosen {
			fmt.Fprintf(out, "%-20s %-4s %s\n", w.name, w.problem, w.about)
		}
		for _, p := range problems {
			fmt.Fprintf(out, "%-20s %-4s %s\n", "", p.name, p.about)
		}
		return nil
	}
	if o.dir, err = workFolder(o.dir); err != nil {
		return err
	}
	if o.data != "" {
		folder, err := generateAll(filepath.Join(o.dir, "data"), o.data)
		if err == nil {
			fmt.Fprintln(out, folder)
		}
		return err
	}
	b, err := prepare(o, progress)
	if err != nil {
		return err
	}
	before, begun := load(), now()
	var all []row
	for _, w := range chosen {
		p, err := problemNamed(w.problem)
		if err != nil {
			return err
		}
		b.say("%s: %s", w.name, w.about)
		data, err := p.generate(filepath.Join(b.dir, "data"))
		if err != nil {
			return err
		}
		outcomes, err := b.run(w, data)
		if err != nil {
			return err
		}
		all = append(all, rows(w, outcomes)...)
	}
	fmt.Fprintf(out, "%s to %s, %d processors (%s/%s), load average %s before, %s after; %d pairs, one thread each.\n",
		begun, now(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, before, load(), o.pairs)
	fmt.Fprintf(out, "%s\n\n", b.versions(chosen))
	writeTable(out, o.format == "markdown", all)
	return nil
}

// choose takes workloads by their names, or those of their problems.
func choose(known []workload, only string) ([]workload, error) {
	if only == "" {
		return known, nil
	}
	var chosen []workload
	wanted := strings.Split(only, ",")
	for _, word := range wanted {
		if !slices.ContainsFunc(known, func(w workload) bool { return w.name == word || w.problem == word }) {
			return nil, fmt.Errorf("-only: no workload %q; -list shows them", word)
		}
	}
	for _, w := range known {
		if slices.Contains(wanted, w.name) || slices.Contains(wanted, w.problem) {
			chosen = append(chosen, w)
		}
	}
	return chosen, nil
}

// workFolder returns the absolute path of a folder, by default of one in the user's cache folder.
func workFolder(dir string) (string, error) {
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			cache = os.TempDir()
		}
		dir = filepath.Join(cache, "tenfold-peers")
	}
	return filepath.Abs(dir)
}

// prepare writes the peers' scripts into the folder, and builds tenfold.
func prepare(o options, progress io.Writer) (b *bench, err error) {
	dir := o.dir
	if err := writePrograms(filepath.Join(dir, "programs")); err != nil {
		return nil, err
	}
	b = &bench{tenfold: o.tenfold, dir: dir, pairs: o.pairs, found: map[string]installed{},
		say: func(format string, arguments ...any) { fmt.Fprintf(progress, format+"\n", arguments...) }}
	if b.tenfold != "" {
		b.tenfold, err = filepath.Abs(b.tenfold)
		return b, err
	}
	b.tenfold = filepath.Join(dir, "tenfold")
	if out, err := exec.Command("go", "build", "-o", b.tenfold, "tenfold").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building tenfold: %w\n%s", err, out)
	}
	return b, nil
}

// versions says what was measured, and what is missing.
func (b *bench) versions(chosen []workload) string {
	ours, _ := exec.Command(b.tenfold, "version").Output()
	first, _, _ := strings.Cut(string(ours), "\n")
	said := []string{first}
	for _, w := range chosen {
		for _, p := range w.peers {
			found := b.look(p.program)
			line := p.name + " " + found.version
			if found.err != nil {
				line = p.missing()
			}
			if !slices.Contains(said, line) {
				said = append(said, line)
			}
		}
	}
	return strings.Join(said, "; ")
}
