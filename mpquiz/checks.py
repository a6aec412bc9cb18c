"""What a host has set up wrong, each with an id and what to do.

E001 modeltranslation missing · E002 modeltranslation after the admin · E003 USE_I18N off · E004 session or
sign-in middleware missing · E005 ``MPQUIZ`` is no dict or a value of the wrong type · E006 unknown setting ·
E007 a kind that cannot be used · E008 a dotted path that does not import · E009 a throttle's rate cannot be read ·
E010 the base template is missing · E011 our own templates are missing · E012 a hook that takes something else ·
W001 columns of a language missing · W002 no LocaleMiddleware · W003 LocaleMiddleware out of order · W004 SQLite
without IMMEDIATE · W005 isolation of MariaDB or MySQL · W006 django_htmx missing · W007 blocks of the base template
missing · W008 a language that Django does not know · W009 ``LANGUAGES`` left as Django has it · W010 a grace of
minutes

The messages are English, as those of Django's own checks are.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from django.apps import apps
from django.conf import global_settings, settings
from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from django.template import Context, Engine, Template, TemplateDoesNotExist, TemplateSyntaxError
from django.template.base import FilterExpression, NodeList, Variable
from django.template.loader_tags import BlockNode, ExtendsNode
from django.utils.module_loading import import_string
from django.utils.translation import get_language_info

from . import files, kinds, translated_migrations, words
from .conf import DEFAULTS, LONGEST_RETENTION, TYPES, conf, fits, given, is_limit, is_retention

Found = Iterator[checks.CheckMessage]

_SESSIONS = "django.contrib.sessions.middleware.SessionMiddleware"
_AUTHENTICATION = "django.contrib.auth.middleware.AuthenticationMiddleware"
_LOCALE = "django.middleware.locale.LocaleMiddleware"
_COMMON = "django.middleware.common.CommonMiddleware"
_RATE = re.compile(r"\d+/[smhd]\w*")
_LONGEST_GRACE = 60
_UNLOADABLE = (TemplateDoesNotExist, TemplateSyntaxError, ImproperlyConfigured)


def register_all() -> None:
    """Register the checks with Django."""
    for check in (modeltranslation, translated_texts, languages, languages_chosen, middleware, locale, htmx):
        checks.register(check)
    for check in (settings_given, blocks_given, files_given, kinds_given, hooks_given, grace_given):
        checks.register(check)
    for check in (throttle_rates, retention_given, sqlite, mysql):
        checks.register(check)
    checks.register(own_templates, checks.Tags.templates)
    checks.register(base_template, checks.Tags.templates)
    checks.register(language_columns, checks.Tags.database)


def _error(number: int, message: str, hint: str) -> checks.CheckMessage:
    return checks.Error(message, hint=hint, id=f"mpquiz.E{number:03}")


def _warning(number: int, message: str, hint: str) -> checks.CheckMessage:
    return checks.Warning(message, hint=hint, id=f"mpquiz.W{number:03}")


# The site ---------------------------------------------------------------------------------------------------


def modeltranslation(**kwargs: Any) -> Found:
    """modeltranslation is installed, and before the admin, which it patches."""
    names = [config.name for config in apps.get_app_configs()]
    if "modeltranslation" not in names:
        hint = 'Add "modeltranslation" to INSTALLED_APPS, before "django.contrib.admin".'
        yield _error(1, "modeltranslation is not installed: texts have no languages.", hint)
    elif "django.contrib.admin" in names and names.index("django.contrib.admin") < names.index("modeltranslation"):
        hint = 'Put "modeltranslation" before "django.contrib.admin" in INSTALLED_APPS.'
        yield _error(2, "modeltranslation stands after the admin.", hint)


def translated_texts(**kwargs: Any) -> Found:
    """Translations are switched on."""
    if not settings.USE_I18N:
        yield _error(3, "USE_I18N is off: texts have no languages.", "Set USE_I18N = True.")


def languages(**kwargs: Any) -> Found:
    """Django knows the name and the direction of each language."""
    hint = "Add it to django.conf.locale.LANG_INFO, with bidi=True if it reads from the right."
    for language in words.languages():
        try:
            get_language_info(language)
        except KeyError:
            message = f"Django does not know the language {language!r}: it is taken to read from the left."
            yield _warning(8, message, hint)


def languages_chosen(**kwargs: Any) -> Found:
    """The languages are the site's own."""
    everything = [code for code, _name in global_settings.LANGUAGES]
    if words.languages() == everything:
        message = f"LANGUAGES is left as Django has it: each text gets {len(everything)} columns."
        yield _warning(9, message, "Set LANGUAGES to the languages of your site before you migrate.")


