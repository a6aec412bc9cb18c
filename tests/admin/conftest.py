"""An editor's browser: fetches a page of admin, fills in what a test names and sends the whole form back."""

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.contrib.messages import get_messages
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from tests.factories import make_user


class Editor:
    """``page("quiz")`` is the page to add one, ``page("quiz", row)`` that of a row."""

    def __init__(self, client, language="en"):
        self.client, self.language = client, language

    def address(self, model, row=None, view=None):
        view = view or ("change" if row else "add")
        with translation.override(self.language):
            return reverse(f"admin:mpquiz_{model}_{view}", args=[row.pk] if row else [])

    def page(self, model, row=None):
        return self.client.get(self.address(model, row))

    def list(self, model, **query):
        return self.client.get(self.address(model, view="changelist"), query)

    def save(self, model, row=None, **typed):
        """Send the page's form with what was typed; ``choices-0-text_en`` is written ``choices__0__text_en``."""
        page = self.page(model, row)
        assert page.status_code == 200
        data = as_sent(page) | {name.replace("__", "-"): value for name, value in typed.items()}
        sent = {name: value for name, value in data.items() if value is not None and value is not False}
        return self.client.post(self.address(model, row), sent)


def as_sent(page):
    """What a browser would send of a page that nobody touched."""
    forms = [page.context_data["adminform"].form]
    for inline in page.context_data["inline_admin_formsets"]:
        forms += [inline.formset.management_form, *inline.formset.forms]
    fields = [field for form in forms for field in form]
    hidden = {one.html_initial_name: _sent(one) for one in fields if one.field.show_hidden_initial}
    return hidden | {field.html_name: _sent(field) for field in fields}


def _sent(field):
    value = field.value()
    if isinstance(value, list):
        return [str(getattr(one, "pk", one)) for one in value]
    return "on" if value is True else value


class Opened:
    """A page that an editor has opened, and sends later."""

    def __init__(self, admin, model, row):
        self.admin, self.address = admin, admin.address(model, row)
        self.sent = as_sent(admin.page(model, row))

    def save(self, **typed):
        self.sent |= {name.replace("__", "-"): value for name, value in typed.items()}
        data = {name: value for name, value in self.sent.items() if value is not None and value is not False}
        page = self.admin.client.post(self.address, data)
        if page.status_code == 200:
            self.sent = as_sent(page)  # the page that came back is what is sent next
        return page


def errors_of(page):
    """{field: messages} of everything that a page complains about; rows as ``choices-0-text_en``."""
    assert page.status_code == 200, page.headers.get("Location")
    forms = [page.context_data["adminform"].form]
    found = {}
    for inline in page.context_data["inline_admin_formsets"]:
        forms += inline.formset.forms
        if said := list(inline.formset.non_form_errors()):
            found[inline.formset.prefix] = said
    for form in forms:
        for name, messages in form.errors.items():
            found[form.add_prefix(name)] = list(messages)
    return found


@pytest.fixture
def admin(client):
    """A superuser's browser in English."""
    client.force_login(make_user("admin", is_staff=True, is_superuser=True))
    return Editor(client)


@pytest.fixture
def staff(client):
    """A browser of staff who have these permissions only: ``staff("view_quiz", "change_quiz")``."""

    def sign_in(*permissions, name="staff"):
        user = make_user(name, is_staff=True)
        user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
        client.force_login(user)
        return Editor(client)

    return sign_in


@pytest.fixture
def query_count():
    """How many queries a call takes, once the types of content are known, which each process asks once."""
    ContentType.objects.get_for_models(*apps.get_models())

    def count(call, status=200):
        with CaptureQueriesContext(connection) as queries:
            assert call().status_code == status
        return len(queries)

    return count


def words_said(page):
    """The messages that a page shows."""
    return [str(one) for one in get_messages(page.wsgi_request)]


def told(editor, answer):
    """What the page after saving says beside that it was saved: warnings and informations, as HTML."""
    assert answer.status_code == 302, errors_of(answer)
    page = editor.client.get(answer.headers["Location"])
    return [str(one) for one in get_messages(page.wsgi_request) if one.level_tag in ("info", "warning")]
