# Rscript praznik.R > praznik.json, with praznik 13.0.0 (built for R 4.2: isDataFrame is isFrame there) and jsonlite in R 4.2.2
library(praznik)
set.seed(2)
criteria <- list(mim = MIM, mid = MRMR, jmi = JMI, jmim = JMIM, njmim = NJMIM, disr = DISR, cmim = CMIM)
run <- function(x, y, k) lapply(names(criteria), function(c) {
  r <- criteria[[c]](x, y, k, threads = 1)
  list(criterion = c, selected = unname(r$selection) - 1, scores = unname(r$score))
})
case <- function(name, x, y, k, levels) list(name = name, x = as.matrix(levels), y = as.integer(y) - 1, runs = run(x, y, k))
n <- 90; p <- 14
levels <- sapply(1:p, function(j) sample(0:(1 + j %% 4), n, replace = TRUE))
y <- factor((levels[, 3] + 2 * (levels[, 6] > 1) + levels[, 9] + sample(0:1, n, replace = TRUE)) %% 3)
ones <- sapply(1:p, function(j) rbinom(n, 1, 0.1 + 0.05 * j)); ones[, 8] <- pmax(ones[, 3], ones[, 5])
z <- factor(ifelse(runif(n) < 0.15, 1 - ones[, 8], ones[, 8]) + (ones[, 10] & ones[, 12]))
numbers <- round(matrix(rnorm(n * p), n), 3); numbers[, 4] <- round(numbers[, 1] + 0.3 * rnorm(n), 3)
w <- factor((numbers[, 1] > 0) + (numbers[, 7] + 0.5 * rnorm(n) > 0.3))
cat(jsonlite::toJSON(list(source = "praznik 13.0.0 for R 4.2.2: praznik.R", cases = list(
  case("levels", as.data.frame(lapply(as.data.frame(levels), factor)), y, 8, levels),
  case("ones", as.data.frame(lapply(as.data.frame(ones), factor)), z, 6, ones),
  case("numbers", as.data.frame(numbers), w, 6, numbers))), digits = 15, auto_unbox = TRUE))
