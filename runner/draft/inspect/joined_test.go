package inspect

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// joinedTo looks at data with a table of samples.
func joinedTo(t *testing.T, files map[string]string) (*Found, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var all [2]*Found
	for k, pattern := range []string{"data.*", "samples.*"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(names) != 1 {
			t.Fatal(names, err)
		}
		if all[k], err = Look(t.Context(), names[0], "", Asked{}); err != nil {
			t.Fatal(err)
		}
	}
	return all[0], all[0].JoinTable(t.Context(), all[1])
}

// sideways is a table with a gene a row, and names of samples before which and behind which others stand.
func sideways() string {
	var b strings.Builder
	b.WriteString("Hugo_Symbol,Entrez_Gene_Id,S1,S2,S3,S4,S5,S6,note\n")
	for g := range 12 {
		fmt.Fprintf(&b, "G%d,%d,%d.5,1,2,3,%s,5,text\n", g%11, 100+g, g, map[bool]string{true: "NA", false: "4"}[g == 3])
	}
	return b.String()
}

func TestJoinTable(t *testing.T) {
	t.Parallel()
	clinical := "id,patient,sex,days_to_death,vital_status,code\nS2,p1,F,3,Alive,AA\nS1,p1,M,4,Dead,AB\nS3,p2,F,5,Dead,AC\nS4,p2,F,6,Alive,AD\nS5,p3,M,7,Dead,AE\nS9,p3,M,8,Alive,AF\nS8,p4,M,9,unknown,AG\n"
	f, err := joinedTo(t, map[string]string{"data.csv": sideways(), "samples.csv": clinical})
	if err != nil {
		t.Fatal(err)
	}
	name, _ := f.Suggested()
	got := fmt.Sprint(f.SamplesInColumns, f.Rows, f.Width(), f.Gaps, f.Repeated, f.Column("vital_status").Levels, f.Sample.By, f.Sample.Annotations, f.Sample.Alone, f.Sample.Others, name)
	if want := "true 5 12 true true [Alive Dead]id[Entrez_Gene_Id note] 1 2days_to_death"; got != want {
		t.Errorf("got %s\nwant %s\n%s", got, want, strings.Join(f.Evidence, "\n"))
	}
	f, err = joinedTo(t, map[string]string{"data.csv": "key,x,y\nAB,1.5,2\nAA,2.5,3\nAC,1.5,4\n", "samples.csv": clinical})
	if err != nil || f.SamplesInColumns || f.Sample.By != "code" || f.Sample.ID != "key" || f.Sample.Others != 4 || f.Column("x") == nil {
		t.Errorf("ids of rows: %v %+v", err, f.Sample)
	}
	f, err = joinedTo(t, map[string]string{
		"data.mtx": "%%MatrixMarket matrix coordinate integer general\n2 3 2\n1 1 5\n2 3 4\n", "barcodes.tsv": "AA-1\nBB-1\nCC-1\n", "features.tsv": "g1\ng2\n",
		"samples.tsv": "barcode\ttype\nCC-1\tT\nAA-1\tB\n",
	})
	if err != nil || !f.SamplesInColumns || f.Rows != 2 || f.Width() != 2 || filepath.Base(f.Sample.Names) != "features.tsv" || f.Sample.Alone != 1 {
		t.Errorf("cells: %v %+v", err, f.Sample)
	}
	f, err = joinedTo(t, map[string]string{"data.gct": "#1.3\n1\t2\t0\t1\nid\tS-1\tS-2\nbatch\tu\tv\nA\t1\t2\n", "samples.csv": "id,y\nS-1,a\nS-2,b\n"})
	if err != nil || f.Rows != 2 || f.Width() != 1 || f.Column("batch") != nil || f.SamplesInColumns {
		t.Errorf("expression: %v %+v", err, f)
	}
	if _, err = joinedTo(t, map[string]string{"data.csv": sideways(), "samples.csv": "id,y\ns-1,a\ns-2,b\n"}); err == nil || !strings.Contains(err.Error(), `("s-1" and "S1" differ in signs or capitals alone)`) {
		t.Errorf("other signs: %v", err)
	}
}

func TestSideways(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		sideways(): true,
		"id,x1,x2,x3\na,1,2,3\nb,2,3,4\nc,3,4,5\n":                false,
		"probe,x1,x2,y\na,1,2,3\nb,2,3,4\nc,3,4,5\n":              true,
		"name,GSM1,GSM2,GSM3\na,1,2,3\nb,2,3,4\nc,3,4,5\n":        true,
		"gene,x1,x2,y\na,1,2,u\na,2,3,v\nb,3,4,u\nb,3,4,u\n":      false,
		"gene,kind,place,y\na,u,v,3\nb,u,w,4\nc,v,v,5\nd,v,v,5\n": false,
	} {
		path := filepath.Join(t.TempDir(), "t.csv")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := Look(t.Context(), path, "", Asked{})
		if err != nil || (f.Sideways() != "") != want {
			t.Errorf("%q: %v %v", text, err, f.Sideways())
		}
	}
}

// Times that are known of the dead alone are no times until death.
func TestTimesOfTheDead(t *testing.T) {
	t.Parallel()
	for time, want := range map[string]int{"7": 1, "": 0} {
		path := filepath.Join(t.TempDir(), "t.csv")
		text := "x,days_to_death,vital_status\n1,3,Dead\n2," + time + ",Alive\n3,5,Dead\n4,6,Dead\n5," + time + ",Alive\n"
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := Look(t.Context(), path, "", Asked{})
		if err != nil || len(f.Endpoints()) != want {
			t.Errorf("%q: %v, %v", time, err, f.Endpoints())
		}
	}
}
