"""PDF documents become tables: look, extract, choose, stitch."""

from tabular.reading.pdf.reader import read_pdf

__all__ = ["read_pdf"]
