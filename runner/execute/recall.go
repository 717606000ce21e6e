package execute

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"sync"
	"time"
	"weak"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/data/digest"
	"tenfold/engines/registry"
	"tenfold/io/journal"
	"tenfold/runner/metric"
)

// innerSchema is part of the key of every work inside a fit. Raise it when the meaning of a stored result changes.
const innerSchema = 1

// InnerStore keeps the results of works inside fits, by part of the run: works of different parts are never the same.
type InnerStore interface {
	// Inner returns those of a part. sound is called before any are written, and keeps them out with an error.
	Inner(part string, sound func() error) *journal.Inner
}

// InnerPart names the part of a run that is on a fold of a data set: its units can have works in common.
func InnerPart(dataset, fold string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "tenfold inner part\n%s\n%s", dataset, fold))
	return hex.EncodeToString(sum[:16])
}

// innerLogs are the open logs of a run, by unit. A log is opened when the first work of its part looks for a result, and closed when
// the last unit of the part has ended. It is safe for concurrent use.
type innerLogs struct {
	store     InnerStore
	revisions registry.Revisions
	ofAll     string
	sound     func() error

	mu    sync.Mutex
	parts map[*Unit]*innerPart
}

type innerPart struct {
	name  string
	units int // that have not ended
	open  sync.Once
	log   *journal.Inner // nil before the first work
	views viewDigests
}

// viewDigests holds the digests of views, which units of a part share. It is safe for concurrent use.
type viewDigests struct {
	mu    sync.Mutex
	known map[weak.Pointer[data.View]]string
}

// newInnerLogs names the parts before anything runs: digests may be in mapped files, which can become unreadable.
func newInnerLogs(opt Options, units []*Unit) *innerLogs {
	l := &innerLogs{store: opt.Inner, revisions: opt.Revisions, ofAll: opt.RevisionsOfAll, sound: opt.checkData, parts: map[*Unit]*innerPart{}}
	named := map[string]*innerPart{}
	for _, u := range units {
		name := InnerPart(u.Label.DatasetDigest, u.Label.FoldDigest)
		if named[name] == nil {
			named[name] = &innerPart{name: name, views: viewDigests{known: map[weak.Pointer[data.View]]string{}}}
		}
		l.parts[u] = named[name]
		l.parts[u].units++
	}
	return l
}

// open returns the log of a unit's part.
func (l *innerLogs) open(u *Unit) *journal.Inner {
	part := l.parts[u]
	part.open.Do(func() {
		log := l.store.Inner(part.name, l.sound)
		l.mu.Lock()
		defer l.mu.Unlock()
		part.log = log
	})
	return part.log
}

// removeUnit writes the results of the unit's works that are not written yet, and closes the log of its part after the last one there.
func (l *innerLogs) removeUnit(u *Unit) {
	l.mu.Lock()
	defer l.mu.Unlock()
	part := l.parts[u]
	part.units--
	switch {
	case part.log == nil:
	case part.units == 0:
		part.log.Close()
	default:
		part.log.Flush()
	}
}

// recaller is the engines.Recall of the fits of one unit.
type recaller struct {
	log       func() *journal.Inner
	scope     string // what all works of the unit share
	revisions registry.Revisions
	alone     bool // no other unit runs
	views     *viewDigests
}

// newRecaller returns the recaller of a unit; nil if the run keeps no results of works.
func newRecaller(u *Unit, train *data.View, logs *innerLogs, alone bool) *recaller {
	if logs.store == nil {
		return nil
	}
	recipe, err := json.Marshal(u.Split.Recipe)
	if err != nil { // as plain as in keys of units
		return nil
	}
	inner, err := json.Marshal(u.Inner)
	if err != nil {
		return nil
	}
	measured := 0
	for t := range train.Targets() {
		measured = max(measured, metric.Revision(train.TargetInfo(t).Type))
	}
	return &recaller{
		log:       sync.OnceValue(func() *journal.Inner { return logs.open(u) }),
		scope:     fmt.Sprintf("tenfold work %d\n%s\n%s\n%s\n%s\n%s\n%d\n", innerSchema, u.Label.DatasetDigest, u.Label.FoldDigest, recipe, inner, logs.ofAll, measured),
		revisions: logs.revisions, alone: alone, views: &logs.parts[u].views,
	}
}

