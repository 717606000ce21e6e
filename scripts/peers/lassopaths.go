package main

// Paths of the lasso on dense tables: of numbers with more rows than columns and with fewer, of two classes, and of times until an event.

// alikeColumns returns the writer of a table whose columns are correlated with each other where shared is 1, by a half, and not where it is 0.
// The response is a sum of the first forty columns with falling coefficients of changing signs, and noise; its sign are two classes.
func alikeColumns(seed uint64, train, test, width int, shared int64) func(to *folder) error {
	return func(to *folder) error {
		x := newTable(train+test, width, func(i, j int) float64 {
			return float64(normal1024(hash(seed, 131, uint64(i), uint64(j)))+shared*normal1024(hash(seed, 132, uint64(i)))) / 1024
		})
		y := newTable(train+test, 1, func(i, _ int) float64 {
			f := normal1024(hash(seed, 133, uint64(i))) * 2048
			for j := range 40 {
				weight := int64(1024 / (j + 1))
				if j%2 == 1 {
					weight = -weight
				}
				f += weight * int64(x.value(i, j)*1024)
			}
			return float64(f/1024) / 1024
		})
		sign := newTable(train+test, 1, func(i, _ int) float64 {
			if y.value(i, 0) > 0 {
				return 1
			}
			return 0
		})
		for _, part := range []struct {
			name     string
			from, to int
		}{{"train", 0, train}, {"test", train, train + test}} {
			rows := x.rows(part.from, part.to)
			to.dense(part.name, "y", rows, y.rows(part.from, part.to))
			to.array(part.name+".npy", rows.values, rows.height, rows.width)
			to.array(part.name+".y.npy", y.rows(part.from, part.to).values, part.to-part.from)
			to.array(part.name+".sign.npy", sign.rows(part.from, part.to).values, part.to-part.from)
			to.raw(part.name+".sign.f64", sign.rows(part.from, part.to).values)
		}
		return to.err
	}
}

// densePaths returns the workloads.
func densePaths() []workload {
	path := func(name, problem, about, rows, share, responses, parameters, family string) workload {
		return workload{name: name, problem: problem, engine: "lasso", metric: "objective", penalties: 100,
			about: about + ": lasso of 100 penalties to " + share + " of the largest, standardised",
			experiment: "datasets:\n  - {name: d, format: npz, files: {train: \"{data}/train.npy\", train_y: \"{data}/train." + responses + ".npy\", test: \"{data}/test.npy\", test_y: \"{data}/test." + responses + ".npy\"}" + parameters + "}\n" +
				"algorithms:\n  - {name: lasso, engine: lasso, params: {standardize: true, path: 100, lambda_ratio: " + share + "}}\n",
			peers: []peer{
				{program: glmnet, label: "glmnet", limit: minutes, script: "densepath.R", args: []string{"{data}", rows, "100", share, family, responses, "1e-7"}},
				{program: glmnet, label: "glmnet, thresh 1e-10", limit: minutes, script: "densepath.R", args: []string{"{data}", rows, "100", share, family, responses, "1e-10"}},
			}}
	}
	return []workload{
		path("lasso-tall", "G", "5,000 × 500 numbers", "5000", "0.0001", "y", "", "gaussian"),
		path("lasso-wide", "H", "500 × 5,000 numbers, correlations of a half", "500", "0.01", "y", "", "gaussian"),
		path("lasso-classes", "K", "1,000 × 3,000 numbers, two classes", "1000", "0.01", "sign", ", target: {type: class, positive: \"1\"}", "binomial"),
	}
}
