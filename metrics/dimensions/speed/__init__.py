"""Speed: the rate of one epoch, of the window of epochs that counts, and of single records."""
