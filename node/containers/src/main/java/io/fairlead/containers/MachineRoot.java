package io.fairlead.containers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A root for the sample images, which have no files of their own: the programs and libraries of this machine,
/// read-only, and nothing else of it.
///
/// `folder` holds the skeleton: empty folders, a few files of `/etc`, and the links of a machine whose programs are in
/// `/usr`.
record MachineRoot(Path folder) {
    private static final List<String> PROGRAMS = List.of("bin", "sbin", "lib", "lib32", "lib64");
    private static final List<String> SETTINGS =
            List.of("alternatives", "ssl", "ca-certificates", "perl", "ld.so.cache");
    private static final String PASSWD = """
        root:x:0:0:root:/root:/bin/sh
        nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
        """;

    /// Makes the skeleton anew.
    static MachineRoot make(Path folder) {
        for (String name : List.of("usr", "etc", "var", "var/run", "run", "home", "opt", "srv", "proc", "sys", "dev")) {
            Folders.make(folder.resolve(name), "rwxr-xr-x");
        }
        Folders.make(folder.resolve("root"), "rwx------");
        Folders.make(folder.resolve("tmp"), "rwxrwxrwx");
        Folders.make(folder, "rwxr-xr-x");
        MachineRoot root = new MachineRoot(folder);
        try {
            root.write("etc/passwd", PASSWD);
            root.write("etc/group", "root:x:0:\nnogroup:x:65534:\n");
            root.write("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n");
            for (String name : PROGRAMS) {
                root.link(name);
            }
        } catch (IOException e) {
            throw new NodeException("cannot make " + folder, e);
        }
        return root;
    }

    /// The files of the machine that containers see, all read-only.
    List<ContainerSpec.Bind> binds() {
        List<ContainerSpec.Bind> binds = new ArrayList<>();
        binds.add(readOnly(Path.of("/usr")));
        for (String name : PROGRAMS) {
            Path place = Path.of("/", name);
            if (Files.isDirectory(place) && !Files.isSymbolicLink(place)) {
                binds.add(readOnly(place));
            }
        }
        for (String name : SETTINGS) {
            Path place = Path.of("/etc", name);
            if (Files.exists(place)) {
                binds.add(readOnly(place));
            }
        }
        return binds;
    }

    /// A program that is in none of these folders.
    static List<ContainerSpec.Bind> program(List<String> command) {
        if (command.isEmpty() || !command.getFirst().startsWith("/")) {
            return List.of();
        }
        Path program = Path.of(command.getFirst()).normalize();
        boolean shown = program.startsWith("/usr")
                || program.startsWith(Programs.FOLDER)
                || PROGRAMS.contains(program.getName(0).toString());
        return shown || !Files.isRegularFile(program) ? List.of() : List.of(readOnly(program));
    }

    private static ContainerSpec.Bind readOnly(Path place) {
        return new ContainerSpec.Bind(place, place, true);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    private void link(String name) throws IOException {
        Path here = Path.of("/", name);
        Path there = folder.resolve(name);
        if (Files.isSymbolicLink(here) && !Files.isSymbolicLink(there)) {
            Files.createSymbolicLink(there, Files.readSymbolicLink(here));
        }
    }
}
