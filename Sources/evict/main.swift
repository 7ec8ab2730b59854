import EvictionLab

EvictionLab.main()
