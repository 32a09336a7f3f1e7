"""The pages of a document: opened, turned upright, words and lines, running headers dropped."""