def middleware(**kwargs: Any) -> Found:
    """Sessions and sign-in are there."""
    for needed in (_SESSIONS, _AUTHENTICATION):
        if _place(needed) is None:
            yield _error(4, f"{needed} is missing: learners cannot be told apart.", "Add it to MIDDLEWARE.")


def locale(**kwargs: Any) -> Found:
    """The reader's language is found where there are several."""
    place, sessions, common = _place(_LOCALE), _place(_SESSIONS), _place(_COMMON)
    if len(settings.LANGUAGES) < 2:
        return
    hint = f'Put "{_LOCALE}" into MIDDLEWARE, after SessionMiddleware and before CommonMiddleware.'
    if place is None:
        yield _warning(2, "Every reader gets the default language: LocaleMiddleware is missing.", hint)
    elif (sessions is not None and sessions > place) or (common is not None and common < place):
        yield _warning(3, "LocaleMiddleware stands at the wrong place.", hint)


def _place(path: str) -> int | None:
    """Where the middleware or a subclass of it stands; one that does not import is left to Django to report."""
    wanted = import_string(path)
    for place, one in enumerate(settings.MIDDLEWARE):
        try:
            found = import_string(one)
        except ImportError:
            continue
        if isinstance(found, type) and issubclass(found, wanted):
            return place
    return None


def htmx(**kwargs: Any) -> Found:
    """htmx's files are found, where pages load them."""
    if conf.HTMX and not apps.is_installed("django_htmx"):
        hint = 'Add "django_htmx" to INSTALLED_APPS, or set MPQUIZ["HTMX"] = False: pages work without it.'
        yield _warning(6, "django_htmx is not installed: pages ask for a script that is not served.", hint)


# The settings -----------------------------------------------------------------------------------------------


def settings_given(**kwargs: Any) -> Found:
    """``MPQUIZ`` is a dict of known names with values of the right type."""
    host = given()
    if not isinstance(host, dict):
        yield _error(5, "MPQUIZ is not a dict.", 'Write MPQUIZ = {"BASE_TEMPLATE": "base.html"}.')
        return
    for name, value in host.items():
        if name not in DEFAULTS:
            yield _error(6, f"MPQUIZ has no setting {name!r}.", _nearest(name, DEFAULTS))
        elif not fits(name, value):
            yield _error(5, f"MPQUIZ[{name!r}] is {value!r}.", f"It is {TYPES[name][1]}.")


def _nearest(name: object, known: Iterable[str]) -> str:
    names = {one.lower(): one for one in known}
    near = get_close_matches(str(name).lower(), names, 1, 0.5)
    return f"Did you mean {names[near[0]]!r}?" if near else f"There are: {', '.join(names.values())}."


def blocks_given(**kwargs: Any) -> Found:
    """``BLOCKS`` names blocks for the roles that there are."""
    roles = DEFAULTS["BLOCKS"]
    for role, block in conf.BLOCKS.items():
        if role not in roles:
            yield _error(6, f"MPQUIZ['BLOCKS'] has no role {role!r}.", _nearest(role, roles))
        elif not isinstance(block, str) or not block:
            yield _error(5, f"MPQUIZ['BLOCKS'][{role!r}] is {block!r}.", "It is the name of a block.")


def files_given(**kwargs: Any) -> Found:
    """The limits of files are numbers, and their types are those that can be told from the bytes."""
    known = DEFAULTS["FILES"]
    for name, value in conf.FILES.items():
        if name not in known:
            yield _error(6, f"MPQUIZ['FILES'] has no part {name!r}.", _nearest(name, known))
        elif name == "TYPES":
            yield from _file_types(value)
        elif not is_limit(value):
            yield _error(5, f"MPQUIZ['FILES'][{name!r}] is {value!r}.", "It is a whole number from 1 on.")


