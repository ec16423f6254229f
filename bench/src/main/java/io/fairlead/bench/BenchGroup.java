package io.fairlead.bench;

import io.fairlead.ebpf.EbpfSite;
import io.fairlead.kernel.BpfFiles;
import io.fairlead.kernel.ControlGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A control group and a BPF file system for one run of a bench, gone after it.
final class BenchGroup implements AutoCloseable {
    private final ControlGroup group;
    private final Path files;

    BenchGroup() {
        String name = "flbench" + ProcessHandle.current().pid();
        group = ControlGroup.findRoot()
                .orElseThrow(() -> new IllegalStateException("no control groups of version 2 are mounted"))
                .below(name);
        files = Path.of("/run/" + name);
        BpfFiles.mount(files);
    }

    String path() {
        return group.path().toString();
    }

    EbpfSite site() {
        return new EbpfSite(path(), files.resolve("node").toString());
    }

    @Override
    public void close() {
        BpfFiles.unmount(files);
        group.delete();
        try {
            Files.deleteIfExists(files);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + files, e);
        }
    }
}
