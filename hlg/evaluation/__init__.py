"""Evaluation: metrics, data sets, experiments, reports."""
