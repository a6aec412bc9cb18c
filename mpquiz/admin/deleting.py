"""Deleting in admin: says in numbers what it means, and leaves what learners did whole.

A quiz that was taken is archived instead. Trials of staff are nothing to keep: they go with their quiz.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.contrib import admin, messages
from django.db import IntegrityError, models, router, transaction
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..editing.deleting import counts_of, delete_quizzes, taken
from ..models import Accommodation, Answer, Attempt, Pool, Question, Quiz, QuizQuestion, Tag
from ..models.quiz import is_ruled
from .languages import in_its_own_direction

Deleted = tuple[list[Any], dict[Any, int], set[Any], list[Any]]
"""What Django's pages show: nested lines, {what: how many}, what the rights do not reach, what stands against it."""

_MOST_NAMED = 10


class Deleting(admin.ModelAdmin):
    """An admin whose rows may get protected by somebody else between the question and the answer."""

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        try:
            return super().delete_view(request, object_id, extra_context)
        except IntegrityError:
            return self._changed_meanwhile(request)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        if request.POST.get("action") != "delete_selected":
            return super().changelist_view(request, extra_context)
        try:
            with transaction.atomic(using=router.db_for_write(self.model)):
                return super().changelist_view(request, extra_context)
        except IntegrityError:
            return self._changed_meanwhile(request)

    def _changed_meanwhile(self, request: HttpRequest) -> HttpResponseRedirect:
        """Nothing was deleted. Sends back to where it was asked, which tells what stands against it now."""
        said = _("Nothing was deleted: what was to be deleted came into use at this moment. Look again.")
        self.message_user(request, said, messages.ERROR)
        return HttpResponseRedirect(request.get_full_path())

    def line_of(self, row: models.Model) -> SafeString:
        """A row as the list of what is deleted names it, with a link to its page."""
        name = f"{self.admin_site.name}:{self.opts.app_label}_{self.opts.model_name}_change"
        link = '{}: <a href="{}">{}</a>'
        named = in_its_own_direction(str(row))
        return format_html(link, capfirst(self.opts.verbose_name), reverse(name, args=[row.pk]), named)

    def lacking(self, request: HttpRequest, rows: Iterable[models.Model]) -> set[Any]:
        """The names of what the rights do not reach."""
        return {self.opts.verbose_name for row in rows if not self.has_delete_permission(request, row)}

    def quizzes_named(self, request: HttpRequest, quizzes: Mapping[int, Quiz]) -> SafeString:
        """Quizzes as links, for whoever may see them; of those of another editor there is nothing."""
        quizzes = self._seen(request, quizzes)
        if not quizzes:
            return SafeString()
        name = f"{self.admin_site.name}:mpquiz_quiz_change"
        links = [
            format_html('<a href="{}">{}</a>', reverse(name, args=[pk]), in_its_own_direction(str(quiz)))
            for pk, quiz in list(quizzes.items())[:_MOST_NAMED]
        ]
        if len(quizzes) > _MOST_NAMED:
            links.append(format_html("{}", "…"))
        return format_html(": {}", format_html_join(" · ", "{}", ((link,) for link in links)))

    def _seen(self, request: HttpRequest, quizzes: Mapping[int, Quiz]) -> Mapping[int, Quiz]:
        if not self.admin_site.get_model_admin(Quiz).has_view_permission(request):
            return {}
        if not (quizzes and is_ruled(request.user)):
            return quizzes
        theirs = set(Quiz.objects.filter(pk__in=quizzes).of_editor(request.user).values_list("pk", flat=True))
        return {pk: quiz for pk, quiz in quizzes.items() if pk in theirs}


# Quizzes ----------------------------------------------------------------------------------------------------


class DeletingQuizzes(Deleting):
    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Deleted:
        """What was taken stands against deleting, in numbers. Ten queries, however many attempts there are."""
        quizzes = list(objs)
        done = taken(quizzes)
        if protected := [one for one in done.values() if one.attempts]:
            return [], {}, set(), protected
        parts: dict[Any, int] = {
            model: model._default_manager.filter(quiz__in=quizzes).count()
            for model in (QuizQuestion, Pool, Accommodation)
        }
        lacking = self.lacking(request, quizzes)
        accommodations = self.admin_site.get_model_admin(Accommodation)
        if parts[Accommodation] and not accommodations.has_delete_permission(request):
            lacking.add(Accommodation._meta.verbose_name_plural)
        counts = {Quiz: len(quizzes), **parts}
        told = {model._meta.verbose_name_plural: count for model, count in counts.items() if count}
        if trials := sum(one.trials for one in done.values()):
            told[_("trials by staff")] = trials
        return [self.line_of(quiz) for quiz in quizzes], told, lacking, []

    def delete_model(self, request: HttpRequest, obj: Quiz) -> None:
        self.delete_queryset(request, Quiz.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: models.QuerySet[Quiz]) -> None:
        delete_quizzes(queryset)


# Questions --------------------------------------------------------------------------------------------------


