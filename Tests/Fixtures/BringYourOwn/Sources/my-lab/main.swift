import EvictionLab
import Experiments
import MyPolicies

extension LIP: RunnablePolicy {}

EvictionLab.main(adding: [LIP.self])