def _file_types(types: Any) -> Found:
    if not isinstance(types, list | tuple | set | frozenset):
        yield _error(5, f"MPQUIZ['FILES']['TYPES'] is {types!r}.", f"It is a list of {', '.join(files.TYPES)}.")
        return
    for one in types:
        if one not in files.TYPES:
            hint = f"These can be told from the bytes: {', '.join(files.TYPES)}."
            yield _error(6, f"MPQUIZ['FILES']['TYPES'] has the unknown type {one!r}.", hint)


def throttle_rates(**kwargs: Any) -> Found:
    """Rates are written as Django REST framework writes them."""
    known = DEFAULTS["THROTTLE"]
    for name, rate in conf.THROTTLE.items():
        if name not in known:
            yield _error(6, f"MPQUIZ['THROTTLE'] has no part {name!r}.", _nearest(name, known))
        elif rate is not None and not _RATE.fullmatch(str(rate)):
            message = f"MPQUIZ['THROTTLE'][{name!r}] is {rate!r}, which is no rate."
            yield _error(9, message, 'Write a number and a period, such as "60/min", or None for no limit.')


def retention_given(**kwargs: Any) -> Found:
    """What is kept for how long is told in days, or is None."""
    known, host = DEFAULTS["RETENTION"], given()
    told = host.get("RETENTION") if isinstance(host, dict) else None
    for name, days in told.items() if isinstance(told, dict) else ():
        if name not in known:
            yield _error(6, f"MPQUIZ['RETENTION'] has no part {name!r}.", _nearest(name, known))
        elif days is not None and not is_retention(days):
            hint = f"It is a number of days from 1 to {LONGEST_RETENTION}, or None: for ever."
            yield _error(5, f"MPQUIZ['RETENTION'][{name!r}] is {days!r}.", hint)


def hooks_given(**kwargs: Any) -> Found:
    """What the host names by a dotted path imports, and takes what it is called with."""
    yield from _hook("GUIDE_ADDRESS", "a guide", count=1)
    yield from _hook("LEARNER_NAME", "a user", count=1)
    yield from _hook("MAY_EDIT", 'a user, quizzes and "change" or "results"', count=3)
    yield from _hook("MAY_TAKE", "a learner and a quiz", count=2)


def _hook(name: str, taken: str, *, count: int) -> Found:
    hint = f"Give the dotted path of a function that takes {taken}."
    try:
        hook = getattr(conf, name)
    except ImproperlyConfigured as error:
        yield _error(8, str(error), hint)
        return
    if hook is None:
        return
    if not callable(hook):
        yield _error(8, f"MPQUIZ[{name!r}] cannot be called.", hint)
    elif not _takes(hook, count):
        yield _error(12, f"MPQUIZ[{name!r}] cannot be called with {taken}.", hint)


def _takes(hook: Callable[..., Any], count: int) -> bool:
    """Whether it can be called with so many arguments, as far as it tells."""
    try:
        inspect.signature(hook).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # written in C, and tells nothing
        return True
    return True


def grace_given(**kwargs: Any) -> Found:
    """The grace is one for slow connections, no second time limit."""
    if conf.GRACE > _LONGEST_GRACE:
        message = f"MPQUIZ['GRACE'] is {conf.GRACE}: answers are taken so many seconds after the time is up."
        yield _warning(10, message, f"It is in seconds. {_LONGEST_GRACE} are enough for a slow connection.")


def kinds_given(**kwargs: Any) -> Found:
    """Each kind of the host imports and is a kind with a name and a template."""
    for name in conf.KINDS:
        if problem := _kind_problem(name):
            hint = "Give the dotted path of a subclass of mpquiz.kinds.Kind with a name, a label and a template."
            yield _error(7, problem, hint)


def _kind_problem(name: str) -> str:
    """Why the kind cannot be used; empty where it can."""
    try:
        kind = kinds.get(name)
    except ImproperlyConfigured as error:
        return str(error)
    if kind.name != name:
        return f"MPQUIZ['KINDS'][{name!r}] calls itself {kind.name!r}."
    problem = _template_problem(kind.template)
    return f"MPQUIZ['KINDS'][{name!r}] has no template: {problem}" if problem else ""


