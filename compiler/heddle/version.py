"""The version of Heddle: of both distributions, of the service and of the page."""

VERSION = "1.0.0rc1"
