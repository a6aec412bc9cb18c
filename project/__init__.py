"""A small course site in English and Arabic that uses mpquiz exactly as a stranger would."""
