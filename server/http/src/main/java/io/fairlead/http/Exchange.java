package io.fairlead.http;

import io.fairlead.access.User;
import io.fairlead.runtime.FairPlaces;
import java.io.Closeable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// One request while it is answered: when it came, what it shows of its sender, and, once [Authentication] knows, who
/// sends it and for whom. The two are the same, unless the sender impersonates another user.
///
/// It holds its place until its answer is written, and knows when its client took it back.
final class Exchange implements AutoCloseable {
    private final ApiRequest request;
    private final Credentials credentials;
    private final Instant begin;
    private User sender = User.ANONYMOUS;
    private User user = User.ANONYMOUS;
    private Optional<FairPlaces.Place> place = Optional.empty();
    private final List<Closeable> opened = new CopyOnWriteArrayList<>();
    private volatile boolean gone;

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

    boolean hasPlace() {
        return place.isPresent();
    }

    void hold(FairPlaces.Place taken) {
        place = Optional.of(taken);
    }

    /// The client waits for no answer any more: what was opened for it is closed.
    void leave() {
        gone = true;
        opened.forEach(Answer::closeQuietly);
    }

    void closeWhenGone(Closeable source) {
        opened.add(source);
        if (gone) {
            Answer.closeQuietly(source);
        }
    }

    /// True if the client waits for no answer any more.
    boolean isGone() {
        return gone;
    }

    @Override
    public void close() {
        place.ifPresent(FairPlaces.Place::close);
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
