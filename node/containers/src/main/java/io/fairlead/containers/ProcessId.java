package io.fairlead.containers;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Scanner;
import java.util.Set;

/// A process that cannot be taken for another: numbers come back, a number with its start time (in clock ticks since
/// the machine started) does not.
public record ProcessId(long pid, long startTicks) {

    /// A zombie, and one that is about to be none.
    private static final Set<String> DEAD = Set.of("Z", "X");

    /// What `/proc/PID/stat` says of a process that lives.
    private record Stat(long session, long startTicks) {}

    /// The process that has this number now; nothing if there is none, or it is dead and only waits to be reaped.
    public static Optional<ProcessId> find(long pid) {
        return stat(pid).map(stat -> new ProcessId(pid, stat.startTicks()));
    }

    public boolean isAlive() {
        return stat(pid).filter(stat -> stat.startTicks() == startTicks).isPresent();
    }

    /// True if process `other` was started by this one or its children; a container leads a session of its own.
    public boolean leads(long other) {
        return stat(other).filter(stat -> stat.session() == pid).isPresent();
    }

    /// Kills what a container that ended left behind.
    public void killSession() {
        ProcessHandle.allProcesses().filter(other -> leads(other.pid())).forEach(ProcessHandle::destroyForcibly);
    }

    public void terminate() {
        handle().ifPresent(ProcessHandle::destroy);
    }

    public void kill() {
        handle().ifPresent(ProcessHandle::destroyForcibly);
    }

    private Optional<ProcessHandle> handle() {
        return ProcessHandle.of(pid).filter(_ -> isAlive());
    }

    private static Optional<Stat> stat(long pid) {
        // Not by a channel: those fail on an interrupted thread, and shutdown must not look like a death.
        try (InputStream file = new FileInputStream("/proc/" + pid + "/stat")) {
            return parse(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Optional.empty(); // gone, maybe while we read
        }
    }

    /// proc(5): `pid (name) state ppid pgrp session … starttime …`; the name may hold spaces and brackets.
    private static Optional<Stat> parse(String line) {
        Scanner fields = new Scanner(line.substring(line.lastIndexOf(')') + 1));
        if (!fields.hasNext() || DEAD.contains(fields.next())) {
            return Optional.empty();
        }
        long[] numbers = fields.tokens().limit(19).mapToLong(Long::parseLong).toArray();
        return Optional.of(new Stat(numbers[2], numbers[18]));
    }
}
