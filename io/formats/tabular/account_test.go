package tabular

import (
	"testing"

	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

// TestAccount: every row and every column of the files has a use, or a reason why it has none.
func TestAccount(t *testing.T) {
	const wide = "gene,s1,s2,about,s3\ng1,1,2,x,3\ng2,4,,y,6\nnote,q,r,s,t\n"
	for _, c := range []struct {
		name, want string
		with       func(*Text)
		files      map[string]string
	}{
		{
			"all roles", "rows: 2; columns: 2 of 10 (target: y1, y2; weight: w; time: day; group: g; id: id; dropped: note, \"\")",
			func(t *Text) {
				t.Columns = Columns{ID: "id", Group: "g", Time: "day", Weight: "w", Drop: []string{"note", ""}, Categorical: []string{"c"}}
				t.Target.Column, t.Target.Columns = "", []string{"y*"}
			},
			map[string]string{"all": "y1,w,day,c,x,note,,g,id,y2\n1,1,2024-01-01,a,3,hm,1,p,i,1\n2,1,2024-01-02,b,4,hm,2,q,j,0\n"},
		},
		{
			"gaps", "rows: 3 of 7 (2 without a response; 2 with a missing value: 1 no, 1 yes); columns: 2 of 3 (target: y)",
			func(t *Text) {
				t.Target.Column, t.Target.Missing, t.Prepare.Missing.All = "y", "drop-rows", "drop-rows"
			},
			map[string]string{"train": "a,b,y\n1,2,yes\n3,,\n3,,yes\n3,1,\n", "test": "y,b,a\nno,2,1\nno,2,\nyes,1,1\n"},
		},
		{
			"times and events", "rows: 2 of 3 (1 without a response); columns: 1 of 3 (target.time: t; target.event: e)",
			func(t *Text) {
				t.Target.Column, t.Target.Type, t.Target.Time, t.Target.Event, t.Target.Missing = "", "survival", source.Endpoints{"t"}, source.Endpoints{"e"}, "drop-rows"
			},
			map[string]string{"all": "a,t,e\n1,2,1\n3,,1\n3,5,0\n"},
		},
		{
			"a category without a value", "rows: 2; columns: 1 of 3 (target: y; without a value: c)",
			func(t *Text) { t.Target.Column, t.Columns.Categorical = "y", []string{"c"} },
			map[string]string{"all": "c,a,y\n,1,2\nNA,3,4\n"},
		},
		{
			"joined", "rows: 1 of 4 (1 without a partner in join; 1 without a partner in join2; 1 without a response); columns: 3 of 8 (id: id, k, id; target: y; not named: note)",
			func(t *Text) {
				t.Columns.ID, t.Target.Column, t.Target.Missing = "id", "y", "drop-rows"
				t.Join = append(byColumn("k", "b", "c"), byColumn("id")...)
				t.Join[0].Unmatched, t.Join[1].Unmatched = dropEither, dropEither
			},
			map[string]string{"all": "id,a\ni,1\nj,2\nk,3\nl,4\n", "join": "k,b,c\ni,1,1\nj,1,1\nk,1,1\nm,1,1\n", "join2": "id,y,note\ni,1,n\nj,,n\n"},
		},
		{
			"on its side", "rows: 3 of 4 (annotation: about); columns: 1 of 4 (id: gene; target: g1; dropped: note)",
			func(t *Text) {
				t.Samples, t.Columns.Annotations, t.Columns.Drop, t.Target.Column = inColumns, []string{"ab*"}, []string{"note"}, "g1"
			},
			map[string]string{"all": wide},
		},
		{
			"columns that no class has", "rows: 2; columns: 2 of 4 (target: y; in no class: c)",
			func(t *Text) {
				t.Target.Column, t.Columns.Categorical, t.Features.Classes = "y", []string{"c"}, source.Classes{Names: "^(p)", Unclassed: "drop", Overlap: "error"}
			},
			map[string]string{"all": "p1,c,y,p2\n1,u,2,5\n2,v,3,1\n"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := sourcetest.Load(csvOf(c.with), c.files)
			if err != nil {
				t.Fatal(err)
			}
			if got := d.Accounts().String(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
