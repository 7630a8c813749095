"""Making a store, and wiring it into a host."""
