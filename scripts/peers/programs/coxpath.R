# glmnet's path of a dense table and times, all penalties of it: Rscript coxpath.R FOLDER ROWS PENALTIES SHARE THRESH
source(file.path(dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))), "common.R"))
n <- as.integer(arguments[2])
x <- dense("train.X.f64", n); time <- numbers("train.time.f64"); event <- numbers("train.event.f64")
glmnet.control(fdev = 0, devmax = 0.99999999)   # or it ends where a penalty explains little more than the one before
model <- glmnet(x, cbind(time = time, status = event), family = "cox", nlambda = as.integer(arguments[3]),
                lambda.min.ratio = as.numeric(arguments[4]), thresh = as.numeric(arguments[5]), maxit = 1e7)
k <- length(model$lambda); b <- model$beta[, k]
deviations <- sqrt(colMeans(x^2) - colMeans(x)^2)
eta <- as.numeric(x %*% b); eta <- eta - mean(eta)
atrisk <- sapply(time, function(t) sum(exp(eta[time >= t])))
say(penalties = k, selected = sum(b != 0), objective = sum(event * (log(atrisk) - eta)) + n * model$lambda[k] * sum(abs(b) * deviations))
