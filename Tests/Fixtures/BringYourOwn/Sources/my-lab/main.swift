import EvictionLab
import MyPolicies

EvictionLab.main(adding: [LIP.self])
