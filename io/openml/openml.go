// Package openml asks an OpenML server what its tasks and data sets are: where the files are, what is predicted, from which columns, on
// which splits. It downloads no data.
package openml

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Address is that of the public server.
const Address = "https://www.openml.org"

// Prefix begins the name of what a server has: openml:361 is a task, openml:data/31 a data set.
const Prefix = "openml:"

// Server answers questions about tasks and data sets.
type Server struct {
	Address string
	Get     func(ctx context.Context, url string) ([]byte, error) // returns what is at a URL
}

// Named is what a name means: a data set, and the task on it if the name is a task's.
type Named struct {
	Task int // 0 for none
	Data Dataset

	Target string // column to predict; "" if nobody says
	Real   bool   // whether a task predicts a number
	Splits string // URL of the task's list of folds; "" for none
}

// Dataset describes a data set.
type Dataset struct {
	ID                 int
	Name, URL, Licence string   // URL is that of an ARFF file
	Left               []string // columns that are no features: ids of rows, and those to be ignored

	target string // column; "" for none, or for several
}

// words is a text or a list of texts in JSON, as the server has one where there is one.
type words []string

func (w *words) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*w = words{one}
		return nil
	}
	var many []string
	if json.Unmarshal(text, &many) == nil {
		*w = many
	}
	return nil // an empty element is an empty list or object
}

// first returns the first text, "" for none.
func (w words) first() string {
	if len(w) == 0 {
		return ""
	}
	return strings.TrimSpace(w[0])
}

// Find returns what name, with Prefix, means. The error says what names are like where this is none.
func (s Server) Find(ctx context.Context, name string) (*Named, error) {
	text, isData := strings.CutPrefix(strings.TrimPrefix(strings.TrimPrefix(name, Prefix), "task/"), "data/")
	id, err := strconv.Atoi(text)
	if err != nil || id <= 0 {
		return nil, fmt.Errorf("%s: expected %s and the number of a task, such as %s361, or of a data set, %sdata/31", name, Prefix, Prefix, Prefix)
	}
	found := &Named{}
	if !isData {
		if id, err = s.task(ctx, id, found); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if found.Data, err = s.dataset(ctx, id); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	found.Target = cmp.Or(found.Target, found.Data.target)
	return found, nil
}

// ask decodes the answer to a question into to.
func (s Server) ask(ctx context.Context, question string, to any) error {
	url := strings.TrimSuffix(cmp.Or(s.Address, Address), "/") + "/api/v1/json/" + question
	text, err := s.Get(ctx, url)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(bytes.TrimSpace(text), to); err != nil {
		return fmt.Errorf("%s: the answer is none that is known: %w", url, err)
	}
	return nil
}

// task fills in what a task says, and returns the number of its data set.
func (s Server) task(ctx context.Context, id int, found *Named) (data int, err error) {
	var answer struct {
		Task struct {
			Type   string `json:"task_type"`
			TypeID words  `json:"task_type_id"`
			Input  []struct {
				Name string
				Data struct {
					ID     words `json:"data_set_id"`
					Target words `json:"target_feature"`
				} `json:"data_set"`
				Procedure struct {
					Splits words `json:"data_splits_url"`
				} `json:"estimation_procedure"`
			}
		}
	}
	if err := s.ask(ctx, fmt.Sprintf("task/%d", id), &answer); err != nil {
		return 0, err
	}
	const classification, regression = "1", "2"
	switch kind := answer.Task.TypeID.first(); kind {
	case classification:
	case regression:
		found.Real = true
	default:
		return 0, fmt.Errorf("a task of type %q, expected a classification or a regression; %sdata/ID takes its data alone", cmp.Or(answer.Task.Type, kind), Prefix)
	}
	found.Task = id
	for _, in := range answer.Task.Input {
		switch in.Name {
		case "source_data":
			found.Target = in.Data.Target.first()
			data, _ = strconv.Atoi(in.Data.ID.first())
		case "estimation_procedure":
			found.Splits = in.Procedure.Splits.first()
		}
	}
	if data == 0 {
		return 0, fmt.Errorf("the task names no data set")
	}
	return data, nil
}

// dataset returns what the server says of a data set.
func (s Server) dataset(ctx context.Context, id int) (Dataset, error) {
	var answer struct {
		Data struct {
			Name, Format, Licence, URL words
			Target                     words `json:"default_target_attribute"`
			RowID                      words `json:"row_id_attribute"`
			Ignored                    words `json:"ignore_attribute"`
		} `json:"data_set_description"`
	}
	if err := s.ask(ctx, fmt.Sprintf("data/%d", id), &answer); err != nil {
		return Dataset{}, err
	}
	d := answer.Data
	if format := d.Format.first(); !slices.Contains([]string{"arff", "sparse_arff"}, strings.ToLower(format)) {
		return Dataset{}, fmt.Errorf("data set %d has the format %q, expected ARFF; download it from %s, and give the file to init", id, format, cmp.Or(d.URL.first(), "the server"))
	}
	if d.URL.first() == "" {
		return Dataset{}, fmt.Errorf("the server names no file of data set %d", id)
	}
	out := Dataset{ID: id, Name: cmp.Or(d.Name.first(), fmt.Sprint(id)), URL: d.URL.first(), Licence: d.Licence.first()}
	if target := d.Target.first(); !strings.Contains(target, ",") { // a list means several
		out.target = target
	}
	for _, list := range []words{d.RowID, d.Ignored} {
		for _, names := range list {
			for name := range strings.SplitSeq(names, ",") {
				if name = strings.TrimSpace(name); name != "" && !slices.Contains(out.Left, name) {
					out.Left = append(out.Left, name)
				}
			}
		}
	}
	return out, nil
}
