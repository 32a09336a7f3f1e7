"""Documents as office programs print them: known tables, six programs, six looks."""
