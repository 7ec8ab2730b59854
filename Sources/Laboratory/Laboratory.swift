// What has left this target, and is still found through it.
@_exported import EvictionCore
@_exported import Parameters
@_exported import Rendering
@_exported import Results
@_exported import Traces

/// One run; Foundation has a type of that name, too.
public typealias Measurement = Results.Measurement
