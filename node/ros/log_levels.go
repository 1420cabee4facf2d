package ros

import (
	"fmt"
	"log/slog"
	"strings"
	"sync"

	ri "ugp_explorer/msgs/rcl_interfaces"
)

// logLevels are the levels that were set for loggers by the command line or by the services of a
// node. As in rcutils, a logger without a level of its own has that of the nearest logger above it:
// "" is above "ns", "ns" above "ns.node". Any goroutine may use them.
type logLevels struct {
	logger string        // the node's
	level  slog.LevelVar // of the node's logger, in effect

	mu  sync.Mutex
	set map[string]slog.Level
}

// mostLoggers is the number of loggers with a level of their own: names come from outside.
const mostLoggers = 100

// rosLevels are the levels of rcl_interfaces/LoggerLevel.
var rosLevels = map[uint32]slog.Level{
	uint32(ri.LoggerLevelLogLevelDebug): slog.LevelDebug, uint32(ri.LoggerLevelLogLevelInfo): slog.LevelInfo,
	uint32(ri.LoggerLevelLogLevelWarn): slog.LevelWarn, uint32(ri.LoggerLevelLogLevelError): slog.LevelError,
	uint32(ri.LoggerLevelLogLevelFatal): LevelFatal,
}

func newLogLevels(logger string, args []LevelArg) *logLevels {
	l := &logLevels{logger: logger, set: map[string]slog.Level{}}
	for _, a := range args {
		l.set[a.Logger] = a.Level
	}
	l.level.Set(l.effective())
	return l
}

// effective returns the level of the node's logger. The caller holds l.mu.
func (l *logLevels) effective() slog.Level {
	for name := l.logger; ; {
		if level, ok := l.set[name]; ok {
			return level
		}
		if name == "" {
			return slog.LevelInfo
		}
		name = name[:max(0, strings.LastIndexByte(name, '.'))]
	}
}

// get returns the level of a logger in ROS's numbers, as in rcutils: 0 for one that is not known.
func (l *logLevels) get(name string) uint32 {
	l.mu.Lock()
	defer l.mu.Unlock()
	level, ok := l.set[name]
	switch {
	case ok:
	case name == l.logger:
		level = l.effective()
	case name == "":
		level = slog.LevelInfo
	default:
		return uint32(ri.LoggerLevelLogLevelUnknown)
	}
	return uint32(rosLevel(level))
}

// put sets the level of a logger, which need not exist yet; 0 takes it back. It returns why it refuses,
// "" if it does not; the first words are those of rcutils.
func (l *logLevels) put(name string, level uint32) (refused string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if level == uint32(ri.LoggerLevelLogLevelUnknown) {
		delete(l.set, name)
		l.level.Set(l.effective())
		return ""
	}
	to, ok := rosLevels[level]
	_, known := l.set[name]
	switch {
	case !ok:
		return fmt.Sprintf("Invalid severity level specified for logger: %d, want 10 (DEBUG), 20 (INFO), 30 (WARN), 40 (ERROR), 50 (FATAL), or 0 for the level of the logger above", level)
	case !known && len(l.set) >= mostLoggers || len(name) > 512:
		return fmt.Sprintf("the level of the logger is not kept: at most %d loggers with names of at most 512 bytes have one", mostLoggers)
	}
	l.set[name] = to
	l.level.Set(l.effective())
	return ""
}

// serveLogLevels offers ~/get_logger_levels and ~/set_logger_levels, as nodes of rclcpp do from Iron
// on if their program enables it.
func (n *Node) serveLogLevels() error {
	_, err := Serve(n, "~/get_logger_levels", func(req *ri.GetLoggerLevelsRequest, res *ri.GetLoggerLevelsResponse) {
		for _, name := range req.Names {
			res.Levels = append(res.Levels, ri.LoggerLevel{Name: name, Level: n.levels.get(name)})
		}
	})
	if err := n.unlessUnknown(err); err != nil {
		return err
	}
	_, err = Serve(n, "~/set_logger_levels", func(req *ri.SetLoggerLevelsRequest, res *ri.SetLoggerLevelsResponse) {
		for _, l := range req.Levels {
			res.Results = append(res.Results, n.setLogLevel(l))
		}
	})
	return n.unlessUnknown(err)
}

// setLogLevel sets a level. The log says so, at the lower of both levels, so that a log that falls
// silent tells why.
func (n *Node) setLogLevel(l ri.LoggerLevel) ri.SetLoggerLevelsResult {
	before := n.levels.level.Level()
	if refused := n.levels.put(l.Name, l.Level); refused != "" {
		return ri.SetLoggerLevelsResult{Reason: refused}
	}
	after := n.levels.level.Level()
	if before != after {
		n.levels.level.Set(min(before, after, slog.LevelInfo))
		n.log.Info("the log level was set", "logger", n.levels.logger, "level", severities[rosLevel(after)])
		n.levels.level.Set(after)
		return ri.SetLoggerLevelsResult{Successful: true}
	}
	if above := n.levels.logger == l.Name || l.Name == "" || strings.HasPrefix(n.levels.logger, l.Name+"."); !above {
		return ri.SetLoggerLevelsResult{Successful: true, Reason: "kept, but nothing in this node logs as " + Printable(l.Name, 100) + "; its logger is " + n.levels.logger}
	}
	return ri.SetLoggerLevelsResult{Successful: true}
}
