package io.fairlead.nginx;

import io.fairlead.routes.Configuration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// nginx as the loop sees it: it is there, it takes a configuration or says why not, and it is fed.
final class Nginx {
    private static final Logger LOG = LoggerFactory.getLogger(Nginx.class);
    private static final Duration READY = Duration.ofSeconds(10);
    private static final String CONFIGURATION = "nginx.conf";
    private static final String LAST_GOOD = "nginx.conf.good";

    private final Folder folder;
    private final NginxProcess process;
    private final Control control;
    private final Configuration first;
    private boolean adopted;

    /// `first` is what it starts by where there is nothing better.
    Nginx(Folder folder, NginxProcess process, Configuration first) {
        this.folder = folder;
        this.process = process;
        this.first = first;
        this.control = new Control(folder.path("control.sock"));
    }

    /// Has it run: true if it did not, or if this is the first look. Then the controller does not know what nginx
    /// knows.
    boolean revive() throws InterruptedException {
        if (process.isRunning()) {
            boolean found = !adopted;
            adopted = true;
            return found;
        }
        choose();
        process.start();
        await("");
        adopted = true;
        return true;
    }

    /// Whatever is on the disk, what nginx starts by is a configuration it takes.
    private void choose() {
        if (folder.has(CONFIGURATION)
                && process.refuses(folder.path(CONFIGURATION)).isEmpty()) {
            return;
        }
        if (folder.has(LAST_GOOD) && process.refuses(folder.path(LAST_GOOD)).isEmpty()) {
            LOG.warn("event=configuration-broken effect=\"nginx starts with the last good one\"");
            write(CONFIGURATION, folder.read(LAST_GOOD).orElseThrow());
            return;
        }
        write(CONFIGURATION, first.text());
    }

    /// True if this is the configuration its workers run by.
    boolean runs(Configuration configuration) {
        return folder.read(LAST_GOOD).filter(configuration.text()::equals).isPresent()
                && control.generation().equals(configuration.generation());
    }

    /// Why nginx would not take it; nothing if it would.
    Optional<String> test(Configuration configuration) {
        write("nginx.conf.candidate", configuration.text());
        return process.refuses(folder.path("nginx.conf.candidate"));
    }

    /// Has it end each connection with the answer to its next request, for a reload ends those that wait for one. False
    /// if there is no client to be asked.
    boolean announceReload() {
        if (control.connections() <= 1) {
            return false;
        }
        control.notice();
        return true;
    }

    /// Takes a configuration, and waits until workers run by it; or says why nginx would not.
    Optional<String> load(Configuration configuration) throws InterruptedException {
        Optional<String> refusal = test(configuration);
        if (refusal.isPresent()) {
            return refusal;
        }
        write(CONFIGURATION, configuration.text());
        process.reload();
        await(configuration.generation());
        write(LAST_GOOD, configuration.text());
        return Optional.empty();
    }

    private void await(String generation) throws InterruptedException {
        long end = System.nanoTime() + READY.toNanos();
        while (!answers(generation)) {
            if (System.nanoTime() > end) {
                throw new NginxException("nginx does not run by its configuration after %d s; see %s"
                        .formatted(READY.toSeconds(), folder.path("nginx.log")));
            }
            Thread.sleep(5);
        }
    }

    private boolean answers(String generation) {
        try {
            String now = control.generation();
            return generation.isEmpty() ? !now.isEmpty() : now.equals(generation);
        } catch (NginxException _) {
            return false;
        }
    }

    /// How many workers of earlier configurations still finish what they have.
    int oldWorkers() {
        return process.oldWorkers();
    }

    void feed(SortedMap<String, String> records, boolean all) {
        control.feed(records, all);
    }

    Control control() {
        return control;
    }

    void keepPasswords(String name, byte[] lines) {
        if (!folder.has("auth/" + name)) {
            folder.write("auth/" + name, lines);
        }
    }

    private void write(String name, String text) {
        folder.write(name, text.getBytes(StandardCharsets.UTF_8));
    }
}
