package io.fairlead.containers;

import io.fairlead.api.Json;
import io.fairlead.kernel.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Containers by runc, each with a bundle in its pod's folder and a keeper (`keeper.pl`) as its parent.
///
/// ```
/// pods/SANDBOX/containers/NAME.RESTARTS/   config.json  rootfs/  upper/  work/  pid  keeper  exit  log
/// ```
///
/// The overlay of a container is mounted while it is made, and no longer: from then on only the container has it.
public final class RuncRuntime implements ContainerRuntime {
    private static final Logger LOG = LoggerFactory.getLogger(RuncRuntime.class);
    private static final int MOST_DELETES = 3;
    private static final String CONTAINERS = "containers";

    private final RuncCommands runc;
    private final Keeper keeper;
    private final Path state;

    private RuncRuntime(RuncCommands runc, Keeper keeper, Path state) {
        this.runc = runc;
        this.keeper = keeper;
        this.state = state;
    }

    /// With runc of this machine; `state` is the node's state folder.
    public static RuncRuntime open(Path state) {
        Path sockets = state.resolve("sockets");
        Folders.make(sockets, "rwx------");
        return new RuncRuntime(
                RuncCommands.ofMachine(state.resolve("runc")), Keeper.install(state.resolve("programs")), state);
    }

    /// The runtime and its version, as a Node names it; `runc://unknown` where this machine has none that answers.
    public static String version() throws InterruptedException {
        try {
            return "runc://" + RuncCommands.ofMachine(Path.of("/")).version();
        } catch (NodeException e) {
            LOG.warn("event=runtime-unknown reason=\"{}\"", e.getMessage());
            return "runc://unknown";
        }
    }

    @Override
    public RuntimeContainer prepare(ContainerSpec spec) throws InterruptedException {
        remove(spec.id()); // what an agent left that was killed right here
        Path bundle = bundle(spec.id());
        write(bundle, spec);
        Path root = bundle.resolve(OciConfig.ROOT);
        Mounts.overlay(spec.root().layers(), bundle.resolve("upper"), bundle.resolve("work"), root);
        RuncCommands.Result result;
        try {
            result = RuncCommands.run(keeperWords(spec, bundle));
        } finally {
            Mounts.detach(root);
        }
        if (!result.succeeded()) {
            remove(spec.id());
            throw new NodeException(result.output().replaceFirst("^failed (runc create failed: )?", ""));
        }
        String[] numbers = result.output().split(" ", -1); // ok KEEPER PROGRAM
        ProcessId keeperId = ProcessId.find(Long.parseLong(numbers[1]))
                .orElseThrow(() -> new NodeException("the keeper of %s died".formatted(spec.id())));
        Folders.write(
                bundle.resolve("keeper"), "%d %d %s".formatted(keeperId.pid(), keeperId.startTicks(), numbers[2]));
        return find(spec.id()).orElseThrow();
    }

    @Override
    public Optional<RuntimeContainer> find(ContainerId id) {
        Path bundle = bundle(id);
        Path file = bundle.resolve("keeper");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        String[] numbers = Folders.read(file).strip().split(" ", -1);
        ProcessId keeperId = new ProcessId(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
        RuntimeContainer.Processes processes = new RuntimeContainer.Processes(keeperId, Long.parseLong(numbers[2]));
        return Optional.of(new RuncContainer(id, bundle, processes, runc, keeper, state.resolve("sockets")));
    }

    @Override
    public List<ContainerId> list(String sandbox) {
        Path folder = state.resolve("pods").resolve(sandbox).resolve(CONTAINERS);
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> bundles = Files.list(folder)) {
            return bundles.map(bundle -> id(sandbox, bundle.getFileName().toString()))
                    .toList();
        } catch (IOException e) {
            throw new NodeException("cannot list " + folder, e);
        }
    }

    @Override
    public void remove(ContainerId id) throws InterruptedException {
        Path bundle = bundle(id);
        if (!Files.exists(bundle) && !Files.exists(runc.root().resolve(id.toString()))) {
            return;
        }
        deleteByForce(id, bundle);
        Mounts.detach(bundle.resolve(OciConfig.ROOT));
        Folders.delete(bundle);
        LOG.debug("event=container-removed container={}", id);
    }

    /// runc kills the first process and waits 10 s for its end, which comes when all that entered are reaped:
    /// `keeper.pl`
    /// does that at once. A machine on which even that takes longer is given a little more time.
    private void deleteByForce(ContainerId id, Path bundle) throws InterruptedException {
        List<String> words = runc.words(bundle.resolve("log"), List.of("delete", "--force", id.toString()));
        String said = "";
        for (int again = 0; again < MOST_DELETES; again++) {
            said = RuncCommands.run(words).output();
            if (!Files.exists(runc.root().resolve(id.toString()))) {
                return;
            }
        }
        throw new NodeException("cannot remove %s: %s".formatted(id, said));
    }

    private Path bundle(ContainerId id) {
        return state.resolve("pods").resolve(id.sandbox()).resolve(CONTAINERS).resolve(id.folder());
    }

    private static ContainerId id(String sandbox, String folder) {
        int dot = folder.lastIndexOf('.');
        return new ContainerId(sandbox, folder.substring(0, dot), Integer.parseInt(folder.substring(dot + 1)));
    }

    private static void write(Path bundle, ContainerSpec spec) {
        Folders.make(bundle, "rwx------");
        for (String folder : List.of(OciConfig.ROOT, "upper", "work")) {
            Folders.make(bundle.resolve(folder), "rwxr-xr-x");
        }
        Folders.write(bundle.resolve("cgroup"), spec.limits().cgroup());
        Folders.write(bundle.resolve("config.json"), Json.pretty(OciConfig.of(spec)));
    }

    private List<String> keeperWords(ContainerSpec spec, Path bundle) {
        Path pid = bundle.resolve("pid");
        Path log = bundle.resolve("log");
        ContainerSpec.Streams streams = spec.streams();
        List<String> options = new ArrayList<>(List.of(
                "--pid-file", pid.toString(),
                "--log", log.toString(),
                "--exit", bundle.resolve("exit").toString(),
                "--out", streams.output().toString(),
                "--err", streams.errors().toString()));
        Keeper.join(spec.limits().cgroup(), options);
        List<String> create =
                new ArrayList<>(List.of("create", "--bundle", bundle.toString(), "--pid-file", pid.toString()));
        if (streams.canBeAttached()) {
            options.addAll(List.of("--socket", streams.socket().toString()));
        }
        if (streams.once()) {
            options.add("--once");
        }
        if (streams.tty()) {
            String console = streams.socket() + "c";
            options.addAll(List.of("--console", console));
            create.addAll(List.of("--console-socket", console));
        }
        create.add(spec.id().toString());
        return keeper.words(options, runc.words(log, create));
    }
}
