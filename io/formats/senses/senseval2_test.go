package senses

import (
	"fmt"
	"strings"
	"testing"

	"tenfold/io/source/sourcetest"
)

// lexical is a file of instances of serve-v; each is id, sense and context.
func lexical(instances ...string) string {
	text := "<corpus lang=\"en\">\n<lexelt item=\"serve-v\">\n"
	for _, one := range instances {
		f := strings.SplitN(one, " ", 3)
		text += fmt.Sprintf("<instance id=%q>\n<answer instance=%q senseid=%q/>\n<context>\n%s\n</context>\n</instance>\n", f[0], f[0], f[1], f[2])
	}
	return text + "</lexelt>\n</corpus>\n"
}

const (
	tea  = `serve-v.x_1_7 S10 <wf pos="TO">to</wf> FRASL <head> <wf pos="VB">serve</wf></head> <compound><wf pos="NN">Tea</wf></compound> <wf pos=".">.</wf>`
	army = `serve-v.x_1_9: S2 <s snum="3"/> <wf pos="PRP">he</wf> <head><wf pos="VBD">served</wf></head>`
)

func TestSenseval2(t *testing.T) {
	d := sourcetest.MustLoad(t, Senseval2{all(defaultOptions(anyPOS))}, map[string]string{"all/serve.pos": lexical(tea, army)})
	want := []string{
		"serve-v.x_1_7 serve-v S10: b_to tea, bag_tea, bag_to, bm_<s> to, bp_tea ., form_serve, morph_base, nounp_tea, pos_VB, posm1_TO, posp1_NN, posp2_., wm1_to, wm2_<s>, wp1_tea, wp2_.",
		"serve-v.x_1_9: serve-v S2: b_he </s>, bag_he, bm_<s> he, bp_</s> </s>, form_served, morph_ed, pos_VBD, posm1_PRP, wm1_he, wm2_<s>, wp1_</s>, wp2_</s>",
	}
	for i := range want {
		if got := row(d, i); got != want[i] {
			t.Errorf("row %d: got %s, want %s", i, got, want[i])
		}
	}
	if got := sourcetest.Fact(d, "pieces of text without a tag, passed over"); got != "1" || len(d.Groups.Key) != 1 {
		t.Errorf("got %s pieces of text and %d documents, want 1 and 1", got, len(d.Groups.Key))
	}
	d = sourcetest.MustLoad(t, Senseval2{all(defaultOptions(anyPOS), "tags", "words")}, map[string]string{"all": lexical(tea, army)})
	if got, want := row(d, 1), "serve-v.x_1_9: serve-v S2: pos_VBD, posm1_PRP, wm1_he, wm2_<s>, wp1_</s>, wp2_</s>"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDocumentsOfInstances(t *testing.T) {
	for id, want := range map[string]string{
		"hard-a.sjm-274_1:": "hard-a.sjm-274", "line-n.w7_010:888:": "line-n.w7_010", "serve-v.aphb_51905969_4083": "serve-v.aphb_51905969",
		"interest-n.int17": "interest-n.int17", "12": "12", "_12": "_12", "x 7:": "x 7", "": "",
	} {
		if got := documentOf(id); got != want {
			t.Errorf("%q: got %q, want %q", id, got, want)
		}
	}
}

func TestMalformedSenseval2(t *testing.T) {
	good := lexical(tea, army)
	change := func(old, new string) string {
		if !strings.Contains(good, old) {
			panic(old)
		}
		return strings.Replace(good, old, new, 1)
	}
	for _, c := range []struct{ text, want string }{
		{"", ":1: found no element, expected <corpus>"},
		{change("</context>", ""), ":8: malformed XML: "},
		{change("<corpus lang=\"en\">", "<corpora>"), ":1: found <corpora>"},
		{change("<answer", "<answers"), ":4: found <answers> in <instance>, expected answer, context"},
		{change("serve-v\"", "serve\""), ":2: found the item \"serve\", expected a word and its part of speech"},
		{change("<instance id=\"serve-v.x_1_7\"", "<instance"), ":3: <instance> has no id"},
		{change("<instance id=\"serve-v.x_1_7\"", "<instance no=\"serve-v.x_1_7\""), ":3: found the attribute no of <instance>"},
		{change("<answer instance=\"serve-v.x_1_7\"", "<answer instance=\"x\""), ":4: found an answer to \"x\" in the instance serve-v.x_1_7"},
		{change("senseid=\"S10\"", "senseid=\"\""), ":4: <answer> has no senseid"},
		{change("<context>", "<answer instance=\"serve-v.x_1_7\" senseid=\"S2\"/><context>"), ":5: the instance serve-v.x_1_7 has a second answer"},
		{change("<answer instance=\"serve-v.x_1_7\" senseid=\"S10\"/>", ""), ":8: the instance serve-v.x_1_7 has no <answer>"},
		{change("<head> <wf pos=\"VB\">serve</wf></head>", ""), ":8: the instance serve-v.x_1_7 has no <head>"},
		{change("<head> <wf pos=\"VB\">serve</wf></head>", "<head></head>"), ":6: the <head> of the instance serve-v.x_1_7 has 0 words, expected one"},
		{change("</compound>", "</compound><head><wf pos=\"VB\">serve</wf></head>"), ":6: the instance serve-v.x_1_7 has a second <head>"},
		{change("<wf pos=\"TO\">", "<wf>"), ":6: <wf> has no pos"},
		{change(">to<", "> <"), ":6: found no word in <wf>"},
		{change("<context>", "and<context>"), ":5: found the text \"and\" in <instance>"},
		{change("serve-v.x_1_9:\">", "serve-v.x_1_7\">"), ":10: found an answer"},
		{lexical(tea, tea), ":14: the instance serve-v.x_1_7 stands twice"},
	} {
		_, err := sourcetest.Load(Senseval2{all(defaultOptions(anyPOS))}, map[string]string{"all/serve.pos": c.text})
		if want := "all:serve.pos" + c.want; err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func FuzzSenseval2(f *testing.F) {
	f.Add(lexical(tea, army))
	f.Add("<corpus><lexelt item='a-n'/></corpus>")
	f.Fuzz(func(t *testing.T, text string) {
		sourcetest.Fuzz(t, Senseval2{all(defaultOptions(anyPOS))}, map[string]string{"all": text})
	})
}
