package io.fairlead.containers;

import io.fairlead.kernel.Cgroups;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// A container that runc has.
record RuncContainer(ContainerId id, Path bundle, Processes processes, RuncCommands runc, Keeper program, Path sockets)
        implements RuntimeContainer {
    private static final int KILLED = 137;

    @Override
    public void start() throws InterruptedException {
        if (!Files.exists(runc.root().resolve(id.toString()).resolve("exec.fifo"))) {
            return; // it is there as long as the program waits
        }
        RuncCommands.Result result = run("start", id.toString());
        if (!result.succeeded()) {
            throw new NodeException(result.output());
        }
    }

    @Override
    public Ending ending() {
        Path exit = bundle.resolve("exit");
        if (!Files.exists(exit)) {
            return Ending.UNKNOWN;
        }
        int code = Integer.parseInt(Folders.read(exit).split(" ", -1)[0]);
        boolean outOfMemory = code == KILLED && Cgroups.ranOutOfMemory(Folders.read(bundle.resolve("cgroup")));
        return outOfMemory ? new Ending(code, "OOMKilled") : Ending.of(code);
    }

    @Override
    public void signal(String signal) throws InterruptedException {
        if (processes.keeper().isAlive()) {
            run("kill", id.toString(), signal);
        }
    }

    @Override
    public List<String> enter(List<String> command, boolean tty) {
        String unique = Long.toString(UUID.randomUUID().getMostSignificantBits() & Long.MAX_VALUE, 36);
        Path pid = sockets.resolve(unique + ".pid");
        Path log = sockets.resolve(unique + ".log");
        Path console = sockets.resolve(unique);
        List<String> options = new ArrayList<>(List.of("--pid-file", pid.toString(), "--log", log.toString()));
        Keeper.join(Folders.read(bundle.resolve("cgroup")), options);
        List<String> exec = new ArrayList<>(List.of("exec", "--detach", "--pid-file", pid.toString()));
        if (tty) {
            options.addAll(List.of("--console", console.toString()));
            exec.addAll(List.of("--tty", "--env", "TERM=xterm", "--console-socket", console.toString()));
        }
        exec.add(id.toString());
        exec.addAll(command);
        return program.words(options, runc.words(log, exec));
    }

    private RuncCommands.Result run(String... words) throws InterruptedException {
        return RuncCommands.run(runc.words(bundle.resolve("log"), List.of(words)));
    }
}
