// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package fit

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/shared"
)

// A peer reads the start of a fit (variance, length-scale, noise variance) or, to predict, the hyper-parameters, and then observations
// (x, y, value) as lines of CSV. It writes the least processor time of a few runs, s, and the hyper-parameters that it found; or the time,
// and the means and standard deviations at 1000 places of a grid.
type peer struct{ name, needs, has, command, script string }

var peers = []peer{
	{name: "ours"},
	{"scikit-learn", "python3-sklearn", "import sklearn", "/usr/bin/python3 -c", `
import sys, time, warnings, numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor as GP, kernels as k
warnings.simplefilter('ignore')
first, *rows = [[float(v) for v in line.split(',')] for line in sys.stdin]
data, (variance, length, noise), predict = np.array(rows), first, sys.argv[1] == 'predict'
def least(f, times):
    took = []
    for _ in range(times):
        begin = time.process_time(); result = f(); took.append(time.process_time() - begin)
    return min(took), result
kernel = k.ConstantKernel(variance, (1e-3, 100)) * k.Matern(length, (length/100, length*100), nu=2.5) + k.WhiteKernel(noise, (1e-6, 10))
if predict: # the noise is not a part of the kernel, so that the deviations are those of the process
    model = GP(kernel.k1, alpha=noise, optimizer=None).fit(data[:, :2], data[:, 2])
    places = np.array([(i % 40 * 25, i // 40 * 40) for i in range(1000)], float)
    took, (mean, sd) = least(lambda: model.predict(places, return_std=True), 10)
    print(took, *mean, *sd)
else:
    took, model = least(lambda: GP(kernel, normalize_y=True).fit(data[:, :2], data[:, 2]), 3)
    found, scale = model.kernel_, data[:, 2].var()
    print(took, found.k1.k1.constant_value*scale, found.k1.k2.length_scale, found.k2.noise_level*scale)`},
	// gstat's Matérn has the length-scale ℓ/√5. It fits the variogram, by weighted least squares.
	{"gstat", "r-cran-gstat", "library(gstat)", "Rscript -e", `
suppressMessages({library(sp); library(gstat)})
lines <- readLines('stdin'); first <- as.numeric(strsplit(lines[1], ',')[[1]])
data <- read.csv(text=lines[-1], header=FALSE, col.names=c('x', 'y', 'v')); coordinates(data) <- ~x+y
least <- function(f, times) { took <- Inf
  for (i in 1:times) { begin <- proc.time(); result <- f(); took <- min(took, sum((proc.time() - begin)[1:2])) }
  list(took, result) }
model <- vgm(first[1], 'Mat', first[2]/sqrt(5), first[3], kappa=2.5)
if (commandArgs(TRUE)[1] == 'predict') {
  model <- vgm(first[1], 'Mat', first[2]/sqrt(5), 0, kappa=2.5, add.to=vgm(first[3], 'Err', 0))
  places <- data.frame(x=(0:999) %% 40 * 25, y=(0:999) %/% 40 * 40); coordinates(places) <- ~x+y
  r <- least(function() krige(v~1, data, places, model, beta=0, debug.level=0), 3)
  cat(r[[1]], r[[2]]$var1.pred, sqrt(r[[2]]$var1.var))
} else {
  r <- least(function() for (i in 1:20) found <<- fit.variogram(variogram(v~1, data), model), 3)
  cat(r[[1]]/20, found$psill[2], found$range[2]*sqrt(5), found$psill[1])
}`},
}

// run returns the numbers that p writes about obs, and skips the benchmark if p is not installed.
func (p *peer) run(b *testing.B, task string, h gp.Hyper, obs []gp.Observation) (numbers []float64) {
	switch {
	case p.script == "" && task == "fit":
		return ourFit(b, h, obs)
	case p.script == "":
		return ourPredictions(b, h, obs)
	}
	command := strings.Fields(p.command)
	if err := exec.Command(command[0], command[1], p.has).Run(); err != nil {
		b.Skipf("%s is not installed: apt install %s (%v)", p.name, p.needs, err)
	}
	in := fmt.Sprintf("%g,%g,%g\n", h.SignalVariance, h.LengthScales[0], h.NoiseVariance)
	for _, o := range obs {
		in += fmt.Sprintf("%g,%g,%g\n", o.Belief.Mean[0], o.Belief.Mean[1], o.Value)
	}
	c := exec.Command(command[0], command[1], p.script, task)
	c.Stdin, c.Stderr, c.Env = strings.NewReader(in), os.Stderr, append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1")
	out, err := c.Output()
	must.OK(b, err)
	for _, word := range strings.Fields(string(out)) {
		v, err := strconv.ParseFloat(word, 64)
		must.OK(b, err)
		numbers = append(numbers, v)
	}
	return numbers
}

func ourFit(b *testing.B, start gp.Hyper, obs []gp.Observation) []float64 {
	cfg := DefaultConfig(start.LengthScales[0])
	cfg.MaxObservations = max(cfg.MaxObservations, len(obs))
	var h gp.Hyper
	seconds := least(b, func() (err error) {
		h, err = Hyper(obs, start, cfg, rand.New(rand.NewPCG(3, 4)))
		return err
	})
	return []float64{seconds, h.SignalVariance, h.LengthScales[0], h.NoiseVariance}
}

