package stagewise

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"tenfold/engines"
	"testing"
)

func TestMem(t *testing.T) {
	if os.Getenv("TENFOLD_MEM") == "" {
		t.Skip()
	}
	b := &testing.B{}
	train, test := problem(b, filepath.Join(os.Getenv("TENFOLD_MEM"), "A"))
	show := func(s string) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		t.Logf("%s alloc %d sys %d idle %d released %d ngc %d total %d peak %.0f", s, m.HeapAlloc>>20, m.HeapSys>>20, m.HeapIdle>>20, m.HeapReleased>>20, m.NumGC, m.TotalAlloc>>20, peak())
	}
	show("loaded")
	e := Kind.Defaults().(Stagewise)
	e.Choose, e.MaxIter, e.TestEvery = "test", 62_100, 100
	w, _ := e.start(context.Background(), engines.Run{Train: train, Watch: test, Rand: rand.New(rand.NewPCG(1, 2))})
	show("started")
	w.walk(context.Background())
	show("walked")
	runtime.GC()
	show("gc")
	m := w.model(e.fitted(w))
	show("model")
	_ = m
	f, _ := os.Create("/tmp/sw/mem.prof")
	pprof.Lookup("heap").WriteTo(f, 0)
	f.Close()
	runtime.KeepAlive(w)
	runtime.KeepAlive(train)
}
