"""How fast editors' pages are on a site that has grown: a thousand quizzes, a million attempts."""
