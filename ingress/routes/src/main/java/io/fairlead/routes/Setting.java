package io.fairlead.routes;

import static io.fairlead.routes.Grammar.number;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// One key of the ConfigMap that holds for all Ingresses, by the name it had in `ingress-nginx-controller`.
public enum Setting {
    USE_PROXY_PROTOCOL(Grammar.FLAG, "false", "connections begin with the PROXY protocol, which names the client"),
    USE_FORWARDED_HEADERS(Grammar.FLAG, "false", "`X-Forwarded-*` of those in proxy-real-ip-cidr is believed"),
    PROXY_REAL_IP_CIDR(Grammar.RANGES, "0.0.0.0/0,::/0", "who may name a client that is not itself"),
    HSTS(Grammar.FLAG, "true", "answers over TLS ask clients to stay with it"),
    HSTS_MAX_AGE(number(0, 2_000_000_000), "31536000", "for so many seconds"),
    HSTS_INCLUDE_SUBDOMAINS(Grammar.FLAG, "true", "with the hosts below"),
    HSTS_PRELOAD(Grammar.FLAG, "false", "and for the lists of browsers"),
    USE_HTTP2(Grammar.FLAG, "true", "HTTP/2 over TLS"),
    SSL_PROTOCOLS(Grammar.wordsOf("TLSv1.2", "TLSv1.3"), "TLSv1.2 TLSv1.3", "versions of TLS"),
    SSL_CIPHERS(
            Grammar.matching("names of ciphers, with colons", "[A-Za-z0-9:+!@_-]{1,2000}"),
            "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
                    + "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305",
            "ciphers of TLS 1.2"),
    SSL_REDIRECT(
            Grammar.FLAG, "true", "plain HTTP of a host with TLS is sent to HTTPS, unless its Ingress says otherwise"),
    KEEP_ALIVE(number(0, 86_400), "75", "seconds for which an idle client is kept"),
    KEEP_ALIVE_REQUESTS(number(1, 1_000_000_000), "100000", "requests of one connection"),
    UPSTREAM_KEEPALIVE_CONNECTIONS(number(1, 100_000), "320", "idle connections to endpoints, in each worker"),
    UPSTREAM_KEEPALIVE_TIMEOUT(number(1, 86_400), "60", "seconds for which they are kept"),
    PROXY_BODY_SIZE(Grammar.SIZE, "1m", "the largest body of a request"),
    PROXY_CONNECT_TIMEOUT(Grammar.SECONDS, "5", "seconds to connect to an endpoint"),
    PROXY_READ_TIMEOUT(Grammar.SECONDS, "60", "seconds between two reads"),
    PROXY_SEND_TIMEOUT(Grammar.SECONDS, "60", "seconds between two writes"),
    PROXY_BUFFER_SIZE(Grammar.SIZE, "4k", "how large the head of an answer may be"),
    LARGE_CLIENT_HEADER_BUFFERS(
            Grammar.matching("a number and a size", "[0-9]{1,3} [0-9]{1,6}[kK]?"), "4 8k", "room for long headers"),
    USE_GZIP(Grammar.FLAG, "false", "answers are made smaller on the way"),
    SERVER_TOKENS(Grammar.FLAG, "false", "the version of nginx in answers"),
    DISABLE_ACCESS_LOG(Grammar.FLAG, "false", "no line for a request"),
    ERROR_LOG_LEVEL(Grammar.oneOf("debug", "info", "notice", "warn", "error", "crit"), "warn", "what nginx tells"),
    WORKER_PROCESSES(Grammar.matching("a number or `auto`", "auto|[1-9][0-9]?[0-9]?"), "auto", "workers of nginx"),
    MAX_WORKER_CONNECTIONS(number(64, 1_000_000), "16384", "connections of one worker"),
    WORKER_SHUTDOWN_TIMEOUT(
            Grammar.matching("seconds, with an s", "[1-9][0-9]{0,5}s?"), "240s", "how long old workers may finish");

    @SuppressWarnings("ImmutableEnumChecker") // a Grammar holds nothing that changes: its reader is a pure function
    private final Grammar grammar;

    private final String otherwise;
    private final String meaning;

    Setting(Grammar grammar, String otherwise, String meaning) {
        this.grammar = grammar;
        this.otherwise = otherwise;
        this.meaning = meaning;
    }

    /// `use-proxy-protocol`.
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public String meaning() {
        return meaning;
    }

    public String grammar() {
        return grammar.words();
    }

    /// What holds where the key is missing.
    public String otherwise() {
        return otherwise;
    }

    Optional<Object> read(String value) {
        return grammar.read(value);
    }

    static Optional<Setting> find(String word) {
        return Stream.of(values()).filter(one -> one.word().equals(word)).findFirst();
    }
}
