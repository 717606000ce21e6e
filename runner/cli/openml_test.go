package cli_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/runner/cli/app"
)

// openMLServer answers as OpenML does, about task 361 on data set 31, and about what cannot be read.
func openMLServer(t *testing.T) *httptest.Server {
	t.Helper()
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/v1/json/task/361":
			fmt.Fprintf(w, `{"task":{"task_id":"361","task_name":"Task 361: credit-g (Supervised Classification)","task_type_id":"1","task_type":"Supervised Classification",
				"input":[{"name":"source_data","data_set":{"data_set_id":"31","target_feature":"class"}},
				{"name":"estimation_procedure","estimation_procedure":{"id":"1","type":"crossvalidation","data_splits_url":"%s/splits.arff",
				"parameter":[{"name":"number_repeats","value":"1"},{"name":"number_folds","value":"4"},{"name":"percentage"}]}},
				{"name":"cost_matrix","cost_matrix":[]},{"name":"evaluation_measures","evaluation_measures":{"evaluation_measure":"predictive_accuracy"}}],
				"tag":["basic"]}}`, s.URL)
		case "/api/v1/json/task/5":
			fmt.Fprint(w, `{"task":{"task_id":"5","task_type_id":"5","task_type":"Clustering","input":[{"name":"source_data","data_set":{"data_set_id":"31","target_feature":[]}}]}}`)
		case "/api/v1/json/task/6":
			fmt.Fprint(w, `<oml:task/>`)
		case "/api/v1/json/data/31":
			fmt.Fprintf(w, `{"data_set_description":{"id":"31","name":"../credit-g","version":"1","format":"ARFF","licence":"Public","url":"%s/data.arff",
				"default_target_attribute":"class","row_id_attribute":"nr","ignore_attribute":["secret","other"],"md5_checksum":"0"}}`, s.URL)
		case "/api/v1/json/data/32":
			fmt.Fprint(w, `{"data_set_description":{"id":"32","name":"x","format":"CSV","url":"https://example.org/x.csv"}}`)
		case "/api/v1/json/data/33":
			fmt.Fprint(w, `{"data_set_description":{"id":"33","name":"x","format":"ARFF","url":"/etc/hostname"}}`)
		case "/data.arff":
			fmt.Fprint(w, "@relation credit\n@attribute nr numeric\n@attribute a numeric\n@attribute 'b c' {x,y,z}\n@attribute secret numeric\n@attribute class {good,bad}\n@data\n")
			for i := range 40 {
				fmt.Fprintf(w, "%d,%d,%c,%d,%s\n", i, i*7%11, "xyz"[i%3], i%5, []string{"good", "bad"}[i*7%11/6])
			}
		case "/splits.arff":
			fmt.Fprint(w, "@RELATION credit_splits\n@ATTRIBUTE type {TRAIN,TEST}\n@ATTRIBUTE rowid NUMERIC\n@ATTRIBUTE repeat NUMERIC\n@ATTRIBUTE fold NUMERIC\n@DATA\n")
			for fold := range 4 {
				for i := range 40 {
					fmt.Fprintf(w, "%s,%d,0,%d\n", []string{"TRAIN", "TEST"}[map[bool]int{i%4 == fold: 1}[true]], i, fold)
				}
			}
		default:
			w.WriteHeader(http.StatusPreconditionFailed) // as OpenML has it
			fmt.Fprint(w, `{"error":{"code":"151","message":"Unknown task"}}`)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// TestInitOpenML: a task of OpenML becomes an experiment on its data and its folds, which then runs without the server; what is none, or
// cannot be read, is an error.
func TestInitOpenML(t *testing.T) {
	server := openMLServer(t)
	t.Setenv("TENFOLD_OPENML", server.URL)
	t.Setenv("TENFOLD_DATA", "")
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	file := filepath.Join(dir, "credit-g.yaml")
	for name, want := range map[string]string{
		"openml:":        "expected openml: and the number of a task",
		"openml:credit":  "expected openml: and the number of a task",
		"openml:4":       "the server answered 412",
		"openml:5":       `a task of type "Clustering", expected a classification or a regression`,
		"openml:6":       "the answer is none that is known",
		"openml:data/32": `the format "CSV", expected ARFF; download it from https://example.org/x.csv`,
		"openml:data/33": "expected an address that begins with https:// or http://",
	} {
		if _, errs, code := invoke(t, "init", name, "--yes", "--data", data, "-o", file); code != app.ExitInvalid || !strings.Contains(errs, want) {
			t.Errorf("%s: code %d, want %q in %s", name, code, want, errs)
		}
	}
	if _, errs, code := invoke(t, "init", "openml:361", "--data", data, "-o", file); code != app.ExitInvalid || !strings.Contains(errs, "these licences have to be accepted") {
		t.Errorf("without consent: code %d, %s", code, errs)
	}
	out, errs, code := invoke(t, "init", "openml:361", "--yes", "--data", data, "-o", file)
	if code != 0 || !strings.Contains(errs, "predicts class, a class, as OpenML says") || !strings.Contains(errs, "secret (left out where the data were published)") ||
		!strings.Contains(errs, "given by openml/361-splits.arff: The folds of OpenML's task 361.") {
		t.Fatalf("code %d\n%s\n%s", code, out, errs)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"files: {all: {path: openml/31-credit-g.arff, url: " + server.URL + "/data.arff, sha256: ", ", licence: Public}}", "drop: [secret]", "id: nr",
		"folds: {kind: given, file: {path: openml/361-splits.arff, url: " + server.URL + "/splits.arff, sha256: ",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	server.Close()
	if out, errs, code := invoke(t, "run", file, "--data", data, "--out", filepath.Join(dir, "run")); code != 0 || !strings.Contains(errs, "4 cells, 16 fits") {
		t.Errorf("code %d\n%s\n%s", code, out, errs)
	}
}

// TestInitOpenMLData: a data set alone is divided as any other, and files that are there are not downloaded again.
func TestInitOpenMLData(t *testing.T) {
	server := openMLServer(t)
	t.Setenv("TENFOLD_OPENML", server.URL)
	t.Setenv("TENFOLD_DATA", t.TempDir())
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	file := filepath.Join(t.TempDir(), "x.yaml")
	for k, want := range []string{"/data.arff", ""} {
		out, errs, code := invoke(t, "init", "openml:data/31", "--yes", "--force", "-o", file)
		if code != 0 || !strings.Contains(errs, "{kind: kfold, k: 5, stratify: true}") || want != "" && !strings.Contains(out, want) || want == "" && strings.Contains(out, "/data.arff") {
			t.Errorf("%d: code %d\n%s\n%s", k, code, out, errs)
		}
	}
}
