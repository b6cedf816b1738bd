"""Matrices and tensors that come with Heddle, and the collections that they are downloaded from.

Add a collection of data:

1. One entry in ``backend/heddle_server/datasets/collections.json``: the address with ``{path}``, what names look
   like, and every origin that a download may be redirected to.
"""
