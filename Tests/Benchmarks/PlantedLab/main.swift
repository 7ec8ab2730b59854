import EvictionLab

/// `evict` with a policy that has a fault when it is asked to: Tests/Benchmarks/gate.py asks.
EvictionLab.main(adding: [PlantedFault.self])
