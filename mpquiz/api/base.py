"""What all views of the API share: who asks, in which language, how often, and how they are refused."""

from typing import Any, ClassVar

from django.apps import apps
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer, BrowsableAPIRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer, Serializer
from rest_framework.views import APIView

from .. import throttling, words
from ..learners import Learner
from . import caching, languages
from .authentication import enforce_csrf, is_vouched_for
from .caching import Keeping
from .errors import answer_to
from .parsing import Parser
from .schema import Described


class ApiView(APIView):
    """A view that answers in JSON (and in the browsable API), by the host's own authentication.

    ``serializer_class`` is what it answers with, ``body_class`` what a POST, PUT or PATCH takes, ``query_class`` what
    a list takes in its address; ``keeping`` who may keep the answer to a GET.
    """

    permission_classes = [AllowAny]  # the quiz's rules say who may; what stands for the staff says otherwise
    parser_classes = [Parser]
    throttle_classes = []
    versioning_class = None  # the version stands in the path
    schema = Described()

    serializer_class: ClassVar[type[BaseSerializer[Any]]] = Serializer
    body_class: ClassVar[type[Serializer[Any]] | None] = None
    keeping: ClassVar[Keeping] = Keeping.NOT

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.about: dict[str, Any] = {}  # the quiz, the attempt and the position, for the log of refusals

    # The request ------------------------------------------------------------------------------------------

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with translation.override(languages.language_of(request)):
            response = super().dispatch(request, *args, **kwargs)
            if not isinstance(response, Response):  # a file that is being sent
                return response
            response.render()  # now, while the language is the one that was asked for
            response["Content-Language"] = words.current_language()
            return caching.kept(request, response, self.keeping)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        throttling.check(request, throttling.ApiThrottle)
        languages.check(request)

    def get_authenticators(self) -> list[BaseAuthentication]:
        found = super().get_authenticators()
        for one in found:
            if isinstance(one, SessionAuthentication):
                one.enforce_csrf = enforce_csrf  # type: ignore[method-assign]  # of this request's own; ours has a code
        return found

    def perform_authentication(self, request: Request) -> None:
        super().perform_authentication(request)
        if request.user is None:  # a host may set UNAUTHENTICATED_USER so
            request.user = AnonymousUser()
        if not is_vouched_for(request):
            enforce_csrf(request)

    def get_renderers(self) -> list[BaseRenderer]:
        found = super().get_renderers()
        if apps.is_installed("rest_framework"):
            return found
        return [one for one in found if not isinstance(one, BrowsableAPIRenderer)]  # its templates are not there

    def get_exception_handler(self) -> Any:
        return answer_to

    # What is read and written -----------------------------------------------------------------------------

    @property
    def learner(self) -> Learner:
        """Who asks: a user or the guest of this session; neither for whoever has not started anything."""
        return Learner.of(self.request)

    def get_serializer(self, *args: Any, **kwargs: Any) -> BaseSerializer[Any]:
        """That of the body where one is sent, else of the answer; the browsable API and OpenAPI ask for it."""
        reads = self.request is not None and self.request.method in ("POST", "PUT", "PATCH")
        chosen = self.body_class if reads and self.body_class is not None else self.serializer_class
        kwargs.setdefault("context", self.get_serializer_context())
        return chosen(*args, **kwargs)

    def get_serializer_context(self) -> dict[str, Any]:
        return {"request": self.request, "view": self}

    def body(self) -> dict[str, Any]:
        """What was sent, checked; what the body's serializer does not name is not there. Raises ValidationError."""
        serializer = (self.body_class or Serializer)(data=self.request.data, context=self.get_serializer_context())
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def answer(
        self,
        shown: Any,
        status: int = 200,
        *,
        by: type[BaseSerializer[Any]] | None = None,
        headers: dict[str, str] | None = None,
        **context: Any,
    ) -> Response:
        """An answer that shows something as ``serializer_class`` does, or another; ``context`` is for it alone."""
        serializer = (by or self.serializer_class)(shown, context=self.get_serializer_context() | context)
        return Response(serializer.data, status, headers=headers)


__all__ = ["ApiView", "Keeping"]
