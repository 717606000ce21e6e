# glmnet's path of penalties down to a share of the largest, all of them: Rscript lasso.R FOLDER PENALTIES SHARE
source(file.path(dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))), "common.R"))
x <- sparse("train"); y <- numbers("train.y.f64")
glmnet.control(fdev = 0)   # or it ends where a penalty explains little more than the one before
model <- glmnet(x, y, nlambda = as.integer(arguments[2]), lambda.min.ratio = as.numeric(arguments[3]), type.gaussian = "naive")
k <- length(model$lambda); b <- model$beta[, k]
means <- colMeans(x); deviations <- sqrt(colMeans(x^2) - means^2)
residuals <- y - as.numeric(x %*% b) - model$a0[k]
test <- as.numeric(sparse("test") %*% b) + model$a0[k]
say(penalties = k, selected = sum(b != 0), test_mse = mean((numbers("test.y.f64") - test)^2),
    objective = sum(residuals^2) / 2 + length(y) * model$lambda[k] * sum(abs(b) * deviations))
