package io.fairlead.objects;

import io.fairlead.runtime.Backoff;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.store.StoreException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A task that outlives the times when the store is away: it begins again.
public record StoreTask(String name, TaskGroup.Task body) implements TaskGroup.Task {
    private static final Logger LOG = LoggerFactory.getLogger(StoreTask.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    @Override
    public void run() throws Exception {
        Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, ThreadLocalRandom.current());
        String last = "";
        while (true) {
            try {
                body.run();
                return;
            } catch (StoreException | StatusException e) {
                String reason = String.valueOf(e.getMessage());
                if (!reason.equals(last)) {
                    LOG.warn("event=task-waiting task={} reason=\"{}\"", name, reason);
                }
                last = reason;
                Thread.sleep(backoff.next());
            }
        }
    }
}
