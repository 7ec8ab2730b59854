// What has left this target, and is still found through it.
@_exported import CacheReplay
@_exported import Comparison
@_exported import EvictionCore
@_exported import Experiments
@_exported import Parameters
@_exported import Recording
@_exported import Rendering
@_exported import Reports
@_exported import Requests
@_exported import Results
@_exported import Simulation
@_exported import TraceAnalysis
@_exported import Traces

/// One run; Foundation has a type of that name, too.
public typealias Measurement = Results.Measurement
