package suggest

import (
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"abc", "abc", 0}, {"abc", "ab", 1}, {"abc", "bc", 1}, {"abc", "abd", 1}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2},
		{"abc", "acb", 1}, {"abc", "bac", 1}, {"abdcfe", "abcdef", 2}, {"ca", "abc", 3}, {"aab", "aba", 1}, {"abcd", "badc", 2},
	} {
		if got, back := distance(c.a, c.b), distance(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("%q, %q: %d and %d, want %d", c.a, c.b, got, back, c.want)
		}
	}
}

func TestChoices(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, " (there are none)"}, {[]string{"scale", "step"}, " (have scale, step)"}, {[]string{"step", "epsilon"}, `; did you mean "epsilon"?`},
	} {
		if got := Choices("epsilom", c.names); got != c.want {
			t.Errorf("among %v: %s, want %s", c.names, got, c.want)
		}
	}
}

// Short names are not near because two of three letters could be others.
func TestShortNames(t *testing.T) {
	for name, want := range map[string]string{"grp": "group", "tpr": "", "lda": "", "fdq": "fdr", "frd": "fdr", "lbl": "label"} {
		if got := Nearest(name, []string{"fdr", "npv", "group", "label"}); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestAdvice(t *testing.T) {
	for name, names := range map[string][]string{"C": {"c2", "tol"}, "classif.lda": {"logistic", "fdr"}, "rfecv": {"ifs"}, "fpr": {"fdp"}} {
		if got := Choices(name, names); strings.Contains(got, "did you mean") || strings.Contains(got, "have") && !strings.HasPrefix(got, "; ") {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := Choices("stop_words", []string{"cutoff", "ngrams"}); got != "; words to leave out are in a file: files: {stop: stop-words.txt}" {
		t.Error(got)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"epsilon", "patience", "max_iter", "scale"}
	for name, want := range map[string]string{
		"epsilom": "epsilon", "espilon": "epsilon", "maxiter": "max_iter", "pateince": "patience", "scal": "scale",
		"x": "", "": "", "completely": "", "epsilon": "epsilon", "EPSILON": "epsilon", "iter": "max_iter", "er": "",
	} {
		if got := Nearest(name, names); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	engines := []string{"anova", "boosted-trees", "chi2", "elastic-net", "forest", "l1", "lasso", "logistic", "mean", "naive-bayes", "svm"}
	for name, want := range map[string]string{
		"elastic": "elastic-net", "LogisticRegression": "logistic", "LogisticRegressionCV": "logistic", "sklearn.linear_model.Lasso": "lasso", "LassoCV": "lasso",
		"SelectKBest": "anova", "SelectKBest(chi2)": "chi2", "SelectKBest(score_func=chi2, k=10)": "chi2", "SelectKBest(f_classif, k=10)": "anova",
		"MultinomialNB": "naive-bayes", "LinearSVC": "svm", "RandomForestClassifier": "forest", "random forest": "forest", "Random_Forest": "forest", "xgboost": "boosted-trees", "KNeighborsClassifier": "", "()": "", ".": "",
	} {
		if got := Nearest(name, engines); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	texts := []string{"tokens", "lower", "min_length", "ngrams", "values", "idf", "normalize", "hash", "cutoff", "keep", "penalty"}
	for name, want := range map[string]string{
		"ngram_range": "ngrams", "min_df": "cutoff", "lowercase": "lower", "analyzer": "tokens", "sublinear_tf": "values", "norm": "normalize", "n_features": "hash", "max_df": "", "stop_words": "",
	} {
		if got := Nearest(name, texts); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	metrics := []string{"accuracy", "brier_score", "ece", "f1", "log_likelihood", "log_loss", "macro_f1", "pr_auc", "rmse", "roc_auc", "test_mse", "test_r2"}
	for name, want := range map[string]string{
		"auc": "roc_auc", "acc": "accuracy", "f1_macro": "macro_f1", "neg_log_loss": "log_loss", "r2": "test_r2", "neg_mean_squared_error": "test_mse", "log": "", "AUC": "roc_auc",
		"neg_root_mean_squared_error": "rmse", "average_precision": "pr_auc", "neg_brier_score": "brier_score", "brier_score_loss": "brier_score", "calibration_error": "ece",
	} {
		if got := Nearest(name, metrics); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"cv": "k", "folds": "k", "n_splits": "k", "scoring": "metric", "neg_": "", "KFold": ""} {
		if got := Nearest(name, []string{"k", "repeats", "metric", "choose"}); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	for _, name := range names {
		if got := DidYouMean(name, names); got != "" {
			t.Errorf("%s is one of the names: %q", name, got)
		}
	}
	if got := Nearest("ab", []string{"ac", "ad"}); got != "ac" {
		t.Errorf("tie: got %q, want the first", got)
	}
	if got := Nearest("mse", []string{"mae", "rmse", "test_mse", "train_mse"}); got != "test_mse" {
		t.Errorf("mse: got %q", got)
	}
}
