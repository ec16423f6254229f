package io.fairlead.bench;

import io.fairlead.kernel.Mounts;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Random;

/// A server on SQLite, whose file is on a small file system in memory that can be filled.
final class SqliteSite implements FaultSite {
    private static final long BYTES = 96 << 20;

    private final Path folder;
    private final Path filler;
    private final boolean mounted;
    private final ServerProcess server;

    private SqliteSite(Path folder, boolean mounted, ServerProcess server) {
        this.folder = folder;
        this.filler = folder.resolve("filler");
        this.mounted = mounted;
        this.server = server;
    }

    /// Only root may mount; without it the store is on the usual disk, which is never filled.
    static SqliteSite start(String... jvmOptions) throws IOException {
        Path folder = Files.createTempDirectory("fairlead-kills");
        boolean root = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
        if (root) {
            Mounts.memory(folder, BYTES, "0700");
        }
        ServerProcess server;
        try {
            server = ServerProcess.start("sqlite:" + folder.resolve("store.db"), jvmOptions);
        } catch (IOException | RuntimeException e) {
            remove(folder, root);
            throw e;
        }
        return new SqliteSite(folder, root, server);
    }

    @Override
    public ServerProcess server() {
        return server;
    }

    @Override
    public Map<FaultKind, Strike> strikes() {
        Map<FaultKind, Strike> all = ServerFaults.of(server);
        if (mounted) {
            all.put(FaultKind.DISK, this::fillDisk);
        }
        return all;
    }

    /// What is freed while it stays full, as by a checkpoint, is filled again.
    private void fillDisk(Random random) throws InterruptedException {
        try {
            long end = System.nanoTime() + random.nextLong(100, 2_000) * 1_000_000;
            while (System.nanoTime() < end) {
                fill();
                Thread.sleep(20);
            }
        } finally {
            empty();
        }
    }

    private void fill() {
        byte[] page = new byte[4096];
        try (OutputStream out = Files.newOutputStream(filler, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (long written = 0; written < BYTES; written += page.length) {
                out.write(page);
            }
        } catch (IOException full) {
            if (folder.toFile().getUsableSpace() > 64 << 10) {
                throw new UncheckedIOException(full);
            }
        }
    }

    private void empty() {
        try {
            Files.deleteIfExists(filler);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        server.close();
        remove(folder, mounted);
    }

    private static void remove(Path folder, boolean mounted) {
        if (mounted) {
            Mounts.detach(folder);
        }
        BenchFolder.delete(folder);
    }
}
