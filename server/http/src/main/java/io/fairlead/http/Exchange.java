package io.fairlead.http;

import io.fairlead.access.User;
import java.time.Instant;

/// One request while it is answered: when it came, what it shows of its sender, and, once [Authentication] knows, who
/// sends it and for whom. The two are the same, unless the sender impersonates another user.
final class Exchange {
    private final ApiRequest request;
    private final Credentials credentials;
    private final Instant begin;
    private User sender = User.ANONYMOUS;
    private User user = User.ANONYMOUS;

    Exchange(ApiRequest request, Credentials credentials, Instant begin) {
        this.request = request;
        this.credentials = credentials;
        this.begin = begin;
    }

    void sentBy(User known) {
        sender = known;
        user = known;
    }

    void actAs(User other) {
        user = other;
    }

    ApiRequest request() {
        return request;
    }

    Credentials credentials() {
        return credentials;
    }

    Instant begin() {
        return begin;
    }

    User sender() {
        return sender;
    }

    User user() {
        return user;
    }
}
