"""Events become numbers; pure: no clock, no file, no network."""
