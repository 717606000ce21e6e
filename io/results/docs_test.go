package results

import (
	"os"
	"strings"
	"testing"

	"tenfold/io/sealed"
)

// The page on result files names every column of every file.
func TestDocsNameColumns(t *testing.T) {
	page, err := os.ReadFile("../../docs/results.md")
	if err != nil {
		t.Fatal(err)
	}
	for file, columns := range map[string][]string{
		ResultsFile: sealed.Names(rowColumns(ownColumns{})), MetricsFile: sealed.Names(metricColumns()), SelectionsFile: sealed.Names(selectionColumns()), PathsFile: sealed.Names(pathColumns()),
		PredictionsFile: sealed.Names(predictionColumns()), CurvesFile: sealed.Names(curveColumns()), InnerFile: sealed.Names(innerColumns()), ClustersFile: sealed.Names(clusterColumns()), SimilarFile: sealed.Names(similarColumns()),
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
