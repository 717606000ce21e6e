# Measures of survival recomputed with R's survival: Rscript measures.R > measures.json
# The data are survival::lung, odd rows for training and even rows for tests; the risk is of age and sex, with ties.
library(survival)
d <- lung[order(seq_len(nrow(lung))), ]
d$time <- ceiling(d$time / 10) * 10                      # ties
d$event <- as.integer(d$status == 2)
train <- d[seq(1, nrow(d), 2), ]; test <- d[seq(2, nrow(d), 2), ]
risk <- round(test$age / 5) / 2 - test$sex

# G before a time: the Kaplan-Meier estimate of censoring, at which events leave before censorings of their time.
km <- survfit(Surv(time + 0.5 * (1 - event), 1 - event) ~ 1, data = train)
before <- function(t) { s <- km$surv[km$time < t]; if (length(s)) tail(s, 1) else 1 }

auc <- function(t) {
  case <- which(test$time <= t & test$event == 1); control <- which(test$time > t)
  if (!length(case) || !length(control)) return(NA)
  w <- 1 / sapply(test$time[case], before)
  higher <- outer(risk[case], risk[control], function(a, b) (a > b) + 0.5 * (a == b))
  sum(w * rowSums(higher)) / (sum(w) * length(control))
}
at <- c(100, 200, 365, 600)
known <- sapply(train$time, function(t) tail(c(1, km$surv[km$time <= t + 0.5]), 1))   # G at t, censorings of t included
horizon <- max(train$time[known > 0.1])
s <- survfit(Surv(time, event) ~ 1, data = test)
falls <- -diff(c(1, s$surv)); on <- s$n.event > 0 & s$time <= horizon
values <- sapply(s$time[on], auc); falls <- falls[on]; ok <- !is.na(values)
group <- as.integer(cut(rank(risk, ties.method = "first"), 3))
test3 <- survdiff(Surv(time, event) ~ group, data = test)

# The Brier score and its integral, with Cox's model on age and sex, and how far its mean is from the Kaplan-Meier estimate.
fit <- coxph(Surv(time, event) ~ age + sex, data = train, ties = "efron")
eta <- as.vector(as.matrix(test[, c("age", "sex")]) %*% coef(fit))
base <- basehaz(fit, centered = FALSE)
hazard <- function(t) { h <- base$hazard[base$time <= t]; if (length(h)) tail(h, 1) else 0 }
after <- function(t) tail(c(1, km$surv[km$time <= t + 0.5]), 1)
brier <- function(t) {
  p <- exp(-hazard(t) * exp(eta))
  died <- test$time <= t & test$event == 1; alive <- test$time > t
  (sum(p[died]^2 / sapply(test$time[died], before)) + sum((1 - p[alive])^2) / after(t)) / nrow(test)
}
grid <- sort(unique(test$time[test$time <= horizon])); b <- sapply(grid, brier)
ibs <- sum(diff(grid) * (head(b, -1) + tail(b, -1)) / 2) / (max(grid) - min(grid))
observed <- function(t) tail(c(1, s$surv[s$time <= t]), 1)

list_of <- function(x) paste0("[", paste(format(x, digits = 17, trim = TRUE, scientific = FALSE), collapse = ","), "]")
cat("{\n", paste(sprintf('"%s": %s', c("train_time", "train_event", "time", "event", "risk", "group", "at", "auc", "horizon", "integrated_auc", "logrank",
  "eta", "base_time", "base_hazard", "brier", "integrated_brier", "calibration"),
  c(list_of(train$time), list_of(train$event), list_of(test$time), list_of(test$event), list_of(risk), list_of(group - 1), list_of(at), list_of(sapply(at, auc)),
    horizon, format(sum(values[ok] * falls[ok]) / sum(falls[ok]), digits = 17), format(test3$chisq, digits = 17),
    list_of(eta), list_of(base$time), list_of(base$hazard), list_of(sapply(at, brier)), format(ibs, digits = 17),
    list_of(sapply(at, function(t) abs(mean(exp(-hazard(t) * exp(eta))) - observed(t)))))), collapse = ",\n "), "\n}\n", sep = "")