// credit is what the results that were recalled inside a work, or a whole fit, took when they were computed.
type credit struct{ wall, cpu seconds }

// recall returns the engines.Recall of a fit, or of a work inside it.
func (r *recaller) recall(to *credit) engines.Recall {
	if r == nil {
		return nil
	}
	return func(run engines.Run, w engines.Work, do func(inside engines.Run) (engines.Yield, error)) (engines.Yield, float64, error) {
		key, known := r.key(run, w)
		if known {
			if stored, ok := r.log().Get(key); ok {
				to.wall.add(stored.Seconds)
				to.cpu.add(stored.CPUSeconds)
				return stored.Yield, stored.Seconds, nil
			}
		}
		var inside credit
		var opened openedFiles
		nested := run
		nested.Recall = r.recall(&inside)
		nested.Opened = func(f data.Fact) {
			opened.add(f)
			if run.Opened != nil {
				run.Opened(f)
			}
		}
		var charged seconds
		nested.Charge = func(seconds float64) {
			charged.add(seconds)
			if run.Charge != nil {
				run.Charge(seconds)
			}
		}
		start, cpu := time.Now(), cpuSeconds(r.alone)
		yield, err := do(nested)
		took, spent := time.Since(start).Seconds(), cpuSeconds(r.alone)-cpu+charged.sum()
		to.wall.add(inside.wall.sum())
		to.cpu.add(inside.cpu.sum())
		took += inside.wall.sum()
		if spent += inside.cpu.sum(); r.alone || math.IsNaN(spent) { // the processor's time is not that of this work alone
			spent = took
		}
		if known && err == nil && len(opened.facts()) == 0 {
			r.log().Put(key, journal.InnerResult{Seconds: took, CPUSeconds: spent, Yield: yield})
		}
		return yield, took, err
	}
}

// key returns the key of a work; false if it cannot be told from all others.
func (r *recaller) key(run engines.Run, w engines.Work) (key journal.InnerKey, ok bool) {
	engine, ok := r.revisions.Identity(w.Engine)
	if !ok {
		return key, false
	}
	h := sha256.New()
	io.WriteString(h, r.scope)
	fmt.Fprintf(h, "%q\n%q\n%x\n", w.What, engine, w.Seed)
	for _, v := range w.On {
		io.WriteString(h, r.views.digest(v, run.Train))
	}
	if w.Columns != nil {
		b := make([]byte, 4*len(w.Columns)+1)
		for k, j := range w.Columns {
			binary.LittleEndian.PutUint32(b[4*k+1:], uint32(j))
		}
		h.Write(b)
	}
	return journal.InnerKey(h.Sum(nil)[:16]), true
}

// digest identifies a view: by its rows if they are those of a larger view, else by its content.
func (d *viewDigests) digest(v, within *data.View) string {
	name := weak.Make(v)
	d.mu.Lock()
	known, ok := d.known[name]
	d.mu.Unlock()
	if ok {
		return known
	}
	sum := ""
	if v != within && v.IsBeside(within) {
		h := sha256.New()
		io.WriteString(h, d.digest(within, within))
		for _, rows := range []*data.View{within, v} {
			b := make([]byte, 0, 4*rows.Len()+8)
			b = binary.LittleEndian.AppendUint64(b, uint64(rows.Len()))
			for i := range rows.Len() {
				b = binary.LittleEndian.AppendUint32(b, uint32(rows.Origin(i)))
			}
			h.Write(b)
		}
		sum = "rows " + hex.EncodeToString(h.Sum(nil))
	} else {
		sum = digest.View(v)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known[name] = sum
	return sum
}
