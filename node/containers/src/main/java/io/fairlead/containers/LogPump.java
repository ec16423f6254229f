package io.fairlead.containers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the logs of all containers of a node that run: looks five times a second which of them wrote something.
public final class LogPump {
    private static final Logger LOG = LoggerFactory.getLogger(LogPump.class);
    private static final Duration PERIOD = Duration.ofMillis(200);

    private final Map<Path, ContainerLog> logs = new ConcurrentHashMap<>();

    public void open(Path log) {
        logs.put(log, ContainerLog.open(log));
    }

    /// The container ended: what it wrote last goes into the log.
    public void finish(Path log) {
        ContainerLog open = logs.remove(log);
        (open == null ? ContainerLog.open(log) : open).finish();
    }

    /// The pod is gone, and its folder with it.
    public void forget(Path folder) {
        logs.keySet().removeIf(log -> log.startsWith(folder));
    }

    public void run() throws InterruptedException {
        while (true) {
            logs.forEach((path, log) -> pump(path, log));
            Thread.sleep(PERIOD);
        }
    }

    private static void pump(Path path, ContainerLog log) {
        try {
            log.pump(false);
        } catch (RuntimeException e) { // of one container: all others go on
            LOG.warn("event=log-not-written log={} reason=\"{}\"", path, e.getMessage());
        }
    }
}
