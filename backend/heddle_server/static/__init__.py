"""The explorer as a folder of files, without a service: the compiler answers in the browser's Python."""
