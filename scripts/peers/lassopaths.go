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

// timesOfFactors returns the writer of a table whose columns depend on a few hidden ones, with three times as much noise, and of times: the larger the
// sum of the first five, the sooner the event; a third of the times are censored.
func timesOfFactors(seed uint64, train, test, width, hidden int) func(to *folder) error {
	return func(to *folder) error {
		f := func(i, k int) int64 { return normal1024(hash(seed, 141, uint64(i), uint64(k))) }
		x := newTable(train+test, width, func(i, j int) float64 {
			sum := 3 * 1024 * normal1024(hash(seed, 142, uint64(i), uint64(j)))
			for k := range hidden {
				sum += f(i, k) * normal1024(hash(seed, 143, uint64(j), uint64(k)))
			}
			return float64(sum/1024) / 1024
		})
		time := newTable(train+test, 1, func(i, _ int) float64 {
			left := 64*1024 - 2*normal1024(hash(seed, 144, uint64(i)))
			for k := range 5 {
				left -= f(i, k)
			}
			return float64(left) / 1024
		})
		event := newTable(train+test, 1, func(i, _ int) float64 { return float64(min(1, below(hash(seed, 145, uint64(i)), 3))) })
		for _, part := range []struct {
			name     string
			from, to int
		}{{"train", 0, train}, {"test", train, train + test}} {
			rows, times, events := x.rows(part.from, part.to), time.rows(part.from, part.to).values, event.rows(part.from, part.to).values
			to.raw(part.name+".X.f64", rows.values)
			to.raw(part.name+".time.f64", times)
			to.raw(part.name+".event.f64", events)
			to.array(part.name+".npy", rows.values, rows.height, rows.width)
			to.array(part.name+".time.npy", times, len(times))
			to.array(part.name+".event.npy", events, len(events))
		}
		return to.err
	}
}

// timePaths returns the workloads of times until an event.
func timePaths() (all []workload) {
	for _, share := range []string{"0.05", "0.01"} {
		all = append(all, workload{
			name: "cox-" + share, problem: "V", engine: "cox", metric: "objective", penalties: 100,
			about: "441 × 813 numbers of 20 factors, times until an event: Cox lasso of 100 penalties to " + share + " of the largest, standardised",
			experiment: "datasets:\n  - {name: d, format: npz, files: {train: \"{data}/train.npy\", train_y: \"{data}/train.time.npy\", train_event: \"{data}/train.event.npy\", " +
				"test: \"{data}/test.npy\", test_y: \"{data}/test.time.npy\", test_event: \"{data}/test.event.npy\"}, target: survival}\n" +
				"algorithms:\n  - {name: cox, engine: cox, params: {ties: breslow, path: 100, lambda_ratio: " + share + "}}\n",
			peers: []peer{
				{program: glmnet, label: "glmnet cox", limit: minutes, script: "coxpath.R", args: []string{"{data}", "441", "100", share, "1e-7"}},
				{program: glmnet, label: "glmnet cox, thresh 1e-9", limit: minutes, script: "coxpath.R", args: []string{"{data}", "441", "100", share, "1e-9"}},
			},
		})
	}
	return all
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
