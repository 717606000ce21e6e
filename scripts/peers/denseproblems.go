package main

import (
	"math"
	"strconv"
)

// classesOfFeatures returns the writer of problem D: one response, twelve true columns in three classes of them; columns of 0 and 1, or
// numbers that are alike within a class.
func classesOfFeatures(seed uint64, train, test, width, classes int, binary bool) func(to *folder) error {
	value := func(i, j, class int) float64 {
		if binary {
			share := 2 + below(hash(seed, 91, uint64(j)), 31) // of 256
			if hash(seed, 92, uint64(i), uint64(j))>>56 < share {
				return 1
			}
			return 0
		}
		shared := normal1024(hash(seed, 93, uint64(i), uint64(class)))
		return float64(shared/2+normal1024(hash(seed, 94, uint64(i), uint64(j)))) / 1024
	}
	return func(to *folder) error {
		x := newTable(train+test, width, func(i, j int) float64 { return value(i, j, j*classes/width) })
		class := make([]int32, width)
		for j := range class {
			class[j] = int32(j * classes / width)
		}
		var support []int32
		for c := range uint64(3) {
			first := int(hash(seed, 95, c)%uint64(classes)) * width / classes
			for k := range 4 {
				support = append(support, int32(first+1+k*2))
			}
		}
		weight := int64(1)
		if binary {
			weight = 3
		}
		y := newTable(train+test, 1, func(i, _ int) float64 {
			f := normal1024(hash(seed, 97, uint64(i)))
			for k, j := range support {
				f += int64(2-k%2) * weight * int64(x.value(i, int(j))*1024)
			}
			return float64(f) / 1024
		})
		to.raw("class.i32", class)
		to.raw("support.i32", support)
		to.dense("train", "y", x.rows(0, train), y.rows(0, train))
		to.dense("test", "y", x.rows(train, train+test), y.rows(train, train+test))
		return to.err
	}
}

// manyResponses returns the writer of problem E: responses of four columns each, of which later responses share fewer with the first.
func manyResponses(seed uint64, train, test, width, ones, responses int) func(to *folder) error {
	return func(to *folder) error {
		x := newTable(train+test, width, func(i, j int) float64 {
			u := hash(seed, 101, uint64(i), uint64(j))
			if j < ones {
				return float64(u >> 63)
			}
			return float64(normal1024(u)) / 1024
		})
		sharing := []int{responses, responses * 3 / 4, responses / 2, responses / 4}
		support := make([][]int, responses)
		var pairs []int32
		for t := range responses {
			for s, limit := range sharing {
				j := ones + s
				if t >= limit {
					j = ones + 4 + int(below(hash(seed, 102, uint64(t), uint64(s)), uint64(width-ones-4)))
				}
				support[t] = append(support[t], j)
				pairs = append(pairs, int32(t), int32(j))
			}
		}
		y := newTable(train+test, responses, func(i, t int) float64 {
			f := normal1024(hash(seed, 104, uint64(i), uint64(t))) / 4
			for s, j := range support[t] {
				f += normal1024(hash(seed, 103, uint64(t), uint64(s))) * int64(x.value(i, j)*1024) / 1024
			}
			return float64(f) / 1024
		})
		to.raw("support.i32", pairs)
		to.dense("train", "Y", x.rows(0, train), y.rows(0, train))
		to.dense("test", "Y", x.rows(train, train+test), y.rows(train, train+test))
		to.table("train.csv", x.rows(0, train), y.rows(0, train))
		to.table("test.csv", x.rows(train, train+test), y.rows(train, train+test))
		return to.err
	}
}

// factorTable returns a table whose columns depend on a few hidden ones, X = F·Lᵀ + E, and F, in 1,024ths.
func factorTable(seed uint64, rows, width, hidden int) (x *table, f func(i, k int) int64) {
	f = func(i, k int) int64 { return normal1024(hash(seed, 111, uint64(i), uint64(k))) }
	return newTable(rows, width, func(i, j int) float64 {
		sum := normal1024(hash(seed, 112, uint64(i), uint64(j))) * 1024
		for k := range hidden {
			sum += f(i, k) * normal1024(hash(seed, 113, uint64(j), uint64(k)))
		}
		return float64(sum/1024) / 1024
	}), f
}

// factorClasses returns the writer of a factorTable in so many classes, at most as many as factors: that of a row is the number of its largest
// factor, with noise.
func factorClasses(seed uint64, rows, width, hidden, classes int) func(to *folder) error {
	return func(to *folder) error {
		x, f := factorTable(seed, rows, width, hidden)
		class := make([]float64, rows)
		for i := range class {
			most := int64(math.MinInt64)
			for k := range classes {
				if v := f(i, k) + normal1024(hash(seed, 115, uint64(i), uint64(k))); v > most {
					most, class[i] = v, float64(k)
				}
			}
		}
		to.raw("all.X.f64", x.values)
		to.raw("class.f64", class)
		to.array("all.npy", x.values, x.height, x.width)
		to.array("class.npy", class, rows)
		return to.err
	}
}

// factors returns the writer of a factorTable; the response is the sum of the first five factors and noise, and positive for about half of the
// rows.
func factors(seed uint64, rows, width, hidden int) func(to *folder) error {
	return func(to *folder) error {
		x, f := factorTable(seed, rows, width, hidden)
		y := newTable(rows, 1, func(i, _ int) float64 {
			sum := normal1024(hash(seed, 114, uint64(i)))
			for k := range 5 {
				sum += f(i, k)
			}
			return float64(sum) / 1024
		})
		sign, fold := make([]float64, rows), make([]int, rows)
		for i := range rows {
			fold[i] = i % 5
			if y.value(i, 0) > 0 {
				sign[i] = 1
			}
		}
		to.dense("all", "y", x, y)
		to.raw("sign.f64", sign)
		to.array("all.npy", x.values, x.height, x.width)
		to.array("all.y.npy", y.values, rows)
		to.array("sign.npy", sign, rows)
		to.integers("folds.npy", fold)
		return to.err
	}
}

// everyday returns the writer of a small table, as a user has one: the first three columns tell the class, with noise.
func everyday(seed uint64, rows, width int) func(to *folder) error {
	return func(to *folder) error {
		x := newTable(rows, width, func(i, j int) float64 { return float64(normal1024(hash(seed, 121, uint64(i), uint64(j)))) / 1024 })
		text := []byte("label")
		for j := range width {
			text = append(append(text, ",x"...), strconv.Itoa(j+1)...)
		}
		text = append(text, '\n')
		for i := range rows {
			word := "no"
			if x.value(i, 0)+x.value(i, 1)-x.value(i, 2)+float64(normal1024(hash(seed, 122, uint64(i))))/1024 > 0 {
				word = "yes"
			}
			text = append(text, word...)
			for j := range width {
				text = strconv.AppendFloat(append(text, ','), x.value(i, j), 'g', -1, 64)
			}
			text = append(text, '\n')
		}
		to.text("all.csv", text)
		return to.err
	}
}
