package planner

var AveragePosterior = averagePosterior
