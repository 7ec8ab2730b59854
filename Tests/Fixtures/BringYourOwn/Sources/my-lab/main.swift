import EvictionLab
import MyPolicies

extension LIP: RunnablePolicy {}

EvictionLab.main(adding: [LIP.self])
