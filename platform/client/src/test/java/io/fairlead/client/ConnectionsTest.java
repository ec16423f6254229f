package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fairlead.api.Kind;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ConnectionsTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(Connections.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Connections connections = new Connections();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
        connections.starting(Kind.SERVICE);
    }

    @AfterEach
    void leave() {
        logger.detachAppender(log);
    }

    private List<String> told() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void a_watch_that_never_was_says_why() {
        connections.lost(Kind.SERVICE, "forbidden");
        assertThat(told()).containsExactly("event=watch-lost kind=services reason=\"forbidden\"");
        assertThat(connections.lostSince()).containsKey(Kind.SERVICE);
    }

    @Test
    void the_same_reason_is_told_once_and_another_again() {
        connections.lost(Kind.SERVICE, "refused");
        connections.lost(Kind.SERVICE, "refused");
        connections.lost(Kind.SERVICE, "forbidden");
        connections.live(Kind.SERVICE);
        connections.live(Kind.SERVICE);
        connections.lost(Kind.SERVICE, "forbidden");
        assertThat(told())
                .containsExactly(
                        "event=watch-lost kind=services reason=\"refused\"",
                        "event=watch-lost kind=services reason=\"forbidden\"",
                        "event=watch-live kind=services",
                        "event=watch-lost kind=services reason=\"forbidden\"");
    }

    @Test
    void a_kind_that_the_server_does_not_have_is_told_and_not_lost() {
        connections.absent(Kind.SERVICE, "not found");
        connections.absent(Kind.SERVICE, "not found");
        assertThat(told()).containsExactly("event=kind-absent kind=services reason=\"not found\"");
        assertThat(connections.lostSince()).isEmpty();
    }
}
