# glmnet's logistic regression with an L1 penalty: the weight c1 of the norm is its lambda times the number of rows.
source("../adapters/r/tenfold_method.R")
suppressPackageStartupMessages(library(glmnet))
glmnet.control(fdev = 0, devmax = 1) # or it leaves its path before the last penalty, and takes that model for the one asked for

serve(function(x, y, request) {
  s <- request$params$c1 / request$rows
  model <- glmnet(x, y, family = "binomial", standardize = FALSE, thresh = 1e-10, maxit = 1e6, lambda = s * 10^seq(2, 0, by = -0.1))
  b <- coef(model, s = s)
  margin <- (2 * as.integer(y) - 3) * as.vector(x %*% b[-1, 1] + b[1, 1])
  objective <- sum(log1p(exp(-abs(margin))) + pmax(-margin, 0)) + request$params$c1 * sum(abs(b[-1, 1]))
  list(coef = b[-1, , drop = FALSE], intercept = b[1, 1], facts = list(objective = format(objective, digits = 10)))
})
