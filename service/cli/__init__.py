"""The operator's command line, ``gaps``. Commands are thin: they name, call and print."""
