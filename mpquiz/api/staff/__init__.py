"""The staff's side of the API: what admin does, with admin's rights, in JSON under ``v1/staff/``."""
