"""The same numbers the slow way: every answer is loaded, numpy and scipy reckon."""

from collections import Counter, defaultdict

import numpy as np
from scipy import stats

from mpquiz.models import Attempt


def counted(quiz, which="first"):
    """The attempts that count, chosen one learner after the other."""
    learners = defaultdict(list)
    for attempt in Attempt.objects.filter(quiz=quiz).order_by("number"):
        if attempt.counts and attempt.open is None:
            learners[attempt.user_id or attempt.guest or attempt.pk].append(attempt)
    chosen = {
        "first": lambda some: some[:1],
        "last": lambda some: some[-1:],
        "highest": lambda some: [max(some, key=lambda one: (one.score / one.maximum, one.number))],
        "all": lambda some: some,
    }[which]
    return [one for some in learners.values() for one in chosen(some) if not one.waiting and one.maximum]


def questions(attempts):
    """{question's or deleted version's id: (marks, points, scores)} as arrays."""
    found = defaultdict(list)
    for attempt in attempts:
        for answer in attempt.answers.all():
            if answer.asks and not answer.left_out and answer.points:
                key = answer.question_id or -answer.version_id
                found[key].append((float(answer.mark), float(answer.points), float(attempt.score)))
    return {key: np.array(rows).T for key, rows in found.items()}


def typed(quiz, question):
    """[(text, how many typed it)] in all earnest attempts, those that wait among them, the most common first."""
    attempts = Attempt.objects.filter(quiz=quiz, open=None, trial=False)
    answers = [one for attempt in attempts for one in attempt.answers.all() if one.question_id == question.pk]
    return sorted(Counter(one.tally for one in answers if one.tally).items(), key=lambda one: (-one[1], one[0]))


def of_question(x, points, total):
    y = total - x
    n = len(x)
    varies = n > 1 and np.ptp(x) > 0 and np.ptp(np.round(y, 9)) > 0
    most = np.cov(np.sort(x), np.sort(y))[0, 1] if varies else 0
    return {
        "n": n,
        "facility": x.sum() / points.sum(),
        "deviation": np.std(x, ddof=1) if n > 1 else None,
        "discrimination": 100 * stats.pearsonr(x, y).statistic if varies else None,
        "efficiency": 100 * np.cov(x, y)[0, 1] / most if varies else None,
        "covariance": np.cov(x, total)[0, 1] if n > 1 else None,
        "variance": np.var(x, ddof=1) if n > 1 else None,
    }


def of_quiz(attempts):
    """n, mean, median, deviation, skewness, kurtosis and consistency; percents of the maximum."""
    percents = np.array([100 * float(one.score) / float(one.maximum) for one in attempts])
    scores = np.array([float(one.score) for one in attempts])
    n = len(attempts)
    varies = n > 1 and np.ptp(percents) > 1e-9
    of_questions = [of_question(*rows) for rows in questions(attempts).values()]
    found = {
        "n": n,
        "mean": percents.mean() if n else None,
        "median": np.median(percents) if n else None,
        "deviation": np.std(percents, ddof=1) if n > 1 else None,
        "skewness": stats.skew(percents, bias=False) if varies and n > 2 else None,
        "kurtosis": stats.kurtosis(percents, bias=False) if varies and n > 3 else None,
        "consistency": None,
    }
    p = len(of_questions)
    if n > 1 and p > 1 and np.ptp(scores) > 1e-9:
        variances = sum(one["variance"] for one in of_questions)
        found["consistency"] = 100 * p / (p - 1) * (1 - variances / np.var(scores, ddof=1))
    return found
