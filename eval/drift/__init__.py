"""Weekly files of generated feeds, ordinary and changed: what drift detection notices."""
