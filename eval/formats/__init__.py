"""The same workbook in several formats: what a conversion must not change."""