func ourPredictions(b *testing.B, h gp.Hyper, obs []gp.Observation) []float64 {
	p, err := mustGP(b, h, obs).NewPredictor(nil)
	must.OK(b, err)
	places, found := mat.NewDense(1000, 2, nil), make([]float64, 2001)
	for i := range 1000 {
		places.SetRow(i, []float64{float64(i % 40 * 25), float64(i / 40 * 40)})
	}
	found[0] = least(b, func() error {
		p.PredictBatch(found[1:1001], found[1001:], places)
		return nil
	})
	for i, v := range found[1001:] {
		found[1001+i] = math.Sqrt(v)
	}
	return found
}

// least returns the least processor time of ten calls, s.
func least(b *testing.B, call func() error) float64 {
	best := math.Inf(1)
	for range 10 {
		var from, to syscall.Rusage
		must.OK(b, syscall.Getrusage(syscall.RUSAGE_SELF, &from))
		must.OK(b, call())
		must.OK(b, syscall.Getrusage(syscall.RUSAGE_SELF, &to))
		best = min(best, float64(to.Utime.Nano()+to.Stime.Nano()-from.Utime.Nano()-from.Stime.Nano())*1e-9)
	}
	return best
}

// leftOut returns the root mean square of the errors of ordinary kriging under h where each of the observations is left out, in
// closed form (Dubrule, Math. Geol. 15, 1983).
func leftOut(b *testing.B, h gp.Hyper, obs []gp.Observation) float64 {
	n, g := len(obs), newNaiveGP(b, h, obs)
	var inverse mat.SymDense
	must.OK(b, g.chol.InverseTo(&inverse))
	one, y, square := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil), 0.0
	for i, o := range obs {
		one.SetVec(i, 1)
		y.SetVec(i, o.Value)
	}
	var u, a mat.VecDense
	u.MulVec(&inverse, one)
	a.MulVec(&inverse, y)
	information := mat.Dot(one, &u)
	a.AddScaledVec(&a, -mat.Dot(&u, y)/information, &u)
	for i := range n {
		square += math.Pow(a.AtVec(i)/(inverse.At(i, i)-u.AtVec(i)*u.AtVec(i)/information), 2)
	}
	return math.Sqrt(square / float64(n))
}

// meuse returns the logarithm of zinc in the 155 samples of soil beside that river, which are not shipped.
func meuse(b *testing.B) (obs []gp.Observation) {
	f, err := os.Open(shared.File(b, "meuse.csv"))
	must.OK(b, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	must.OK(b, err)
	column := func(row []string, name string) float64 {
		v, err := strconv.ParseFloat(row[slices.Index(rows[0], name)], 64)
		must.OK(b, err)
		return v
	}
	for _, row := range rows[1:] {
		obs = append(obs, gp.Observation{Belief: gp.Point(column(row, "x")-179000, column(row, "y")-330000), Value: math.Log(column(row, "zinc"))})
	}
	return obs
}

// BenchmarkPeers runs fits of a Matérn 5/2 kernel, from one start within the same bounds, and predictions with it, by this package and by its
// peers on the same data, on one processor. Beside the processor time it reports how good the hyper-parameters are, by the same judge: the log
// likelihood of the values about their sample mean, which is what scikit-learn maximises, and the error where each sample is left out;
// and how far a peer's predictions differ.
func BenchmarkPeers(b *testing.B) {
	kernel := func(length float64) gp.Hyper {
		return gp.Hyper{Kind: gp.Matern52, SignalVariance: 1, LengthScales: []float64{length, length}, NoiseVariance: 0.1}
	}
	draw := func(n int) func(b *testing.B) []gp.Observation {
		return func(b *testing.B) []gp.Observation {
			return simulate(b, kernel(120), n, 1000, 0, rand.New(rand.NewPCG(1, 2)))
		}
	}
	run := func(name string, start gp.Hyper, obs func(b *testing.B) []gp.Observation, report func(b *testing.B, r []float64)) {
		for _, p := range peers {
			b.Run(name+"/"+p.name, func(b *testing.B) {
				r := p.run(b, strings.Split(name, "/")[0], start, obs(b))
				b.ReportMetric(0, "ns/op") // of all that is around it: left out
				b.ReportMetric(r[0]*1e3, "processor-ms")
				report(b, r[1:])
			})
		}
	}
	fits := func(name string, side float64, obs func(b *testing.B) []gp.Observation) {
		run("fit/"+name, kernel(side/5), obs, func(b *testing.B, r []float64) {
			h, obs := kernel(r[1]), obs(b)
			h.SignalVariance, h.NoiseVariance = r[0], r[2]
			for _, o := range obs {
				h.Mean += o.Value / float64(len(obs))
			}
			b.ReportMetric(newNaiveGP(b, h, obs).logLikelihood(), "log-likelihood")
			b.ReportMetric(leftOut(b, h, obs), "left-out-error")
		})
	}
	fits("n=500", 1000, draw(500))
	fits("n=100", 1000, draw(100))
	fits("Meuse", 3000, meuse)
	for _, n := range []int{500, 100} {
		run(fmt.Sprintf("predict/n=%d", n), kernel(120), draw(n), func(b *testing.B, r []float64) {
			ours := peers[0].run(b, "predict", kernel(120), draw(n)(b))
			b.ReportMetric(floats.Distance(r, ours[1:], math.Inf(1)), "largest-difference")
		})
	}
}
