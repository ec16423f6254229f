package io.fairlead.lab;

import static org.awaitility.Awaitility.await;

import io.fairlead.ebpf.EbpfSite;
import io.fairlead.kernel.BpfFiles;
import io.fairlead.kernel.ControlGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Control groups for the nodes of labs: threads of this process that send from a node or its pods are in the group of
/// the node, as the processes of real pods are.
///
/// A thread can leave its process only for a group below the one of the process; so the process is in a group of its
/// own meanwhile.
final class LabGroups implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ControlGroup home = ControlGroup.findOwn().orElseThrow();
    private final ControlGroup own;
    private final Path files;
    private final Map<String, ControlGroup> groups = new ConcurrentHashMap<>();

    LabGroups(String name) {
        own = ControlGroup.findRoot().orElseThrow().below(name);
        files = Path.of("/run/" + name);
        BpfFiles.mount(files);
        own.add(ProcessHandle.current().pid());
    }

    /// The group of a node of a lab.
    ControlGroup of(String lab, String node) {
        return groups.computeIfAbsent(lab + "-" + node, name -> {
            ControlGroup group = own.below(name);
            group.holdThreads();
            return group;
        });
    }

    /// Where the programs of that node work.
    EbpfSite site(String lab, String node) {
        return new EbpfSite(
                of(lab, node).path().toString(), files.resolve(lab + "-" + node).toString());
    }

    /// Takes the groups of a lab away; threads that have ended leave them a little later.
    void remove(String lab) {
        Set<String> names = new HashSet<>(groups.keySet());
        names.stream().filter(name -> name.startsWith(lab + "-")).forEach(name -> {
            ControlGroup group = Objects.requireNonNull(groups.remove(name), name);
            await().atMost(PATIENCE).ignoreExceptions().until(() -> {
                group.delete();
                return !group.exists();
            });
        });
    }

    @Override
    public void close() throws IOException {
        home.add(ProcessHandle.current().pid());
        BpfFiles.unmount(files);
        Files.deleteIfExists(files);
        new HashSet<>(groups.keySet()).forEach(name -> remove(name.substring(0, name.lastIndexOf('-'))));
        own.delete();
    }
}
