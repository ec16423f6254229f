package io.fairlead.ebpf;

import io.fairlead.api.Cidr;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.kernel.BpfFiles;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.ControlGroup;
import io.fairlead.testkit.BackendContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A control group and a BPF file system of its own; `bpftool` says what is there.
final class CgroupMachine implements BackendContract.Machine<EbpfEntry> {
    static final NodeFacts NODE =
            NodeFacts.of("node-1", List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("fd00:244::/32")));

    private final ControlGroup group;
    private final Path files;

    CgroupMachine() {
        String name = "flbpf" + ProcessHandle.current().pid();
        group = ControlGroup.findRoot().orElseThrow().below(name);
        files = Path.of("/run/" + name);
        BpfFiles.mount(files);
    }

    ControlGroup group() {
        return group;
    }

    EbpfSite site() {
        return new EbpfSite(group.path().toString(), files.resolve("node").toString());
    }

    @Override
    public Backend<EbpfEntry> open() {
        return EbpfBackend.open(NODE, site());
    }

    @Override
    public String leftovers() {
        return bpftool("cgroup", "list", group.path().toString()) + pinned();
    }

    private String pinned() {
        return Files.exists(files.resolve("node")) ? files.resolve("node") + " is there\n" : "";
    }

    static String bpftool(String... arguments) {
        List<String> words = new java.util.ArrayList<>(List.of("bpftool"));
        words.addAll(List.of(arguments));
        Command.Result result = Command.run(words, "");
        if (!result.succeeded()) {
            throw new IllegalStateException(String.join(" ", words) + ": " + result.output() + result.errors());
        }
        return result.output();
    }

    @Override
    public void close() {
        BpfFiles.unmount(files);
        group.delete();
        try {
            Files.deleteIfExists(files);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
