"""One observation more, then the best of 1000 fixed places by their upper confidence bound, with numpy.

What BenchmarkGrow does, without pruning: the inverse of the Cholesky factor grows by a row, and so do its products
with the covariances of all places. Points in the place of beliefs. Prints n, the mean and the shortest time of 16
observations on either side of n, shortest of ten runs; run it on one thread, in turn with the benchmark:

    OPENBLAS_NUM_THREADS=1 python3 gp/testdata/grid.py
"""
import time

import numpy as np

rng = np.random.default_rng(1)
signal, length, noise, beta, places, steps = 0.015, 120.0, 0.005, 3.0, 1000, 32


def kernel(a, b):
    u = (a[:, None, :] - b[None, :, :]) / length
    return signal * np.exp(-0.5 * (u * u).sum(-1))


def run(n):
    grid = rng.random((places, 2)) * [600, 900]
    first, last = n - steps // 2, n + steps // 2
    x = rng.random((last, 2)) * [600, 900]
    y = 0.1 * np.sin(x[:, 0] / 130) + 0.1 * np.cos(x[:, 1] / 170) + 0.07 * rng.standard_normal(last)
    inverse, told = np.zeros((last, last)), np.zeros((last, places))
    covariance = kernel(x[:first], x[:first]) + noise * np.eye(first)
    inverse[:first, :first] = np.linalg.inv(np.linalg.cholesky(covariance))
    told[:first] = inverse[:first, :first] @ kernel(x[:first], grid)
    z = np.zeros(last)
    z[:first] = inverse[:first, :first] @ y[:first]
    mean, variance = told[:first].T @ z[:first], signal - (told[:first] ** 2).sum(0)
    times = []
    for i in range(first, last):
        begin = time.perf_counter()
        row = inverse[:i, :i] @ kernel(x[:i], x[i : i + 1])[:, 0]
        root = np.sqrt(signal + noise - row @ row)
        new = (kernel(x[i : i + 1], grid)[0] - row @ told[:i]) / root
        z[i] = (y[i] - row @ z[:i]) / root
        inverse[i, :i] = -(row @ inverse[:i, :i]) / root
        inverse[i, i] = 1 / root
        told[i] = new
        mean += new * z[i]
        variance -= new * new
        np.argmax(mean + beta * np.sqrt(np.maximum(variance, 0)))
        times.append(time.perf_counter() - begin)
    return np.mean(times) * 1e3, np.min(times) * 1e3


for n in (30, 100, 400, 1000):
    mean, shortest = np.min([run(n) for _ in range(10)], axis=0)
    print(f"n={n}: {mean:.3f} ms, shortest {shortest:.3f} ms")