# Templates --------------------------------------------------------------------------------------------------


def own_templates(**kwargs: Any) -> Found:
    """The templates within the package are found."""
    if problem := _template_problem("mpquiz/page.html"):
        message = f"The templates of mpquiz itself cannot be read: {problem}"
        yield _error(11, message, "Set 'APP_DIRS': True for DjangoTemplates in TEMPLATES.")


def _template_problem(name: str) -> str:
    """Why a template cannot be read; empty where it can."""
    try:
        Engine.get_default().get_template(name)
    except _UNLOADABLE as error:
        return f"{type(error).__name__}: {error}"
    return ""


def base_template(**kwargs: Any) -> Found:
    """The host's base template is there and has our blocks."""
    name = conf.BASE_TEMPLATE
    try:
        have = _blocks(Engine.get_default().get_template(name))
    except _UNLOADABLE as error:
        message = f"The base template {name!r} cannot be read: {type(error).__name__}: {error}"
        yield _error(10, message, "Set MPQUIZ['BASE_TEMPLATE'] to a template of yours, or leave it out.")
        return
    names = {role: conf.BLOCKS[role] for role in DEFAULTS["BLOCKS"]}
    lacking = [f"{block} ({role})" for role, block in names.items() if have is not None and block not in have]
    if lacking:
        hint = "Add these blocks, or name yours: MPQUIZ['BLOCKS'] = {'content': 'main', …}."
        yield _warning(7, f"The base template {name!r} lacks the blocks {', '.join(lacking)}.", hint)


def _blocks(template: Template) -> set[str] | None:
    """The blocks that a template which extends this one can fill; None where a parent is known only when rendered."""
    extends = next(iter(template.nodelist.get_nodes_by_type(ExtendsNode)), None)
    if not isinstance(extends, ExtendsNode):
        return _names(template.nodelist)
    parent = extends.parent_name
    if not isinstance(parent, FilterExpression) or isinstance(parent.var, Variable):
        return None
    context = Context()
    with context.bind_template(template):
        reached = _blocks(extends.get_parent(context))
    if reached is None:
        return None
    own = [node for node in extends.nodelist if isinstance(node, BlockNode) and node.name in reached]
    return reached.union(*(_names(block.nodelist) for block in own))


def _names(nodes: NodeList) -> set[str]:
    return {node.name for node in nodes.get_nodes_by_type(BlockNode) if isinstance(node, BlockNode)}


# The databases ----------------------------------------------------------------------------------------------


def sqlite(**kwargs: Any) -> Found:
    """Several learners can write at the same moment."""
    for using, options in _options("sqlite3"):
        if str(options.get("transaction_mode")).upper() not in ("IMMEDIATE", "EXCLUSIVE"):
            message = f"Learners who answer at the same moment meet “database is locked” ({using})."
            yield _warning(4, message, 'Set OPTIONS = {"transaction_mode": "IMMEDIATE"} for this database.')


def mysql(**kwargs: Any) -> Found:
    """An answer is judged by what is stored now."""
    for using, options in _options("mysql"):
        level = options.get("isolation_level", "read committed")
        if str(level).lower() != "read committed":
            message = f"With the isolation level {level!r} an answer may be judged by old rows ({using})."
            yield _warning(5, message, "Leave isolation_level out: Django's own choice is “read committed”.")


def _options(backend: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(alias, OPTIONS) of the databases of a backend."""
    for using, database in settings.DATABASES.items():
        if database.get("ENGINE", "").endswith(f".{backend}"):
            yield using, database.get("OPTIONS") or {}


def language_columns(databases: Sequence[str] | None = None, **kwargs: Any) -> Found:
    """The tables have the columns of today's languages. ``migrate`` asks at its start; a plain ``check`` does not."""
    for using in databases or ():
        missing = translated_migrations.missing_language_columns("mpquiz", using)
        if missing:
            names = ", ".join(".".join(column) for column in missing[:3])
            message = f"{len(missing)} columns for the languages of this site are not there yet: {names} …"
            yield _warning(1, message, "Run manage.py migrate; if it is running now, it adds them.")
