"""What the service keeps of decompositions beside their rows: checkpoints, requests to stop, and models."""
