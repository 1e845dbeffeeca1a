"""The database's history, step by step: run by `service.store.schema.upgrade`."""
