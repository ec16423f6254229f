package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ChannelSession;
import io.fairlead.runtime.TaskGroup;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.JsonNode;

/// The keyboard and the screen of this process, joined to a program in a pod.
///
/// @param input whether what is typed goes there
/// @param tty   whether the program has a terminal, as large as ours
record PodTerminal(boolean input, boolean tty) {
    private static final int STDIN = 0;
    private static final int STDOUT = 1;
    private static final int STDERR = 2;
    private static final int ERROR = 3;
    private static final int RESIZE = 4;
    private static final int BLOCK = 8192;
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofHours(4);

    /// Runs until the program ends, or the session does; the answer is the Status that the server gave, if it did.
    Optional<JsonNode> join(ApiClient client, NamespacedName pod, String what, List<Map.Entry<String, String>> further)
            throws InterruptedException {
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        OutputStream err = new FileOutputStream(FileDescriptor.err);
        AtomicReference<Optional<JsonNode>> status = new AtomicReference<>(Optional.empty());
        List<Map.Entry<String, String>> options = new ArrayList<>(further);
        options.add(Map.entry("stdin", Boolean.toString(input)));
        options.add(Map.entry("stdout", "true"));
        options.add(Map.entry("stderr", Boolean.toString(!tty)));
        options.add(Map.entry("tty", Boolean.toString(tty)));
        try (LocalTerminal terminal = LocalTerminal.open(tty);
                ChannelSession session = client.session(pod, what, options, (channel, bytes) -> {
                    switch (channel) {
                        case STDOUT -> out.write(bytes);
                        case STDERR -> err.write(bytes);
                        case ERROR -> status.set(Optional.of(Json.parse(bytes)));
                        default -> {} // nothing that we know
                    }
                });
                TaskGroup tasks = new TaskGroup("terminal")) {
            if (input) {
                // Never closed: a read of the keyboard cannot be interrupted, the end of this process ends it.
                new TaskGroup("keyboard").runAlone("input", () -> type(session));
            }
            if (tty) {
                tasks.runAlone("size", () -> resize(session, terminal));
            }
            session.awaitEnd(LONGEST);
        }
        return status.get();
    }

    private static void type(ChannelSession session) throws InterruptedException {
        InputStream in = System.in;
        byte[] block = new byte[BLOCK];
        try {
            for (int count = in.read(block); count >= 0; count = in.read(block)) {
                session.send(STDIN, block, count);
            }
            session.end(STDIN);
        } catch (IOException e) {
            // The program no longer reads.
        }
    }

    private static void resize(ChannelSession session, LocalTerminal terminal) throws InterruptedException {
        String told = "";
        try {
            while (true) {
                String size = terminal.size();
                if (!size.equals(told) && !size.isEmpty()) {
                    byte[] bytes = size.getBytes(StandardCharsets.UTF_8);
                    session.send(RESIZE, bytes, bytes.length);
                    told = size;
                }
                Thread.sleep(LOOK);
            }
        } catch (IOException e) {
            // The session is over.
        }
    }

    /// The exit code that a Status stands for, and what kubectl says of it.
    static int exit(Optional<JsonNode> status, Console console) {
        if (status.isEmpty() || Json.text(status.get(), "status").equals("Success")) {
            return 0;
        }
        Optional<String> code = Json.at(status.get(), "details", "causes")
                .valueStream()
                .filter(cause -> Json.text(cause, "reason").equals("ExitCode"))
                .map(cause -> Json.text(cause, "message"))
                .filter(text -> text.matches("[0-9]{1,3}"))
                .findFirst();
        if (code.isEmpty()) {
            console.complain("error: " + Json.text(status.get(), "message"));
            return Refusals.FAILED;
        }
        console.complain("command terminated with exit code " + code.get());
        return Integer.parseInt(code.get());
    }
}
