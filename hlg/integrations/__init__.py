"""Integrations: hlg inside other frameworks."""
