// Command site renders the documentation as static pages: README, docs, the experiments with the reports of their runs, and
// every file of the repository that a page links to. From the root of the repository:
//
//	go run ./scripts/site -out site
//
// The pages need no server and no network: open site/index.html. Whoever serves them copies the folder. Reports of the gallery
// are those of finished runs in -runs; tenfold run experiments/*.yaml makes them. A link that leads nowhere is an error.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("out", "site", "folder of the pages; what is there already is written over")
	runs := flag.String("runs", "runs", "folder of finished runs, whose reports stand beside their experiments")
	flag.Parse()
	if flag.NArg() != 0 {
		flag.Usage()
		os.Exit(2)
	}
	s, err := build(os.DirFS("."), os.DirFS(*runs))
	if err == nil {
		err = s.write(*out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
	fmt.Printf("%d pages, %d reports of runs: open %s/index.html\n", len(s.pages), s.reports, *out)
}
