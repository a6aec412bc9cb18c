"""Which fields have a column per language."""

from modeltranslation.settings import AVAILABLE_LANGUAGES
from modeltranslation.translator import TranslationOptions, register

from .models import Choice, Guide, Question, Quiz, Tag


class AnyLanguage(TranslationOptions):
    """Reading falls back to any language: with modeltranslation's default, a text in one language reads as empty."""

    fallback_languages = {"default": tuple(AVAILABLE_LANGUAGES)}


@register(Guide)
class GuideOptions(AnyLanguage):
    fields = ("title",)


@register(Quiz)
class QuizOptions(AnyLanguage):
    fields = ("title", "description")


@register(Question)
class QuestionOptions(AnyLanguage):
    fields = ("title", "prompt", "explanation")


@register(Choice)
class ChoiceOptions(AnyLanguage):
    fields = ("text", "match", "feedback")


@register(Tag)
class TagOptions(AnyLanguage):
    fields = ("description",)
