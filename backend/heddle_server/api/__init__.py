"""The routes of the service: what translates HTTP and decides nothing.

Add a route of the API:

1. ``backend/heddle_server/api/<resource>.py`` (HTTP only), ``backend/heddle_server/services/<resource>.py`` (what it
   does), ``backend/heddle_server/schema/<resource>.py`` (its JSON).
2. ``python -m heddle_server.openapi && npm --prefix frontend run generate``, and commit both files.
"""
