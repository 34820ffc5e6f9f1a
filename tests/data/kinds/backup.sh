#!/bin/sh
# Backs up
# the organ.
tar c organ
