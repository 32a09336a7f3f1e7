"""Workbooks: xlsx, xlsm, xlsb, xls and ods. Spec: What the service does, 1."""

from tabular.reading.workbook.reader import read_workbook

__all__ = ["read_workbook"]
