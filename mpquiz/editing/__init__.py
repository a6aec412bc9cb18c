"""What editors do, whoever asks for it: admin and the API are doors to the same rules."""
