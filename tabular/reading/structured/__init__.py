"""JSON, NDJSON, XML, Parquet, Feather, Stata, SAS and SPSS. Spec: What the service does, 1."""

from tabular.reading.structured.columnar import read_columnar
from tabular.reading.structured.reader import read_structured
from tabular.reading.structured.statistical import read_statistical
from tabular.reading.structured.xml_records import read_xml

__all__ = ["read_columnar", "read_statistical", "read_structured", "read_xml"]
