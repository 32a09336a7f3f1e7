"""Turn PDF documents into tables: inspect, extract, choose, stitch."""

from tabular.reading.pdf.reader import read_pdf

__all__ = ["read_pdf"]
