package inspect

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tenfold/io/files"
	"tenfold/io/formats/conllu"
	"tenfold/io/formats/documents"
	"tenfold/io/formats/gct"
	"tenfold/io/formats/mat"
	"tenfold/io/formats/mtx"
	"tenfold/io/formats/nips"
	"tenfold/io/formats/npz"
	"tenfold/io/formats/svmlight"
	"tenfold/io/formats/vw"
	"tenfold/io/source"
)

// lookers look at files that are no tables.
var lookers = map[string]source.Source{
	SVMlight: svmlight.Kind.Defaults(), VW: vw.Kind.Defaults(), MTX: mtx.Kind.Defaults(), NIPS: nips.Kind.Defaults(), NPZ: npz.Kind.Defaults(),
	MAT: mat.Kind.Defaults(), GCT: gct.Kind.Defaults(), CoNLLU: conllu.TokensKind.Defaults(), Documents: documents.Kind.Defaults(),
}

// open opens files by role as readers do, until Close; a path that is "" is none.
func (f *Found) open(paths map[string]string) (*files.Set, error) {
	refs := map[string]files.Ref{}
	for role, path := range paths {
		if path != "" {
			refs[role] = files.Ref{Path: path}
		}
	}
	in, err := files.Open(refs, files.Folders{}, "")
	if err == nil {
		f.opened = append(f.opened, in)
	}
	return in, err
}

// Close closes the files that arrays are parts of.
func (f *Found) Close() error {
	for _, in := range f.opened {
		if err := in.Close(); err != nil {
			return err
		}
	}
	return nil
}

// look looks at files with the reader of a format.
func (f *Found) look(ctx context.Context, format string, paths map[string]string) (source.Sight, error) {
	in, err := f.open(paths)
	if err != nil {
		return source.Sight{}, err
	}
	return lookers[format].(source.Looker).Look(ctx, in)
}

// lookAtRest looks at a file that is no table, or at a folder. To a .data file belong NAME.labels, and NAME.param, without _train.
func (f *Found) lookAtRest(ctx context.Context) error {
	if f.Format == NIPS {
		f.Beside, f.Param = beside(f.Path, ".labels"), beside(f.Path, ".param")
	}
	sight, err := f.look(ctx, f.Format, map[string]string{"all": f.Path, "param": f.Param})
	if err != nil {
		return err
	}
	f.Rows, f.columns, f.samples = sight.Rows, sight.Columns, sight.Samples
	f.Labels, f.Queries = columnOf("label", sight.Labels), columnOf("qid", sight.Queries)
	for _, about := range sight.About {
		c := Column{Name: about.Name, Joined: true}
		for _, cell := range about.Cells {
			c.addCell(cell, 1)
		}
		c.settle()
		f.Columns = append(f.Columns, c)
	}
	switch {
	case f.Format == Documents:
		return f.layOut(sight.Paths)
	case len(sight.Arrays) == 1 && sight.Arrays[0].Member == "":
		f.Measure(sight.Arrays[0])
	default:
		f.Arrays = sight.Arrays
	}
	return nil
}

// partName matches names of folders of training and of test documents, such as 20news-bydate-train.
var partName = regexp.MustCompile(`(?i)^(?:.*[-_. ])?(train|test)(?:ing)?$`)

// layOut finds out which folders of documents are classes: those that have documents in them, or, where these are of training and of test
// documents, the folders below. A folder that has nearly all documents, and no other beside it, stands before them.
func (f *Found) layOut(paths []string) error {
	before, depth := "", 0
	for {
		first := foldersAt(paths, depth, before)
		parts := map[string][]string{}
		for _, name := range first {
			if m := partName.FindStringSubmatch(name); m != nil {
				part := strings.ToLower(m[1])
				parts[part] = append(parts[part], name)
			} else {
				parts[""] = append(parts[""], name)
			}
		}
		switch {
		case len(parts["train"]) > 0 && len(parts["test"]) > 0 && len(parts[""]) == 0:
			f.Parted, f.Layout, f.Classes = true, before+"{part}/{class}/**/{id}", nil
			for _, name := range first {
				if _, known := documents.PartOf(name); !known {
					f.Parts = append(f.Parts, [2]string{name, strings.ToLower(partName.FindStringSubmatch(name)[1])})
				}
				f.Classes = append(f.Classes, foldersAt(paths, depth+1, before+name+"/")...)
			}
			slices.Sort(f.Classes)
			f.Classes = slices.Compact(f.Classes)
		case len(first) == 1 && !strings.ContainsAny(first[0], "{}*") && len(foldersAt(paths, depth+1, before+first[0]+"/")) > 0:
			before, depth = before+first[0]+"/", depth+1
			continue
		default:
			f.Layout, f.Classes = before+"{class}/**/{id}", first
		}
		break
	}
	if len(f.Classes) < 2 {
		return fmt.Errorf("%s: %d files in %d folders; of documents, a folder or an archive with a folder a class was expected; tenfold describe format documents has other layouts", f.Path, len(paths), len(f.Classes))
	}
	least := depth + 1 // folders of a document
	if f.Parted {
		least++
	}
	for _, path := range paths {
		if strings.Count(path, "/") < least || !strings.HasPrefix(path, before) {
			f.Elsewhere++
		}
	}
	if f.Rows -= f.Elsewhere; f.Elsewhere > 0 {
		f.because("files in no folder of a class, which are left out: %d", f.Elsewhere)
	}
	return nil
}

// foldersAt returns the names of folders so deep, in those that paths begin with.
func foldersAt(paths []string, depth int, before string) (names []string) {
	for _, path := range paths {
		if parts := strings.Split(path, "/"); len(parts) > depth+1 && strings.HasPrefix(path, before) {
			names = append(names, parts[depth])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
