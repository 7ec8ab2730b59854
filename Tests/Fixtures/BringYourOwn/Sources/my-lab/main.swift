import EvictionLab
import Laboratory
import MyPolicies

extension LIP: RunnablePolicy {}

EvictionLab.main(adding: [LIP.self])
