package source_test

import (
	"strings"
	"testing"

	"tenfold/engines/prepare"
	"tenfold/io/source"
)

func TestTopics(t *testing.T) {
	defaults := source.Topics{TopicsFrom: "bag"}
	for _, c := range []struct {
		topics source.Topics
		want   string
		recipe prepare.Recipe
	}{
		{defaults, "", prepare.Recipe{Cutoff: 2}},
		{source.Topics{Topics: 20, TopicsFrom: "w*", TopicsSeed: 3}, "", prepare.Recipe{Cutoff: 2, Topics: 20, TopicsFrom: "w*", TopicSeed: 3}},
		{source.Topics{Topics: 1, TopicsFrom: "bag"}, "prepare.topics: 1, expected 2 or more, or 0 for none", prepare.Recipe{}},
		{source.Topics{Topics: -2, TopicsFrom: "bag"}, "prepare.topics: -2, expected 2 or more", prepare.Recipe{}},
		{source.Topics{TopicsFrom: "w"}, `prepare.topics_from: "w" has no meaning without topics: say how many, such as prepare: {topics: 20}`, prepare.Recipe{}},
		{source.Topics{TopicsFrom: "bag", TopicsSeed: 1}, "prepare.topics_seed: 1 has no meaning without topics", prepare.Recipe{}},
	} {
		err := c.topics.Check(defaults)
		if c.want != "" {
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%+v: got %v, want %s", c.topics, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Error(err)
		}
		if got := c.topics.Into(prepare.Recipe{Cutoff: 2}); got != c.recipe {
			t.Errorf("%+v: got %+v, want %+v", c.topics, got, c.recipe)
		}
		if got := c.topics.Declare(source.Declares{}).Classes; got != (c.topics.Topics > 0) {
			t.Errorf("%+v: classes: %v", c.topics, got)
		}
	}
}
