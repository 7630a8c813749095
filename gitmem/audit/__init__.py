"""What is wrong with the files of a store: findings, each by a rule that explains itself.  Never writes."""
