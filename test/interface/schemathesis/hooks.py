"""What schemathesis cannot know about the service: records to keep, and rules that no schema can express."""

import itertools
import json
import os

import requests
import schemathesis

with open(os.environ["CAS_POOLS"], encoding="utf-8") as file:
    POOLS = json.load(file)
# Incidents may be moved but must not change otherwise.
KEPT = {value for name, values in POOLS["kept"].items() if name != "incidentId" for value in values}
DISPOSABLE = [value for values in POOLS["disposable"].values() for value in values]


@schemathesis.hook
def before_call(context, case, kwargs):
    spare_kept_records(case)
    vary_idempotency_key(case)
    take_turns(case)
    use_sessions(case)
    sign_in(case)
    sign_in_by_link(case)
    hold_nothing(case)
    # Three times in four, because invalid combinations must be rejected as well.
    if case.meta is not None and case.meta.generation.mode.is_positive and hash(case.id) % 4 != 0:
        keep_parameters_together(case.query)
        keep_fields_together(case)


AUTHORIZATION = [f"Bearer {token}" for token in POOLS["auditorTokens"]]
NEXT = itertools.cycle(AUTHORIZATION)


def take_turns(case):
    """A token has ten calls a second. Tokens that must be rejected are left unchanged."""
    if (case.headers or {}).get("Authorization") == AUTHORIZATION[0]:
        case.headers["Authorization"] = next(NEXT)


SESSIONS = list(POOLS["sessions"])
# Sessions that requests end.
SIGNING_OUT = {}
CONFIGURED = SESSIONS[0]["token"]
PASSWORD = "seven quiet grey herons"


def operation_of(case):
    return case.operation.definition.raw.get("operationId")


def use_sessions(case):
    """A session has ten calls a second, and ends when it signs out."""
    if (case.cookies or {}).get("cas_session") != CONFIGURED:
        return
    session = SESSIONS.pop(0)
    if operation_of(case) == "deleteSession":
        SIGNING_OUT[case.id] = session
    else:
        SESSIONS.append(session)
    case.cookies["cas_session"] = session["token"]
    if "x-csrf-token" in (case.headers or {}):
        case.headers["x-csrf-token"] = session["csrfToken"]


ADDRESSES = itertools.count(1)


def address():
    """A different key each time; random numbers would repeat, because the runs are seeded."""
    number = next(ADDRESSES)
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


def sign_in(case):
    """Each from its own address, and mostly as an existing user."""
    if operation_of(case) not in ("createAccount", "createSession"):
        return
    case.headers = case.headers or {}
    case.headers["X-Forwarded-For"] = address()
    positive = case.meta is None or case.meta.generation.mode.is_positive
    if operation_of(case) == "createSession" and positive:
        case.body = {"email": "ann@example.org", "password": PASSWORD}


def sign_in_by_link(case):
    """Credentials are set once, by a user who signed in with a link: each request gets its own such user."""
    positive = case.meta is not None and case.meta.generation.mode.is_positive
    if operation_of(case) != "setCredentials" or not positive or not case.cookies:
        return
    secret = {"x-internal-secret": POOLS["internalSecret"]}
    customer = post("/internal/customers", {"name": "By link", "type": "COMPANY", "plan": "DEV"}, secret)
    link = post("/internal/sign-in-links", {"customerId": customer.json()["id"]}, secret)
    token = link.json()["data"]["linkToken"]
    # A link only works from this machine, whose addresses all have the same prefix.
    local = "127." + address().removeprefix("10.")
    answer = post("/sessions", {"linkToken": token}, {"X-Forwarded-For": local})
    case.cookies["cas_session"] = answer.cookies["cas_session"]
    case.headers = case.headers or {}
    case.headers["x-csrf-token"] = answer.json()["csrfToken"]
    case.headers["X-Forwarded-For"] = address()
    if isinstance(case.body, dict) and hash(case.id) % 4 != 0:
        case.body = {"email": f"user-{case.id.lower()}@example.org", "password": PASSWORD}


def post(path, body, headers):
    answer = requests.post(POOLS["url"] + path, json=body, headers=headers, timeout=60)
    answer.raise_for_status()
    return answer


