package results

import (
	"os"
	"strings"
	"testing"
)

// The page on result files names every column of every file.
func TestDocsNameColumns(t *testing.T) {
	page, err := os.ReadFile("../../docs/results.md")
	if err != nil {
		t.Fatal(err)
	}
	for file, columns := range map[string][]string{
		ResultsFile: names(rowColumns(ownColumns{})), MetricsFile: names(metricColumns()), SelectionsFile: names(selectionColumns()), PathsFile: names(pathColumns()),
		PredictionsFile: names(predictionColumns()), CurvesFile: names(curveColumns()), ClustersFile: names(clusterColumns()), SimilarFile: names(similarColumns()),
	} {
		_, section, found := strings.Cut(string(page), "\n## "+file+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		for _, name := range columns {
			if !found || !strings.Contains(section, "`"+name+"`") {
				t.Errorf("%s: column %s", file, name)
			}
		}
	}
}

func names[R any](columns []column[R]) (out []string) {
	for _, c := range columns {
		out = append(out, c.name)
	}
	return out
}
