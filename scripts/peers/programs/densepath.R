# glmnet's path of a dense table, all penalties of it: Rscript densepath.R FOLDER ROWS PENALTIES SHARE FAMILY RESPONSES THRESH
source(file.path(dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))), "common.R"))
n <- as.integer(arguments[2]); family <- arguments[5]
x <- dense("train.X.f64", n); y <- numbers(paste0("train.", arguments[6], ".f64"))
glmnet.control(fdev = 0, devmax = 0.99999999)   # or it ends where a penalty explains little more than the one before
model <- glmnet(x, y, family = family, nlambda = as.integer(arguments[3]), lambda.min.ratio = as.numeric(arguments[4]),
                thresh = as.numeric(arguments[7]), maxit = 1e7)
k <- length(model$lambda); b <- model$beta[, k]
means <- colMeans(x); deviations <- sqrt(colMeans(x^2) - means^2)
eta <- as.numeric(x %*% b) + model$a0[k]
loss <- if (family == "binomial") sum(pmax(eta, 0) + log1p(exp(-abs(eta))) - y * eta) else sum((y - eta)^2) / 2
say(penalties = k, selected = sum(b != 0), objective = loss + n * model$lambda[k] * sum(abs(b) * deviations))
