package method

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/io/files"
	"tenfold/runner/method/declaration"
	"tenfold/runner/method/exchange"
	"tenfold/runner/method/process"
)

// ModelKind is the kind of a method's model in a model file.
const ModelKind = "method"

// Limits of the files below the folder model that a model file can keep.
const (
	mostModel      = 256 << 20 // bytes
	mostModelFiles = 1000
)

// keptModel is the state of a model that a method predicts with: the declaration that starts the method again, and the files that
// it left.
type keptModel struct {
	Method   keptMethod           `json:"method"`
	Identity declaration.Identity `json:"identity"` // identity when it was fitted
	Request  exchange.Request     `json:"request"`  // request of the fit
	Coefs    engines.Coefs        `json:"coefs"`    // values are NaN for columns selected without coefficients
	Fitted   engines.Fitted       `json:"fitted"`
	Files    []modelFile          `json:"files"` // below model, by path
}

// keptMethod is the part of a declaration that starts the method.
type keptMethod struct {
	Name      string                `json:"name"`
	Folder    string                `json:"folder"` // of the declaring file
	Command   []string              `json:"command"`
	Code      []string              `json:"code,omitempty"`
	Version   []string              `json:"version,omitempty"`
	Output    []string              `json:"output"`
	Tasks     bool                  `json:"tasks,omitempty"`
	Matrix    string                `json:"matrix"`
	Env       []string              `json:"env,omitempty"`
	Container declaration.Container `json:"container,omitzero"`
	Sandbox   bool                  `json:"sandbox,omitempty"`
}

type modelFile struct {
	Path    string `json:"path"` // with slashes
	Content []byte `json:"content"`
}

// Save returns the method, and the files that it left in the folder model of its exchange folder. It fails if the host does not
// keep models, or if the method left no files there, or too many.
func (m *Model) Save() (engines.Saved, error) {
	f, d := m.fit, m.fit.engine.declaration
	if f.kept != nil {
		return engines.SaveAs(ModelKind, f.kept)
	}
	found, err := readModel(f.folder.Folder)
	if err != nil {
		return engines.Saved{}, fmt.Errorf("method %s: %w", d.Name, err)
	}
	r := f.request
	r.Files, r.Folder = exchange.RequestFiles{Features: exchange.FeaturesFile}, ""
	coefs := slices.Clone(m.Coefs())
	slices.SortFunc(coefs, func(a, b engines.Coef) int {
		return cmp.Or(cmp.Compare(a.Output, b.Output), cmp.Compare(a.Feature, b.Feature))
	})
	return engines.SaveAs(ModelKind, keptModel{
		Method: keptMethod{
			Name: d.Name, Folder: d.Folder, Command: d.Command, Code: d.Code, Version: d.Version, Output: d.Output, Tasks: d.Tasks,
			Matrix: d.Matrix, Env: d.Env, Container: d.Container, Sandbox: d.Sandbox,
		},
		Identity: d.Known, Request: r, Coefs: coefs, Fitted: f.fitted, Files: found,
	})
}

