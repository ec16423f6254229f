package io.fairlead.commands;

import io.fairlead.kubectl.CommandException;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends a program that runs well, because what it was started with is no longer so; its supervisor starts it anew.
final class Restart {
    private static final Logger LOG = LoggerFactory.getLogger(Restart.class);

    private final AtomicReference<String> reason = new AtomicReference<>("");
    private final TaskGroup tasks;

    Restart(TaskGroup tasks) {
        this.tasks = tasks;
    }

    /// Ends all tasks; [#throwIfAsked] then tells the reason.
    void ask(String why) {
        LOG.info("event=restart reason=\"{}\"", why);
        reason.set(why);
        tasks.close();
    }

    void throwIfAsked() {
        if (!reason.get().isEmpty()) {
            throw new CommandException("error: %s: start it again".formatted(reason.get()));
        }
    }

    /// Asks for it when the file has another text than at the start. A file that is not there is about to be
    /// replaced.
    void whenChanged(Path file, String text, Duration pause) throws InterruptedException {
        while (true) {
            Thread.sleep(pause);
            if (hasChanged(file, text)) {
                ask("%s has changed".formatted(file));
                return;
            }
        }
    }

    static boolean hasChanged(Path file, String text) {
        try {
            return !Files.readString(file).equals(text);
        } catch (IOException e) {
            LOG.debug("event=file-unreadable file={}", file, e);
            return false;
        }
    }
}
