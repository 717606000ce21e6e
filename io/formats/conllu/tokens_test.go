package conllu

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tenfold/engines/param"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

func TestTokens(t *testing.T) {
	s := TokensKind.Defaults().(Tokens)
	s.Lower, s.CutRelation = true, true
	s.Features.Templates = source.Templates{"form[0]", "upos[0] upos[-1]", "upos[head]", "form[1]"}
	d := sourcetest.MustLoad(t, s, map[string]string{"all": example})
	want := [][]string{ // by row: the columns, the target
		{"T0:form[0]=sue", "T1:upos[-1]=*;upos[0]=PROPN", "T2:upos[head]=VERB", "T3:form[1]=likes", "nsubj"},
		{"T0:form[0]=likes", "T1:upos[-1]=PROPN;upos[0]=VERB", "T2:upos[head]=*", "T3:form[1]=it", "root"},
		{"T0:form[0]=it", "T1:upos[-1]=VERB;upos[0]=PRON", "T2:upos[head]=VERB", "T3:form[1]=*", "obj"},
		{"T0:form[0]=lost", "T1:upos[-1]=*;upos[0]=X", "T2:upos[head]=*", "T3:form[1]=*", "dep"},
		{"T0:form[0]=a%20b", "T1:upos[-1]=*;upos[0]=X", "T2:upos[head]=*", "T3:form[1]=c", "root"},
		{"T0:form[0]=c", "T1:upos[-1]=X;upos[0]=X", "T2:upos[head]=X", "T3:form[1]=*", "dep"},
	}
	if d.Rows() != len(want) {
		t.Fatalf("%d rows, want %d", d.Rows(), len(want))
	}
	for i, row := range want {
		var got []string
		for _, j := range d.X.Row(i).Idx {
			got = append(got, d.Features.Name(int(j)))
		}
		got = append(got, d.Targets[0].Levels[int(d.Targets[0].Values[i])])
		if strings.Join(got, " ") != strings.Join(row, " ") {
			t.Errorf("row %d: got %s, want %s", i, got, row)
		}
	}
	if got := fmt.Sprint(d.Groups.Of); got != "[0 0 0 1 2 2]" {
		t.Errorf("sentences: got %s", got)
	}
	d = sourcetest.MustLoad(t, s, map[string]string{"train": example, "test": example})
	if got := fmt.Sprint(d.Part, d.Groups.Of); got != "[0 0 0 0 0 0 1 1 1 1 1 1] [0 0 0 1 2 2 0 0 0 1 2 2]" {
		t.Errorf("two files: got %s", got)
	}
}

func TestTokenTargets(t *testing.T) {
	for target, levels := range map[string]string{
		relation: "dep nsubj:x obj root", upos: "PRON PROPN VERB X", xpos: "NNP PRP X _",
	} {
		s := TokensKind.Defaults().(Tokens)
		s.Target.Name = target
		if err := s.Validate(); err != nil {
			t.Errorf("%s with its default templates: %v", target, err)
			continue
		}
		if got := strings.Join(sourcetest.MustLoad(t, s, map[string]string{"all": example}).Targets[0].Levels, " "); got != levels {
			t.Errorf("%s: got %s, want %s", target, got, levels)
		}
	}
}

func TestTokenErrors(t *testing.T) {
	for _, c := range []struct{ template, want string }{
		{"form", "no"}, {"form[", "no"}, {"form[x]", "no"}, {"word[0]", "no"}, {"form[101]", "no"}, {"form[0]upos[0]", "no"},
		{"", "no"}, {"form[0] deprel[-1]", "no"}, {"form[-100] form[head]", "yes"},
	} {
		s := TokensKind.Defaults().(Tokens)
		s.Features.Templates = source.Templates{c.template}
		var bad *param.FieldError
		err := s.Validate()
		if (err == nil) != (c.want == "yes") || err != nil && (!errors.As(err, &bad) || bad.Field != "features.templates") {
			t.Errorf("%q: got %v", c.template, err)
		}
	}
	s := TokensKind.Defaults().(Tokens)
	s.Target.Name, s.Features.Cutoff = "mutual-information", 0
	if err := s.Validate(); err == nil || !strings.Contains(err.Error(), "target: ") || !strings.Contains(err.Error(), "features.cutoff: ") {
		t.Errorf("got %v", err)
	}
	if _, err := TokensKind.Defaults().Load(context.Background(), sourcetest.Input(map[string]string{"all": ""})); err == nil || !strings.HasPrefix(err.Error(), "all: no instances") {
		t.Errorf("an empty file: got %v", err)
	}
}
