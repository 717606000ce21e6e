package shard

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

func TestManifest(t *testing.T) {
	t.Parallel()
	p := &Plan{Shards: []Shard{{Ask: Ask{2 * time.Minute, 100 << 20}}, {Ask: Ask{time.Minute, 3 << 30}}, {Ask: Ask{time.Minute, 1}}}}
	var b bytes.Buffer
	k := Kubernetes{Name: "Epsilon_Sweep.2", Image: "registry.example/tenfold:1", Claim: "shared", Mount: "/shared", CPUs: 2, AtOnce: 2}
	if err := p.Manifest(&b, "/shared/runs/x/shards/1.json", k); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("testdata", "job.yaml"))
	if err != nil || b.String() != string(want) {
		t.Errorf("%v\n%s", err, b.String())
	}
	if name := (Kubernetes{Name: strings.Repeat("a", 62) + "/b"}).jobName(); len(name) != 62 {
		t.Error(name)
	}
	schema := os.Getenv("TENFOLD_KUBERNETES_SCHEMA")
	if schema == "" {
		t.Skip("TENFOLD_KUBERNETES_SCHEMA is not set: the manifest is compared with the recorded one alone, not with the published JSON Schema of batch/v1 Job")
	}
	compiled, err := jsonschema.NewCompiler().Compile(schema)
	if err != nil {
		t.Fatal(err)
	}
	var doc any
	if err := yaml.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(doc); err != nil {
		t.Error(err)
	}
	doc.(map[string]any)["spec"].(map[string]any)["completion"] = 3
	if compiled.Validate(doc) == nil {
		t.Error("the schema takes anything")
	}
}
