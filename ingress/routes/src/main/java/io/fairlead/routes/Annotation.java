package io.fairlead.routes;

import static io.fairlead.routes.Grammar.number;
import static io.fairlead.routes.Grammar.oneOf;
import static io.fairlead.routes.Grammar.wordsOf;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// One option that an Ingress may set: its name behind `fairlead.io/`, what it may say, and what it means.
///
/// The order is that of the table in `docs/reference/ingress-annotations.md`.
public enum Annotation {
    REWRITE_TARGET(Grammar.PATH, "the path that the Service sees; `$1` to `$9` are groups of the rule's path"),
    USE_REGEX(Grammar.FLAG, "paths of this Ingress are regular expressions, whatever their case"),
    SSL_REDIRECT(Grammar.FLAG, "plain HTTP of a host with TLS is sent to HTTPS (308); `true` if absent"),
    FORCE_SSL_REDIRECT(Grammar.FLAG, "the same for hosts without TLS: something in front ends it"),
    PROXY_BODY_SIZE(Grammar.SIZE, "the largest body of a request, else 413; `0` is any"),
    CLIENT_BODY_BUFFER_SIZE(Grammar.SIZE, "how much of a request's body stays in memory"),
    PROXY_REQUEST_BUFFERING(oneOf("on", "off"), "whether a request is read to its end before the Service sees it"),
    PROXY_BUFFERING(oneOf("on", "off"), "whether answers are read ahead of the client"),
    PROXY_BUFFER_SIZE(Grammar.SIZE, "how large the head of an answer may be"),
    PROXY_BUFFERS_NUMBER(number(2, 1024), "how many buffers an answer may fill"),
    PROXY_CONNECT_TIMEOUT(Grammar.SECONDS, "seconds until an endpoint must have taken the connection"),
    PROXY_READ_TIMEOUT(Grammar.SECONDS, "seconds between two reads from the endpoint"),
    PROXY_SEND_TIMEOUT(Grammar.SECONDS, "seconds between two writes to the endpoint"),
    PROXY_NEXT_UPSTREAM(
            wordsOf(
                    "error",
                    "timeout",
                    "invalid_header",
                    "http_500",
                    "http_502",
                    "http_503",
                    "http_504",
                    "http_403",
                    "http_404",
                    "http_429",
                    "non_idempotent",
                    "off"),
            "when another endpoint is tried"),
    PROXY_NEXT_UPSTREAM_TRIES(number(0, 100), "how many endpoints are tried at most; `0` is all"),
    PROXY_NEXT_UPSTREAM_TIMEOUT(number(0, 86_400), "seconds in which another endpoint may be tried; `0` is any"),
    BACKEND_PROTOCOL(oneOf("HTTP", "HTTPS", "GRPC", "GRPCS").anyCase(), "how the endpoints are spoken to"),
    ALLOWLIST_SOURCE_RANGE(Grammar.RANGES, "clients that are let in; all others get 403"),
    DENYLIST_SOURCE_RANGE(Grammar.RANGES, "clients that get 403"),
    AFFINITY(oneOf("cookie"), "a client stays with its endpoint by a cookie"),
    AFFINITY_MODE(
            oneOf("balanced", "persistent"),
            "read, and always as `persistent`: a client stays while the endpoint is there"),
    SESSION_COOKIE_NAME(Grammar.TOKEN, "the cookie's name; `INGRESSCOOKIE` if absent"),
    SESSION_COOKIE_PATH(Grammar.PATH, "the cookie's path; `/` if absent"),
    SESSION_COOKIE_DOMAIN(Grammar.TOKEN, "the cookie's domain"),
    SESSION_COOKIE_MAX_AGE(number(0, 2_000_000_000), "seconds the cookie lives"),
    SESSION_COOKIE_EXPIRES(number(0, 2_000_000_000), "the same, as a date, for old clients"),
    SESSION_COOKIE_SECURE(Grammar.FLAG, "the cookie is for HTTPS alone; so it is on HTTPS if absent"),
    SESSION_COOKIE_SAMESITE(oneOf("None", "Lax", "Strict"), "the cookie's SameSite"),
    SESSION_COOKIE_CHANGE_ON_FAILURE(Grammar.FLAG, "a client whose endpoint failed is given another for good"),
    CANARY(Grammar.FLAG, "this Ingress is another choice for the rules of one without it, by the options below"),
    CANARY_WEIGHT(number(0, 1_000_000), "how many requests of the total go to the canary"),
    CANARY_WEIGHT_TOTAL(number(1, 1_000_000), "the total; 100 if absent"),
    CANARY_BY_HEADER(Grammar.HEADER, "the header that decides: `always` or `never`"),
    CANARY_BY_HEADER_VALUE(Grammar.VALUE, "the value of that header that means the canary"),
    CANARY_BY_HEADER_PATTERN(Grammar.PATTERN, "the same as a regular expression"),
    CANARY_BY_COOKIE(Grammar.TOKEN, "the cookie that decides: `always` or `never`"),
    AUTH_TYPE(oneOf("basic"), "clients give a name and a password"),
    AUTH_SECRET(Grammar.REFERENCE, "the Secret of the Ingress's namespace that has the passwords"),
    AUTH_SECRET_TYPE(oneOf("auth-file", "auth-map"), "one file under `auth`, or a key for each name"),
    AUTH_REALM(Grammar.VALUE, "what clients show when they ask for the password"),
    AUTH_URL(Grammar.URL, "asked before each request: 2xx lets it pass, 401 and 403 refuse it"),
    AUTH_SIGNIN(Grammar.URL, "where a client is sent instead of 401"),
    AUTH_SIGNIN_REDIRECT_PARAM(Grammar.TOKEN, "the parameter that has the first address; `rd` if absent"),
    AUTH_RESPONSE_HEADERS(Grammar.HEADERS, "headers of that answer which the Service sees"),
    AUTH_METHOD(Grammar.METHODS, "the method by which it is asked; GET if absent"),
    AUTH_TLS_SECRET(Grammar.REFERENCE, "the Secret whose `ca.crt` signs the certificates of clients"),
    AUTH_TLS_VERIFY_CLIENT(oneOf("on", "optional", "off"), "whether a client must have one; `on` if absent"),
    AUTH_TLS_VERIFY_DEPTH(number(1, 9), "how many authorities may stand between; 1 if absent"),
    AUTH_TLS_ERROR_PAGE(Grammar.LOCATION, "where a client without one is sent"),
    AUTH_TLS_PASS_CERTIFICATE_TO_UPSTREAM(Grammar.FLAG, "the Service sees the certificate in `ssl-client-cert`"),
    ENABLE_CORS(Grammar.FLAG, "answers say which other origins may read them; OPTIONS is answered here"),
    CORS_ALLOW_ORIGIN(Grammar.ORIGINS, "these origins; `*` if absent"),
    CORS_ALLOW_METHODS(Grammar.METHODS, "these methods; `GET, PUT, POST, DELETE, PATCH, OPTIONS` if absent"),
    CORS_ALLOW_HEADERS(Grammar.HEADERS, "these request headers"),
    CORS_EXPOSE_HEADERS(Grammar.HEADERS, "these answer headers"),
    CORS_ALLOW_CREDENTIALS(Grammar.FLAG, "with cookies; `true` if absent"),
    CORS_MAX_AGE(number(0, 86_400_000), "seconds for which clients may remember it; 1728000 if absent"),
    LIMIT_RPS(number(1, 1_000_000), "requests a second of one client address, else 503"),
    LIMIT_RPM(number(1, 60_000_000), "requests a minute of one client address, else 503"),
    LIMIT_CONNECTIONS(number(1, 1_000_000), "requests of one client address at a time, else 503"),
    LIMIT_BURST_MULTIPLIER(number(1, 1000), "how many times the limit may come at once; 5 if absent"),
    LIMIT_ALLOWLIST(Grammar.RANGES, "clients without a limit"),
    PERMANENT_REDIRECT(Grammar.LOCATION, "every request is sent there (301)"),
    PERMANENT_REDIRECT_CODE(number(300, 308), "another code than 301"),
    TEMPORAL_REDIRECT(Grammar.LOCATION, "every request is sent there (302)"),
    TEMPORAL_REDIRECT_CODE(number(300, 308), "another code than 302"),
    APP_ROOT(Grammar.PATH, "`/` is sent there (302)"),
    SERVER_ALIAS(Grammar.HOSTS, "further hosts with the same rules"),
    UPSTREAM_HASH_BY(Grammar.HASH_KEY, "requests of one key go to one endpoint"),
    UPSTREAM_VHOST(Grammar.HOST_PORT, "the Host that the Service sees"),
    LOAD_BALANCE(oneOf("round_robin", "ewma"), "in turn, or to the quicker of two"),
    X_FORWARDED_PREFIX(Grammar.PATH, "the Service sees it as `X-Forwarded-Prefix`, with rewrite-target"),
    CUSTOM_HTTP_ERRORS(Grammar.CODES, "answers of these codes come from the default backend instead"),
    DEFAULT_BACKEND(Grammar.REFERENCE, "the Service for these, and for a Service without endpoints"),
    CUSTOM_HEADERS(Grammar.REFERENCE, "the ConfigMap whose entries are headers of every answer"),
    MIRROR_TARGET(Grammar.URL, "each request is sent there too; what it answers is not looked at"),
    MIRROR_REQUEST_BODY(oneOf("on", "off"), "whether with its body; `on` if absent"),
    ENABLE_ACCESS_LOG(Grammar.FLAG, "whether requests are logged; `true` if absent");

    /// The prefix of our own, and that of the controller that was.
    public static final String PREFIX = "fairlead.io/";

    public static final String NGINX_PREFIX = "nginx.ingress.kubernetes.io/";

    @SuppressWarnings("ImmutableEnumChecker") // a Grammar holds nothing that changes: its reader is a pure function
    private final Grammar grammar;

    private final String meaning;

    Annotation(Grammar grammar, String meaning) {
        this.grammar = grammar;
        this.meaning = meaning;
    }

    /// `rewrite-target`.
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public String meaning() {
        return meaning;
    }

    /// What its value may be, in words.
    public String grammar() {
        return grammar.words();
    }

    Optional<Object> read(String value) {
        return grammar.read(value);
    }

    /// The annotation of this word; older words are known too.
    static Optional<Annotation> find(String word) {
        String now = switch (word) {
            case "whitelist-source-range" -> ALLOWLIST_SOURCE_RANGE.word();
            case "limit-whitelist" -> LIMIT_ALLOWLIST.word();
            default -> word;
        };
        return Stream.of(values()).filter(one -> one.word().equals(now)).findFirst();
    }
}