class DeletingQuestions(Deleting):
    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Deleted:
        """Where the questions stand and in how many attempts they were asked. Five queries, however many."""
        questions = list(objs)
        asked = counts_of(_asked(questions), "question", count=models.Count("attempt", distinct=True))
        unfinished = Attempt.objects.unfinished().values("pk")
        running = counts_of(_asked(questions).filter(attempt__in=unfinished), "question")
        standing: dict[int, dict[int, Quiz]] = {}
        for place in QuizQuestion.objects.filter(question__in=questions).select_related("quiz"):
            standing.setdefault(place.question_id, {})[place.quiz_id] = place.quiz
        lines: list[Any] = []
        for question in questions:
            lines.append(self.line_of(question))
            told = [
                self._standing(request, standing.get(question.pk, {})),
                *_in_attempts(*(rows.get(question.pk, {}).get("count", 0) for rows in (asked, running))),
            ]
            lines.append(told)
        return lines, {self.opts.verbose_name_plural: len(questions)}, self.lacking(request, questions), []

    def _standing(self, request: HttpRequest, quizzes: Mapping[int, Quiz]) -> SafeString | str:
        if not quizzes:
            return _("It stands in no quiz.")
        message = ngettext(
            "It stands in %(count)d quiz, which stays and asks it no longer",
            "It stands in %(count)d quizzes, which stay and ask it no longer",
            len(quizzes),
        )
        return format_html("{}{}", message % {"count": len(quizzes)}, self.quizzes_named(request, quizzes))


def _asked(questions: Sequence[Question]) -> models.QuerySet[Answer]:
    asked: Any = Answer.objects.filter(question__in=questions, attempt__trial=False)
    return asked


def _in_attempts(asked: int, running: int) -> list[str]:
    """In how many attempts it was asked, and that they stay whole."""
    if not asked:
        return [_("No learner was asked it.")]
    message = ngettext(
        "It was asked in %(count)d attempt, which stays whole, with its score.",
        "It was asked in %(count)d attempts, which stay whole, with their scores.",
        asked,
    )
    goes_on = ngettext(
        "%(count)d of them is running, and goes on with it.",
        "%(count)d of them are running, and go on with it.",
        running,
    )
    return [message % {"count": asked}, *([goes_on % {"count": running}] if running else [])]


# Guides -----------------------------------------------------------------------------------------------------


class DeletingGuides(Deleting):
    """The part of the guides' admin that deletes them."""

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Deleted:
        """Which quizzes name them. Three queries, however many quizzes and questions do."""
        guides = list(objs)
        naming: dict[int, dict[int, Quiz]] = {}
        for one in Quiz.guides.through.objects.filter(guide__in=guides).select_related("quiz"):
            naming.setdefault(one.guide_id, {})[one.quiz_id] = one.quiz
        questions = counts_of(Question.guides.through.objects.filter(guide__in=guides), "guide")
        lines: list[Any] = []
        for guide in guides:
            told = self._naming(request, naming.get(guide.pk, {}))
            lines += [self.line_of(guide), [told, _named_by(questions.get(guide.pk, {}).get("count", 0))]]
        return lines, {self.opts.verbose_name_plural: len(guides)}, self.lacking(request, guides), []

    def _naming(self, request: HttpRequest, quizzes: Mapping[int, Quiz]) -> SafeString:
        message = ngettext(
            "%(count)d quiz belongs to it, and stays without it",
            "%(count)d quizzes belong to it, and stay without it",
            len(quizzes),
        )
        return format_html("{}{}", message % {"count": len(quizzes)}, self.quizzes_named(request, quizzes))


def _named_by(count: int) -> str:
    message = ngettext(
        "%(count)d question belongs to it, and stays without it.",
        "%(count)d questions belong to it, and stay without it.",
        count,
    )
    return message % {"count": count}


# Tags -------------------------------------------------------------------------------------------------------


class DeletingTags(Deleting):
    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Deleted:
        """A tag from which a quiz draws stays. Two queries, however many questions have it."""
        tags = list(objs)
        drawing: dict[int, dict[int, Quiz]] = {}
        for pool in Pool.objects.filter(tag__in=tags).select_related("quiz"):
            drawing.setdefault(pool.tag_id, {})[pool.quiz_id] = pool.quiz
        protected = [self._drawing(request, tag, drawing[tag.pk]) for tag in tags if tag.pk in drawing]
        if protected:
            return [], {}, set(), protected
        having = counts_of(Question.tags.through.objects.filter(tag__in=tags), "tag")
        lines: list[Any] = []
        for tag in tags:
            lines += [self.line_of(tag), [_having(having.get(tag.pk, {}).get("count", 0))]]
        return lines, {self.opts.verbose_name_plural: len(tags)}, self.lacking(request, tags), []

    def _drawing(self, request: HttpRequest, tag: Tag, quizzes: Mapping[int, Quiz]) -> SafeString:
        message = ngettext(
            "%(count)d quiz draws from “%(tag)s”", "%(count)d quizzes draw from “%(tag)s”", len(quizzes)
        )
        said = message % {"count": len(quizzes), "tag": tag}
        return format_html("{}{}", said, self.quizzes_named(request, quizzes))


def _having(count: int) -> str:
    message = ngettext(
        "%(count)d question has it, and stays without it.", "%(count)d questions have it, and stay without it.", count
    )
    return message % {"count": count}
