package io.fairlead.resolver;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/// What is logged while this is open.
final class LogLines implements AutoCloseable {
    private final Logger logger;
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    LogLines(String name) {
        logger = (Logger) LoggerFactory.getLogger(name);
        lines.start();
        logger.addAppender(lines);
    }

    List<String> texts() {
        return List.copyOf(lines.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(lines);
    }
}
