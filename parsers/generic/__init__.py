"""The reader of logs of no known format: it finds named numbers in lines of any layout."""
