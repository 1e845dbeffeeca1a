"""HTTP: routes, problems, limits. What may be seen is decided in `service.publishing`."""
