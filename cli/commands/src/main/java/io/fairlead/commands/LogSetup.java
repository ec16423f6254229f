package io.fairlead.commands;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/// One line a state change, for the programs; client commands print what they have to say themselves.
///
/// It gives slf4j a Logback that is ready: to search every library for who logs, and then for who says how, would be
/// a tenth of a program's start. A file that `-Dlogback.configurationFile` names counts instead.
public final class LogSetup implements SLF4JServiceProvider {
    private static final String PATTERN = "%d{HH:mm:ss.SSS} %-5level %logger{0} %msg%n";

    private final LoggerContext context = new LoggerContext();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final LogbackMDCAdapter values = new LogbackMDCAdapter();

    /// Makes this what logs; call it before the first logger is made.
    static void choose() {
        if (System.getProperty(ClassicConstants.CONFIG_FILE_PROPERTY) == null) {
            System.setProperty(LoggerFactory.PROVIDER_PROPERTY_KEY, LogSetup.class.getName());
            System.setProperty("slf4j.internal.verbosity", "WARN"); // it would tell that it was chosen
        }
    }

    @Override
    public void initialize() {
        context.setName("fairlead");
        context.setMDCAdapter(values);
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(standardError());
        context.getLogger("io.fairlead").setLevel(Level.toLevel(Logs.level(), Level.INFO));
        context.start();
    }

    private ConsoleAppender<ILoggingEvent> standardError() {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return context;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return values;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }
}