@schemathesis.hook("after_call")
def replace_ended_session(context, case, response):
    session = SIGNING_OUT.pop(case.id, None)
    if session is None:
        return
    if response.status_code != 204:
        SESSIONS.append(session)
        return
    body = {"email": "name-of-fuzzed@example.org", "password": PASSWORD}
    answer = post("/sessions", body, {"X-Forwarded-For": address()})
    SESSIONS.append({"token": answer.cookies["cas_session"], "csrfToken": answer.json()["csrfToken"]})


def hold_nothing(case):
    """A legal hold on everything would block what other requests erase."""
    if isinstance(case.body, dict) and case.body.get("legalHold") is True:
        case.body["legalHold"] = False


@schemathesis.hook
def after_call(context, case, response):
    """A customer may have twenty active auditors: each new one is revoked before the next is created."""
    path = {"createAuditor": "/evidence/auditors", "createSharedAuditor": "/internal/auditors"}.get(
        case.operation.definition.raw.get("operationId")
    )
    if path is None or response.status_code != 201 or "idempotent-replayed" in response.headers:
        return
    headers = {
        name: value
        for name, value in response.request.headers.items()
        if name.lower() in ("x-service-key", "x-internal-secret")
    }
    base = response.request.url.split(path)[0]
    requests.delete(f"{base}{path}/{response.json()['data']['id']}", headers=headers, timeout=60)


def spare_kept_records(case):
    """Requests learn ids from responses. Records that all requests depend on are neither changed nor deleted."""
    if case.method not in ("PUT", "PATCH", "DELETE") or not case.path_parameters:
        return
    last = list(case.path_parameters)[-1]
    if case.path_parameters[last] in KEPT:
        case.path_parameters[last] = DISPOSABLE[hash(case.id) % len(DISPOSABLE)]


def vary_idempotency_key(case):
    """The same few keys recur: all but one in eight are replaced, or most responses would be 422."""
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and 0 < len(key) < 200 and hash(case.id) % 8 != 0:
        case.headers["Idempotency-Key"] = key + case.id


def keep_parameters_together(query):
    """Mutually exclusive parameters are nearly always generated together, and a cursor cannot be made up."""
    if not query:
        return
    query.pop("cursor", None)
    if "from" in query or "to" in query:
        query.pop("startDate", None)
        query.pop("endDate", None)
    for first, last in (("from", "to"), ("startDate", "endDate")):
        if first in query and last in query and str(query[first]) > str(query[last]):
            query[first], query[last] = query[last], query[first]


def keep_fields_together(case):
    """With another sandbox's slug, a cursor, or a time in any century, nearly every body would be rejected."""
    if not isinstance(case.body, dict):
        return
    case.body.pop("cursor", None)
    if case.method in ("PUT", "PATCH"):
        case.body.pop("slug", None)
    # Token ends in any century; a period from its end to its start.
    case.body.pop("expiresAt", None)
    first, last = case.body.get("periodStart"), case.body.get("periodEnd")
    if isinstance(first, str) and isinstance(last, str) and first > last:
        case.body["periodStart"], case.body["periodEnd"] = last, first
    if "customerId" in case.body:
        case.body.pop("createdAt", None)
    # A digest is only omitted where records are missing, and here one exists.
    if "partition" in (case.path_parameters or {}) and case.body.get("offset") == POOLS["accepted"]["offset"]:
        case.body["digest"] = POOLS["accepted"]["digest"]


