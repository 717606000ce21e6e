#!/bin/sh
# METHOD: the columns that go most with the response, each by itself. It predicts by their slopes, divided by their number. Replace the awk program by
# what you want to compare: docs/methods.md says which files there are, and what fitted.json may hold.
set -e
cd "$1"
size=$(sed 's/.*"params":{[^}]*"size":\([0-9]*\).*/\1/' request.json)
awk -v size="$size" '
/^%/ { next }
FILENAME == "y.mtx" { if (!rows) { rows = $1; next } y[++n] = $1; mean += $1 / rows; next }
!columns { columns = $2; next }
{ sum[$2] += $3; squares[$2] += $3 * $3; products[$2] += $3 * (y[$1] - mean) }
END {
	for (j = 1; j <= columns; j++) {
		squares[j] -= sum[j] * sum[j] / rows
		if (squares[j] > 1e-9) { slope[j] = products[j] / squares[j]; strength[j] = slope[j] * products[j] }
	}
	intercept = mean
	for (i = 0; i < size && i < columns; i++) {
		best = 0
		for (j = 1; j <= columns; j++) if (!(j in taken) && (!best || strength[j] > strength[best])) best = j
		taken[best]
		selected = selected sprintf("%s%d", i ? ", " : "", best - 1)
		coefficients = coefficients sprintf("%s[%d, 0, %.17g]", i ? ", " : "", best - 1, slope[best] / size)
		intercept -= slope[best] / size * sum[best] / rows
	}
	printf "{\"selected\": [%s], \"coefficients\": [%s], \"intercept\": %.17g}\n", selected, coefficients, intercept
}' y.mtx train.mtx > fitted.json
echo fitted
