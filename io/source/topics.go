package source

import (
	"errors"

	"tenfold/engines/param"
	"tenfold/engines/prepare"
)

// Topics holds the option of texts that adds a column with the topic of each.
type Topics struct {
	Topics     int    `yaml:"topics" key:"-" doc:"0/1 columns tp_…, one of which says what a text is about: clusters (spherical k-means, plain tf-idf) of the training texts of each fold, named by their three heaviest columns; 2 or more, 0 for none"`
	TopicsFrom string `yaml:"topics_from" key:"-" doc:"class of the columns that topics are found on; * at its end stands for several classes, empty for all columns"`
	TopicsSeed int64  `yaml:"topics_seed" key:"-" doc:"of the choice of the first centroids"`
}

// Check checks the options by themselves, given the format's defaults.
func (t Topics) Check(defaults Topics) error {
	var errs []error
	if t.Topics < 0 || t.Topics == 1 {
		errs = append(errs, param.Errorf("prepare.topics", "%d, expected 2 or more, or 0 for none", t.Topics))
	}
	if t.Topics == 0 && t.TopicsFrom != defaults.TopicsFrom {
		errs = append(errs, param.Errorf("prepare.topics_from", "%q has no meaning without topics: say how many, such as prepare: {topics: 20}", t.TopicsFrom))
	}
	if t.Topics == 0 && t.TopicsSeed != defaults.TopicsSeed {
		errs = append(errs, param.Errorf("prepare.topics_seed", "%d has no meaning without topics: say how many, such as prepare: {topics: 20}", t.TopicsSeed))
	}
	return errors.Join(errs...)
}

// Declare adds what these options say to the declaration.
func (t Topics) Declare(d Declares) Declares {
	d.Classes = d.Classes || t.Topics > 0
	return d
}

// Into adds the options to a recipe.
func (t Topics) Into(r prepare.Recipe) prepare.Recipe {
	if t.Topics > 0 {
		r.Topics, r.TopicsFrom, r.TopicSeed = t.Topics, t.TopicsFrom, t.TopicsSeed
	}
	return r
}
