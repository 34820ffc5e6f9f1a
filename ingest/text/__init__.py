"""The layout of a text: headings, blocks, tables, sentences, each with its exact span."""
