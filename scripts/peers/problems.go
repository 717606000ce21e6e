package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// problem is generated data. Only integers are drawn and added, so that a seed gives the same bytes everywhere; the digest says so.
type problem struct {
	name   string
	about  string
	digest string
	write  func(to *folder) error
}

var problems = []problem{
	{"A", "764,188 × 190,103 of 0 and 1, 20.4 million ones, a number", "a5b2c592af5b8dde", regression(2004, 850000, 4700, 15000)},
	{"A10", "a tenth of A", "705a0d74def6a343", regression(2004, 85000, 4700, 1500)},
	{"A100", "a hundredth of A", "c4ae51a19b83a02a", regression(2004, 8500, 4700, 150)},
	{"B", "599,964 rows of 0 and 1, 86 classes", "1a157341be14471f", manyClasses(2003, 660000, 20000)},
	{"B10", "60,000 rows of 0 and 1, 86 classes", "6cb5057270621bb5", manyClasses(2003, 66000, 20000)},
	{"C", "179,118 × 400,530 of 0 and 1, 5.7 million ones, two classes", "5feb5174a1fc1692", twoClasses(2008, 197030, 12000, 400530)},
	{"C10", "a tenth of C", "d01d0c976327bd91", twoClasses(2008, 19703, 12000, 40053)},
	{"D1", "350 × 7,000 of 0 and 1 in 40 classes of columns, a number", "b871b6bd90fbbc09", classesOfFeatures(2009, 350, 350, 7000, 40, true)},
	{"D2", "50 × 15,056 numbers in 318 classes of columns, a number", "4b985c070a8da6ed", classesOfFeatures(2010, 50, 350, 15056, 318, false)},
	{"D3", "350 × 1,000 of 0 and 1 in 40 classes of columns, a number", "479ed75699574db0", classesOfFeatures(2011, 350, 350, 1000, 40, true)},
	{"E", "104 × 6,715, 20 numbers", "2f1fced79478759a", manyResponses(2012, 104, 400, 6715, 526, 20)},
	{"F", "100 × 10,000 numbers of 20 factors, a number and its sign", "11ab35b6801dfcd4", factors(2013, 100, 10000, 20)},
	{"G", "5,000 × 500 numbers, a number and its sign", "09676e9581840189", alikeColumns(2017, 5000, 100, 500, 0)},
	{"H", "500 × 5,000 numbers with correlations of a half, a number and its sign", "ec18a2d9ab189960", alikeColumns(2018, 500, 100, 5000, 1)},
	{"K", "1,000 × 3,000 numbers, a number and its sign", "29c51235a9e6b0d8", alikeColumns(2019, 1000, 100, 3000, 0)},
	{"V", "441 × 813 numbers of 20 factors, times until an event", "9d3f67593c4ec9c9", timesOfFactors(2020, 441, 59, 813, 20)},
	{"T", "50,000 × 50 numbers of 10 factors, two classes", "c3f4399365b1192c", factors(2016, 50000, 50, 10)},
	{"T10", "a tenth of the rows of T", "fe1c1659f0e4c6ea", factors(2016, 5000, 50, 10)},
	{"V", "8,000 × 60 numbers of 10 factors, a number and its sign", "3b4696e16b80b74e", factors(2020, 8000, 60, 10)},
	{"V6", "8,000 × 60 numbers of 10 factors, six classes", "a5bb094a7c6ad9eb", factorClasses(2021, 8000, 60, 10, 6)},
	{"W", "20,000 × 50,000 of 0 and 1, like texts, 20 classes", "747fb59f77b12bfc", texts(2014, 20000, 50000, 20)},
	{"L", "2,000 × 2,000 levels of four, two classes", "a5bb2ff97d8cbff3", levels(2017, 2000, 2000)},
	{"LW", "200 × 16,000 levels of four, two classes", "99fa77e90bb80aae", levels(2018, 200, 16000)},
	{"LT", "16,000 × 50 levels of four, two classes", "0b8f2b502854d96e", levels(2019, 16000, 50)},
	{"S", "100 × 20 numbers, two classes", "cac5aae6640c7e6f", everyday(2015, 100, 20)},
}

func problemNamed(name string) (problem, error) {
	for _, p := range problems {
		if p.name == name {
			return p, nil
		}
	}
	return problem{}, fmt.Errorf("no problem %q; -list shows them", name)
}

// generateAll writes problems, named by commas or all, into folders below dir, and returns dir.
func generateAll(dir, names string) (string, error) {
	chosen := problems
	if names != "all" {
		chosen = nil
		for name := range strings.SplitSeq(names, ",") {
			p, err := problemNamed(name)
			if err != nil {
				return "", err
			}
			chosen = append(chosen, p)
		}
	}
	for _, p := range chosen {
		if _, err := p.generate(dir); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// generate writes a problem into a folder below dir, unless it is there, and returns the folder. It appears whole or not at all.
func (p problem) generate(dir string) (string, error) {
	path := filepath.Join(dir, p.name)
	_, err := os.Stat(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return path, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	draft, err := os.MkdirTemp(dir, "."+p.name+"-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(draft)
	to := &folder{path: draft}
	if err := p.write(to); err != nil {
		return "", fmt.Errorf("problem %s: %w", p.name, err)
	}
	digest, err := to.digest()
	if err != nil {
		return "", err
	}
	if digest != p.digest {
		return "", fmt.Errorf("problem %s: digest %s, expected %s: the generator makes other bytes here", p.name, digest, p.digest)
	}
	return path, os.Rename(draft, path)
}
