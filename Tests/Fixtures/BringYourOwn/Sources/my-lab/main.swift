import EvictionLab
import MyPolicies

extension LIP: RunnablePolicy {}
extension SecondRequestRules: RunnableRules {}

EvictionLab.main(adding: [LIP.self, SecondRequest.self])
