x=1
# Usage: push array value
#
# Appends it.
push() { :; }  # no text
#
