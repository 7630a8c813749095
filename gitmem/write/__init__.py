"""The only way to change a store."""