# Rejections of input that the schema allows, each with the reason why no schema can express it.
BY_CODE = {
    "SANDBOX_NOT_FOUND",  # the slug has to be one of the customer's
    "SANDBOX_INACTIVE",  # and to name a sandbox that is active
    "SLUG_IMMUTABLE",  # only the own slug may be sent
    "INVALID_CURSOR",  # cursors are opaque
    "PAGE_TOO_DEEP",  # page x limit
    "IDEMPOTENCY_KEY_REUSED",  # depends on what was sent before
    "CUSTOM_FIELDS_TOO_LARGE",  # bytes and depth
    "CUSTOMER_NOT_GRANTED",  # the customer has to be one of the token's
    "RETENTION_POLICIES_REACHED",  # depends on how many were made before
    "RETENTION_BELOW_MINIMUM",  # two fields together
    "INVALID_STATUS_TRANSITION",  # depends on the status of the incident
    "INVALID_CREDENTIALS",  # depends on who signed up
    "EMAIL_TAKEN",
    "INVALID_LINK",  # links are printed by a start
    "PACKAGE_LIMIT_REACHED",  # depends on how many packages there are
}
BY_MESSAGE = (
    "use either from and to or startDate and endDate",  # parameters that exclude each other
    "use page or cursor, not both",
    "the range starts after its end",  # two parameters together
    "the period must start before it ends",
    "a run looks at 366 days at most",
    "lies in the past",  # depends on the clock
    "days ahead",
    "sandboxId or sandboxSlug is required",  # one of two fields
    "must be CRITICAL for a signal with CSAM",  # two fields together
    "must not be in the future",  # depends on the clock
    "must not be more than",
    "required, because the token covers several customers",  # depends on how many customers the token has
    "the ledger had only",  # depends on what is stored
    "the ledger has",
    "must not exceed toSize",  # two parameters together
    "must not be below fromIndex",
    "fromIndex and toIndex require mode=range",  # parameters that need another one
    "the rule must not be blank",  # a byte order mark is blank to JavaScript and a letter to Python
    "invalid pattern: ",  # /.../ has to be a pattern
    "the patterns of this sandbox are too large together",
    "nested deeper than",
    "points exceed the limit of",  # interval and period together
    "does not fit a double exactly",  # as it is written, wherever it is
    "must be a network such as",  # an address and a number of bits that goes with it
    "only csv supports a byte-order mark",  # two parameters together
    "required with an API key",  # a session says who moves an incident
    "; null was sent",  # required in one of two spellings
    "this password is too easy to guess",  # as made-up ones of a few letters are
)


def refusals(body):
    """Code and message of every error in a response; a batch has one per item."""
    if "code" in body:
        # Some codes have an object as details, and the message is complete.
        details = body.get("details", [])
        yield body["code"], [body["message"], *(d["message"] for d in (details if isinstance(details, list) else []))]
    for item in body.get("data", []):
        if "error" in item:
            yield item["error"]["code"], [item["error"]["message"]]


def names_no_period(body):
    """The period has two notations. A null field is present to the schema, but absent to the service."""
    if not isinstance(body, dict):
        return False
    spellings = (("from", "to"), ("startDate", "endDate"))
    return not any(all(body.get(name) is not None for name in names) for names in spellings)


# Versions of sandboxes are kept for the signals judged by them, including those of deleted sandboxes.
KEPT_AFTER_DELETION = {"listSandboxVersions", "getSandboxVersion"}


def says_it_is_ended(case, body):
    """Deleted sandboxes can be read, and erased customers report their progress and have no keys: 200, not 404."""
    operation = operation_of(case)
    if operation == "listApiKeys":
        return body["data"] == []
    return operation in KEPT_AFTER_DELETION or "deletedAt" in body or "erasure" in body


@schemathesis.hook
def filter_failure(context, failure, case, response):
    kind = type(failure).__name__
    if kind == "AcceptedNegativeData" and case.operation.definition.raw["operationId"] == "ingestBatch":
        # A batch is accepted when one of its items is; invalid items are rejected in the response.
        return response.json()["rejected"] == 0
    if kind == "UseAfterFree":
        return not says_it_is_ended(case, response.json())
    if kind != "RejectedPositiveData":
        return True
    if operation_of(case) == "createPackage" and names_no_period(case.body):
        return False
    found = list(refusals(response.json()))
    return not found or not all(
        code in BY_CODE or any(rule in message for message in messages for rule in BY_MESSAGE)
        for code, messages in found
    )


@schemathesis.check
def documented_error_code(ctx, response, case):
    """An error code must be one that the operation documents for this status."""
    media_type = response.headers.get("content-type", [""])[0]
    described = case.operation.definition.raw["responses"].get(str(response.status_code), {})
    if "$ref" in described:
        described = case.operation.schema.raw_schema["components"]["responses"][described["$ref"].split("/")[-1]]
    codes = described.get("x-error-codes")
    if codes is None or "json" not in media_type:
        return
    code = response.json().get("code")
    if code is not None and code not in codes:
        raise AssertionError(f"the code {code} is not documented for the status {response.status_code}")