// readModel reads the files below the folder model.
func readModel(folder files.Folder) (found []modelFile, err error) {
	entries, total := 0, int64(0)
	var walk func(dir string) error
	walk = func(dir string) error {
		inside, err := folder.ReadDir(dir)
		if err != nil {
			return err
		}
		entries += len(inside)
		for _, e := range inside {
			name := path.Join(dir, e.Name())
			if e.IsDir() {
				err = walk(name)
			} else {
				var content []byte
				content, err = exchange.ReadLimited(folder, name, mostModel)
				total += int64(len(content))
				found = append(found, modelFile{strings.TrimPrefix(name, exchange.ModelFolder+"/"), content})
			}
			if err == nil && (total > mostModel || entries > mostModelFiles) {
				err = fmt.Errorf("the folder %s has more than %d files and folders, or than %d MiB", exchange.ModelFolder, mostModelFiles, mostModel>>20)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	err = walk(exchange.ModelFolder)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(found) == 0 {
		return nil, fmt.Errorf("its model cannot be kept in a file: it left nothing in the folder %s of its answer, from which another process could predict", exchange.ModelFolder)
	}
	if err != nil {
		return nil, fmt.Errorf("its model cannot be kept in a file: %w", err)
	}
	return found, nil
}

// Restorer restores models of methods, which run where its host may.
type Restorer struct {
	Context  context.Context // ends the processes that predict
	Host     *Host
	Restored []*Restored // in the order in which they were restored
}

// Restored is the method of a model from a file.
type Restored struct {
	*declaration.Declaration
	Was    declaration.Identity // identity when the model was fitted
	digest string
}

// Consent returns what a user is asked to allow: that of the declaration, and the model itself, which may be a program, too (such as a
// Python pickle).
func (r *Restored) Consent(excluded ...string) (declaration.Consent, error) {
	c, err := r.Declaration.Consent(excluded...)
	if err != nil {
		err = fmt.Errorf("%w (--methods FOLDER names another folder)", err)
	}
	c.Model = r.digest
	return c, err
}

// Digest returns the digest of what the model file would run.
func (r *Restored) Digest() string {
	c := r.Outline()
	c.Model = r.digest
	return c.Digest()
}

// InFolder returns false: the model file names the folder, and anybody may have written it.
func (r *Restored) InFolder() bool { return false }

// Restore makes the model of its state, as engines.Restore says. It starts nothing: the caller first decides about what was restored.
func (r *Restorer) Restore(state json.RawMessage, features *data.Features, _ engines.Part) (engines.Model, error) {
	var kept keptModel
	if err := engines.Decode(state, &kept); err != nil {
		return nil, err
	}
	k := kept.Method
	d := declaration.Defaults()
	d.Name, d.Folder, d.Command, d.Code, d.Version, d.Output, d.Tasks = k.Name, k.Folder, k.Command, k.Code, k.Version, k.Output, k.Tasks
	d.Matrix, d.Env, d.Container, d.Sandbox, d.Params = k.Matrix, k.Env, k.Container, k.Sandbox, kept.Identity.Defaults
	if err := d.Validate(); err != nil {
		return nil, err
	}
	if !filepath.IsAbs(d.Folder) {
		return nil, fmt.Errorf("folder: %q, expected a path from the root", d.Folder)
	}
	if !d.Gives(declaration.Predictions) {
		return nil, fmt.Errorf("output: %q, expected %s among it", d.Output, declaration.Predictions)
	}
	targets, err := kept.Request.CheckedTargets(d.Tasks)
	if err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	expected := exchange.Expected{Columns: features.Len(), Targets: targets, Output: d.Gives}
	if kept.Request.Columns != features.Len() {
		return nil, fmt.Errorf("request: %d columns, and there are %d", kept.Request.Columns, features.Len())
	}
	if err := kept.Coefs.Check(features.Len(), expected.Outputs()); err != nil {
		return nil, err
	}
	if err := checkModelFiles(kept.Files); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(state)
	r.Restored = append(r.Restored, &Restored{&d, kept.Identity, hex.EncodeToString(sum[:16])})
	return &Model{
		fit: &fit{
			engine: Engine{declaration: &d, host: r.Host}, host: r.Host, workers: kept.Request.Workers, ctx: r.Context, fitted: kept.Fitted,
			expected: expected, kept: &kept, features: features,
		},
		coefs: kept.Coefs,
	}, nil
}

// checkModelFiles returns an error if files would not be below the folder model, or are too many.
func checkModelFiles(files []modelFile) error {
	total := 0
	for k, f := range files {
		total += len(f.Content)
		switch {
		case !filepath.IsLocal(filepath.FromSlash(f.Path)) || f.Path != path.Clean(f.Path) || f.Path == ".":
			return fmt.Errorf("files[%d]: path %q, expected one below the folder %s", k, f.Path, exchange.ModelFolder)
		case k >= mostModelFiles || total > mostModel:
			return fmt.Errorf("files: more than %d, or than %d MiB", mostModelFiles, mostModel>>20)
		}
	}
	return nil
}

// CheckCode returns an error unless the files of the code are those that made the model.
func (r *Restored) CheckCode() error {
	if _, err := os.Stat(r.Folder); err != nil {
		return fmt.Errorf("method %s: its code was in %s, which is not here: --methods FOLDER says where it is", r.Name, r.Folder)
	}
	return r.checkIdentity(r.Was.Version)
}

// CheckVersion returns an error unless the version command, which it runs, prints what it printed when the model was fitted.
func (r *Restored) CheckVersion(ctx context.Context) error {
	version, err := process.AskVersion(ctx, r.Declaration)
	if err != nil {
		return err
	}
	return r.checkIdentity(version)
}

// checkIdentity returns an error unless the method, of a version, is the one that made the model.
func (r *Restored) checkIdentity(version string) error {
	is, err := r.Identity(version, r.Was.Run)
	if err != nil {
		return fmt.Errorf("method %s: %w (--methods FOLDER names another folder)", r.Name, err)
	}
	is.Declares = r.Was.Declares // capabilities of fitting are not kept
	if text := declaration.Difference(r.Was.JSON(), is.JSON()); text != "" {
		return fmt.Errorf("method %s: the model was fitted by other code: %s; fit it again", r.Name, text)
	}
	return nil
}

// open makes an exchange folder with the files of a model from a file.
func (f *fit) open() (err error) {
	if f.folder, err = f.host.NewFolder(f.engine.declaration.Name); err != nil {
		return err
	}
	for _, file := range f.kept.Files {
		if err := f.folder.Write(path.Join(exchange.ModelFolder, file.Path), exchange.FileMode, func(w io.Writer) error { _, err := w.Write(file.Content); return err }); err != nil {
			return err
		}
	}
	if err := f.folder.Write(exchange.FeaturesFile, exchange.FileMode, func(w io.Writer) error { return exchange.WriteNames(w, f.features) }); err != nil {
		return err
	}
	return f.folder.WriteJSON(exchange.RequestFile, f.kept.Request)
}
