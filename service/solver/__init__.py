"""The solver: a bounded search that wins a deal, proves it lost, or gives up."""
