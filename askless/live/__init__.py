"""The real API: who is asked, what that may cost, and what is said when it fails."""
