package tabular

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

const samples = "sample,patient,a\ns1,p,1\ns2,q,2\ns3,p,3\ns4,r,4\n"

// Several rows of data may have the same partner, which they find by a column of their own.
func TestSharedPartners(t *testing.T) {
	join := func(unmatched string) Joins {
		return Joins{{File: source.Ref{Path: "x"}, By: "patient", Unmatched: unmatched, Header: true}}
	}
	for _, c := range []struct {
		name, want, y, shared, columns string
		with                           func(*Text)
	}{
		{"no ids", "a:1 ;a:2 ;a:3 ;", "[5 6 5]", "1 of 2", "1 of 6 (id: patient, patient; target: y; dropped: sample; not named: z)", func(t *Text) { t.Columns.Drop = []string{"sample"} }},
		{"ids of their own", "s1 a:1 ;s2 a:2 ;s3 a:3 ;", "[5 6 5]", "1 of 2", "1 of 6 (id: sample, patient; join: patient; target: y; not named: z)", func(t *Text) { t.Columns.ID = "sample" }},
		{"groups", "a:1 ;a:2 ;a:3 ;", "[5 6 5]", "1 of 2", "", func(t *Text) { t.Columns.Drop, t.Columns.Group = []string{"sample"}, "patient" }},
		{"categories", "s1 patient=p:1 a:1 ;s2 patient=q:1 a:2 ;s3 patient=p:1 a:3 ;", "[5 6 5]", "1 of 2", "", func(t *Text) { t.Columns.ID, t.Columns.Categorical = "sample", []string{"patient"} }},
		{"two tables", "s1 a:1 ;s3 a:3 ;", "[5 5]", "1 of 2 1 of 1", "", func(t *Text) {
			t.Columns.ID, t.Join, t.Columns.Weight = "sample", append(join("drop"), join("drop")...), "w"
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			format := csvOf(func(t *Text) {
				t.Target.Column, t.Join = "y", join("drop")
				c.with(t)
			})
			d := sourcetest.MustLoad(t, format, map[string]string{"all": samples, "join": "patient,y,z\nq,6,0\np,5,1\n", "join2": "patient,w\np,2\n"})
			var shared []string
			warned := false
			for _, fact := range d.Facts {
				if strings.HasSuffix(fact.Name, "that several rows of data share") {
					shared = append(shared, fact.Value)
				}
				warned = warned || fact.Name == "warning"
			}
			if got, y := ids(d), fmt.Sprint(d.Targets[0].Values); got != c.want || y != c.y || strings.Join(shared, " ") != c.shared || warned != (d.Groups == nil) {
				t.Errorf("got %s %s %q, warning %v\nwant %s %s %q", got, y, shared, warned, c.want, c.y, c.shared)
			}
			if got := d.Accounts().Columns.String(); c.columns != "" && got != c.columns {
				t.Errorf("columns: %s\nwant %s", got, c.columns)
			}
			if err := d.Check(); err != nil {
				t.Error(err)
			}
		})
	}
	format := csvOf(func(t *Text) { t.Target.Column, t.Columns.ID, t.Join = "y", "sample", join("drop") })
	if _, err := sourcetest.Load(format, map[string]string{"all": samples, "join": "patient,y\nq,6\np,5\nq,7\n"}); err == nil || !strings.Contains(err.Error(), `join:4:1: column "patient": found "q", as in line 2: no two rows of a joined table have the same id`) {
		t.Errorf("a partner twice: %v", err)
	}
}

// Columns of texts of a joined table are columns of texts of the data; rows are equal if all their texts are.
func TestJoinedTexts(t *testing.T) {
	format := csvOf(func(t *Text) {
		t.Columns.ID, t.Target.Column, t.Columns.Text = "id", "y", []string{"title", "note"}
		t.Columns.Drop = []string{"patient"}
		t.Join = Joins{{File: source.Ref{Path: "x"}, By: "id", Header: true}}
	})
	all := "id,title,patient,y\n1,good day,p,5\n2,bad day,p,6\n3,good day,q,7\n4,,q,8\n"
	d := sourcetest.MustLoad(t, format, map[string]string{"all": all, "join": "note,id\nday off,4\nwent well,1\nwent well,2\nwent well,3\n"})
	if got, want := ids(d), "1 title:good:1 title:day:1 note:went:1 note:well:1 ;2 title:day:1 title:bad:1 note:went:1 note:well:1 ;3 title:good:1 title:day:1 note:went:1 note:well:1 ;4 note:day:1 note:off:1 ;"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !slices.Equal(d.Texts.Names, []string{"title", "note"}) || !slices.Equal(d.Texts.Of, []int32{0, 0, 0, 1, 1, 1, 1}) {
		t.Errorf("%+v", d.Texts)
	}
	if d.Groups.Name != "text" || !slices.Equal(d.Groups.Of, []int32{0, 1, 0, 2}) {
		t.Errorf("%+v", d.Groups)
	}
	if sourcetest.Fact(d, "note: tokens") == "" || sourcetest.Fact(d, "title: tokens") == "" {
		t.Error(d.Facts)
	}
	alone := format
	alone.Columns.Text = []string{"note"}
	alone.Columns.Drop = []string{"patient", "title"}
	files := map[string]string{"all": all, "join": "note,id\nday off,4\nwent well,1\nwent well,2\nwent well,3\n"}
	if d = sourcetest.MustLoad(t, alone, files); !strings.HasPrefix(ids(d), "1 note:went:1 note:well:1 ;") || !slices.Equal(d.Groups.Of, []int32{0, 0, 0, 1}) {
		t.Errorf("%s %+v", ids(d), d.Groups)
	}
	together := format
	together.Features.Texts = "joined"
	if _, err := sourcetest.Load(together, files); err == nil || !strings.Contains(err.Error(), "features.texts: joined: columns of texts of several files are no one text; say apart") {
		t.Errorf("%v", err)
	}
}
