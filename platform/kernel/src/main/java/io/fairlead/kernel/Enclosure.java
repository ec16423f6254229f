package io.fairlead.kernel;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/// The surroundings of a program: a network namespace (empty: the caller's), a host name (empty: the machine's), and
/// a root of its own made of mounts.
///
/// `point` is an empty folder of the machine where the root is put together; the machine itself never sees it filled.
public record Enclosure(String network, String hostname, Path point, List<Mount> mounts) {
    private static final int CLONE_NEWNS = 0x20000;
    private static final int CLONE_NEWUTS = 0x4000000;
    private static final int MNT_DETACH = 2;
    private static final long PIVOT_ROOT = System.getProperty("os.arch").equals("aarch64") ? 41 : 155;

    /// No surroundings of its own: the program runs where this one does.
    public static final Enclosure NONE = new Enclosure("", "", Path.of("/"), List.of());

    public Enclosure {
        mounts = List.copyOf(mounts);
    }

    /// Moves the calling thread inside, up to the last step: files are still where the machine has them.
    void enter() throws IOException {
        if (mounts.isEmpty()) {
            return;
        }
        Libc.UNSHARE.check("mounts and host name", CLONE_NEWNS | CLONE_NEWUTS);
        MountCalls.keepPrivate();
        if (!hostname.isEmpty()) {
            setHostname();
        }
        if (!network.isEmpty()) {
            NetworkNamespace.find(network)
                    .orElseThrow(() -> new KernelException("setns", Errno.ENOENT, network))
                    .enter();
        }
        for (Mount mount : mounts) {
            make(mount);
        }
    }

    /// The last step: the new root takes the place of the old one, which is let go with all that was mounted there.
    /// Or else every program would keep the network namespaces of its time, by the names they have in `/run/netns`.
    void closeRoot() {
        if (mounts.isEmpty()) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment folder = arena.allocateFrom(point.toString());
            MemorySegment here = arena.allocateFrom(".");
            Libc.CHDIR.check(point.toString(), folder.address());
            long name = here.address();
            Libc.SYSCALL.check("pivot_root " + point, PIVOT_ROOT, name, name);
            Libc.UMOUNT2.check("the old root", here.address(), MNT_DETACH);
        }
    }

    /// Where a path of the new root is before the last step.
    Path outside(Path inside) {
        return point.resolve(Path.of("/").relativize(inside));
    }

    private void make(Mount mount) throws IOException {
        Path at = outside(mount.target());
        switch (mount) {
            case Mount.Memory _ -> {
                Files.createDirectories(at);
                MountCalls.memory(at);
            }
            case Mount.Bind bind -> {
                makePlace(at, Files.isDirectory(bind.source()));
                MountCalls.bind(bind, at);
            }
            case Mount.Link link -> {
                Files.createDirectories(at.getParent());
                Files.createSymbolicLink(at, link.to());
            }
        }
    }

    private static void makePlace(Path at, boolean folder) throws IOException {
        if (Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.createDirectories(folder ? at : at.getParent());
        if (!folder) {
            Files.createFile(at);
        }
    }

    private void setHostname() {
        byte[] name = hostname.getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(hostname);
            Libc.SETHOSTNAME.check(hostname, text.address(), name.length);
        }
    }
}
