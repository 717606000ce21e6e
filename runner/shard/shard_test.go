package shard

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/io/results"
)

func TestPack(t *testing.T) {
	t.Parallel()
	works := func(n int, each Work) []Work {
		w := make([]Work, n)
		for i := range w {
			w[i] = each
			w[i].Key = fmt.Sprint(i)
		}
		return w
	}
	for _, c := range []struct {
		name  string
		work  []Work
		slots int
		want  []int // units of each shard, sorted
	}{
		{"nothing", nil, 4, nil},
		{"short ones together", works(400, Work{Time: 2 * time.Second}), 4, slices.Repeat([]int{25}, 16)},
		{"never for less than it takes to start", works(40, Work{Time: time.Second}), 8, slices.Repeat([]int{10}, 4)},
		{"never for longer than is wise to lose", works(100, Work{Time: 20 * time.Minute}), 1, slices.Repeat([]int{2}, 50)},
		{"long ones alone", append(works(20, Work{Time: time.Second}), Work{Key: "long", Time: time.Hour}), 2, []int{1, 20}},
		{"unknown times are taken as equal", works(64, Work{}), 4, slices.Repeat([]int{4}, 16)},
		{"much memory is not asked for by those that need little", append(works(8, Work{Time: time.Second, Memory: 1 << 20}), Work{Key: "large", Time: time.Second, Memory: 1 << 34}), 1, []int{1, 8}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var sizes []int
			seen := map[string]bool{}
			for _, s := range Pack(c.work, c.slots) {
				sizes = append(sizes, len(s.Units))
				for _, u := range s.Units {
					if seen[u] {
						t.Errorf("unit %s twice", u)
					}
					seen[u] = true
				}
			}
			slices.Sort(sizes)
			if len(seen) != len(c.work) || !slices.Equal(sizes, c.want) {
				t.Errorf("%d of %d units, in shards of %v, want %v", len(seen), len(c.work), sizes, c.want)
			}
		})
	}
}

func TestPackKeepsDataTogetherAndSums(t *testing.T) {
	t.Parallel()
	var work []Work
	for i := range 40 {
		work = append(work, Work{Key: fmt.Sprint(i), Time: time.Duration(1+i%2) * time.Second, Limit: time.Minute, Memory: int64(1500 + i), Data: i % 2})
	}
	shards := Pack(work, 1)
	for _, s := range shards {
		want := Shard{}
		for _, u := range s.Units {
			var n int
			fmt.Sscan(u, &n)
			want.Units = append(want.Units, u)
			want.Time += work[n].Time
			want.Limit += work[n].Limit
			want.Memory = max(want.Memory, work[n].Memory)
		}
		if !reflect.DeepEqual(s, want) {
			t.Errorf("got %+v, want %+v", s, want)
		}
	}
	mixed := 0
	for _, s := range shards {
		data := map[int]bool{}
		for _, u := range s.Units {
			var n int
			fmt.Sscan(u, &n)
			data[work[n].Data] = true
		}
		if len(data) > 1 {
			mixed++
		}
	}
	if mixed > 1 {
		t.Errorf("%d shards are on several data sets", mixed)
	}
	if one := Pack(append(work, Work{Key: "x"}), 1); one[len(one)-1].Limit != 0 && one[0].Limit != 0 {
		t.Error("a unit without a limit has no part in any sum")
	}
}

func TestAsk(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want Ask }{
		{Ask{time.Second, 1}, Ask{time.Minute, 1 << 20}},
		{Ask{3 * time.Minute, 3 << 20}, Ask{3 * time.Minute, 3 << 20}},
		{Ask{200 * time.Second, 3<<20 + 1}, Ask{4 * time.Minute, 4 << 20}},
		{Ask{61 * time.Minute, 700 << 20}, Ask{64 * time.Minute, 768 << 20}},
	} {
		if got := c.in.Round(); got != c.want || got.Round() != got {
			t.Errorf("%v: %v, want %v", c.in, got, c.want)
		}
	}
}

func TestPlan(t *testing.T) {
	t.Parallel()
	run := t.TempDir()
	p := &Plan{Run: run, Cache: "c", Data: []string{"d"}, Path: "x.yaml", Spec: "tenfold: 1\n", Sets: []results.Set{{Name: "a", Digest: "b"}},
		Shards: []Shard{{Units: []string{"u"}, Time: time.Second, Ask: Ask{time.Minute, 5}}}}
	for want := 1; want <= 2; want++ {
		path, round, err := p.Write()
		if err != nil || round != want || path != Path(run, want) {
			t.Fatal(path, round, err)
		}
		if got, err := ReadFile(path); err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("%v: %+v, want %+v", err, got, p)
		}
	}
	if rounds, err := Rounds(run); err != nil || !slices.Equal(rounds, []int{1, 2}) {
		t.Error(rounds, err)
	}
	if rounds, err := Rounds(t.TempDir()); err != nil || rounds != nil {
		t.Error(rounds, err)
	}
	if _, err := p.Shard(1); err == nil || err.Error() != "shard 1: expected 0 to 0" {
		t.Error(err)
	}
	for content, want := range map[string]string{
		"":                             "not a plan of shards",
		`{"schema":2,"shards":[{}]}`:   "version 2; this tenfold reads version 1",
		`{"schema":1}`:                 "a plan without shards",
		`{"schema":1,"shards":[{"a":`:  "not a plan of shards",
		`{"schema":1,"shards":"many"}`: "not a plan of shards",
	} {
		path := filepath.Join(t.TempDir(), "1.json")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%s: %v, want %s", content, err, want)
		}
	}
}

func BenchmarkPack(b *testing.B) {
	work := make([]Work, 100_000)
	for i := range work {
		work[i] = Work{Key: fmt.Sprint(i), Time: time.Duration(i%7+1) * time.Second, Memory: int64(i%3) << 28, Data: i % 50}
	}
	for b.Loop() {
		Pack(work, 100)
	}
}

// TestSum: what is not known, or has no end, makes a sum that is not known either.
func TestSum(t *testing.T) {
	for _, c := range []struct {
		first      bool
		a, b, want time.Duration
	}{{true, 0, 5, 5}, {true, 0, 0, 0}, {false, 3, 5, 8}, {false, 0, 5, 0}, {false, 3, 0, 0}, {false, 1, 5, 6}, {false, 3, 1, 4}} {
		if got := addKnown(c.first, c.a, c.b); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
