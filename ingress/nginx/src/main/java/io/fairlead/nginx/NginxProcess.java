package io.fairlead.nginx;

import io.fairlead.kernel.Command;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One nginx: started, or found running; told to read its configuration anew, or to finish.
///
/// It is in a session of its own, so what ends the controller does not end it.
final class NginxProcess {
    private static final Logger LOG = LoggerFactory.getLogger(NginxProcess.class);

    private final Folder folder;
    private final String program;

    NginxProcess(Folder folder, String program) {
        this.folder = folder;
        this.program = program;
    }

    /// Why nginx would not take a configuration; nothing if it would.
    Optional<String> refuses(Path configuration) {
        Command.Result result = Command.run(
                List.of(
                        program,
                        "-t",
                        "-q",
                        "-c",
                        configuration.toString(),
                        "-e",
                        "stderr",
                        "-p",
                        folder.path("").toString()),
                "");
        return result.succeeded()
                ? Optional.empty()
                : Optional.of(result.errors().strip());
    }

    boolean isRunning() {
        return handle().isPresent();
    }

    private Optional<ProcessHandle> handle() {
        // A number that went to another process is not ours.
        return folder.read("nginx.pid")
                .map(String::strip)
                .filter(text -> text.matches("[0-9]+"))
                .flatMap(text -> ProcessHandle.of(Long.parseLong(text)))
                .filter(ProcessHandle::isAlive)
                .filter(found -> found.info()
                        .command()
                        .map(name -> name.contains("nginx"))
                        .orElse(false));
    }

    /// Starts it. Workers that lost their master still answer, and hold its ports: the controller asks them to finish.
    void start() {
        folder.read("nginx.pid")
                .map(String::strip)
                .filter(text -> text.matches("[0-9]+"))
                .ifPresent(this::endOrphans);
        folder.remove("control.sock");
        try {
            Process process = new ProcessBuilder(
                            "setsid",
                            program,
                            "-c",
                            folder.path("nginx.conf").toString(),
                            "-e",
                            "stderr",
                            "-p",
                            folder.path("").toString())
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            folder.path("nginx.log").toFile()))
                    .redirectErrorStream(true)
                    .start();
            LOG.info("event=nginx-started pid={}", process.pid());
        } catch (IOException e) {
            throw new NginxException("start " + program, e);
        }
    }

    private void endOrphans(String master) {
        ProcessHandle.allProcesses()
                .filter(found -> session(found.pid()).equals(master))
                .forEach(found -> signal("QUIT", found.pid()));
    }

    /// The session of a process: the sixth word of its `stat`, of which the second may have spaces.
    private static String session(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return stat.contains("(nginx)") ? words[3] : "";
        } catch (IOException _) {
            return "";
        }
    }

    /// Workers that take no more connections: nginx says so in their titles.
    int oldWorkers() {
        return (int) handle().stream()
                .flatMap(ProcessHandle::children)
                .filter(worker -> title(worker.pid()).contains("shutting down"))
                .count();
    }

    private static String title(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
        } catch (IOException _) {
            return "";
        }
    }

    /// Has it read its configuration; old workers finish what they have.
    void reload() {
        signal("HUP");
    }

    /// Has it finish: no new connections, and an end when the last request is answered.
    void quit(Duration patience) throws InterruptedException {
        Optional<ProcessHandle> running = handle();
        signal("QUIT");
        long end = System.nanoTime() + patience.toNanos();
        while (running.isPresent() && running.get().isAlive() && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        running.filter(ProcessHandle::isAlive).ifPresent(_ -> signal("TERM"));
    }

    private void signal(String name) {
        handle().ifPresent(found -> signal(name, found.pid()));
    }

    // By the shell, which has it built in.
    private static void signal(String name, long pid) {
        Command.run(List.of("sh", "-c", "kill -%s %d".formatted(name, pid)), "");
    }
}
