"""Signals for hosts, sent after the transaction commits and never used inside mpquiz.

A receiver that fails is logged and loses no answer.
"""

from django.dispatch import Signal

# Each is sent with: attempt.
attempt_started = Signal()
# Sent with: attempt, answer.
question_answered = Signal()
# Sent with: attempt. Abandoned attempts and trials included: see ``attempt.ended`` and ``attempt.trial``.
attempt_finished = Signal()
# Sent with: attempt, answer. A person has marked the answer, for the first time or anew; ``attempt.waiting`` says how
# many of the attempt still wait. No second ``attempt_finished`` follows.
answer_marked = Signal()
# Sent with: attempt, report. A learner says that something is wrong with a question, or says so in other words.
question_reported = Signal()
# Sent with: attempt, remarking. The attempt's score or maximum changed when a question was marked anew, or when that
# was undone (``remarking.undone_at``).
attempt_remarked = Signal()
