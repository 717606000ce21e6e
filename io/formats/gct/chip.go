package gct

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"tenfold/io/rawtext"
)

// chipSymbols returns the genes that a chip names for probes, "" for none. Of several lines of a probe the first counts, and of
// several genes on a line (A /// B) the first.
func chipSymbols(file string, content []byte, probes []string) ([]string, error) {
	content, err := rawtext.Decode(content, "", file)
	if err != nil {
		return nil, err
	}
	lines := rawtext.LinesOf(content, file)
	lines.Next()
	header := strings.Split(strings.ToLower(string(lines.Line)), "\t")
	probe, symbol := slices.Index(header, "probe set id"), slices.Index(header, "gene symbol")
	if probe < 0 || symbol < 0 {
		return nil, fmt.Errorf("%s:1: found %.60q, expected a header with the columns Probe Set ID and Gene Symbol, apart by tabs", file, lines.Line)
	}
	gene := make(map[string]string)
	for lines.Next() {
		if len(bytes.TrimSpace(lines.Line)) == 0 {
			continue
		}
		cells := bytes.Split(lines.Line, []byte{'\t'})
		if len(cells) <= max(probe, symbol) {
			return nil, lines.Errorf("%d cells, expected at least %d as the header has", len(cells), max(probe, symbol)+1)
		}
		name := string(bytes.TrimSpace(cells[probe]))
		if _, again := gene[name]; !again {
			gene[name] = firstGene(string(cells[symbol]))
		}
	}
	genes, found := make([]string, len(probes)), 0
	for k, p := range probes {
		if genes[k] = gene[p]; genes[k] != "" {
			found++
		}
	}
	if found == 0 {
		return nil, fmt.Errorf("%s: it names no gene for any line of the matrix, such as %q", file, probes[0])
	}
	return genes, nil
}

// firstGene returns the first of those in a cell, "" where it says that there is none.
func firstGene(cell string) string {
	first, _, _ := strings.Cut(cell, "///")
	switch first = strings.TrimSpace(first); strings.ToLower(first) {
	case "---", "na", "null":
		return ""
	}
	return first
}
