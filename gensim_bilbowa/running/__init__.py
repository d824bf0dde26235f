"""How work runs: in threads, up to Ctrl-C, within the system's limits, and how far it is."""
