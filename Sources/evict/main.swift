import EvictionLab

EvictionLabCommand.main()
