package io.fairlead.containers;

import io.fairlead.kernel.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Puts together the root of a container: the machine's own files, read-only, or those of a folder; and over them the
/// files and volumes of the pod.
///
/// A place that the machine does not have cannot be made in a folder that is read-only. Then the folder is made anew in
/// memory, with all that was in it.
final class RootPlan {
    private static final Path TOP = Path.of("/");
    private static final Set<String> FRESH = Set.of("run", "tmp");
    private static final Set<String> WHOLE = Set.of("proc", "sys", "dev");
    private static final int MOST_LINKS = 40;

    private final Path base;
    private final boolean readOnly;
    private final List<Mount> mounts = new ArrayList<>();
    private final List<Mount.Bind> binds = new ArrayList<>();
    private final Set<Path> anew = new HashSet<>();

    private RootPlan(Path base, boolean readOnly) {
        this.base = base;
        this.readOnly = readOnly;
    }

    /// On the files of this machine.
    static RootPlan ofMachine() {
        RootPlan plan = new RootPlan(TOP, true);
        plan.anew(TOP);
        return plan;
    }

    /// On a folder that holds a root; what is written there stays there.
    static RootPlan of(Path folder) {
        RootPlan plan = new RootPlan(folder, false);
        plan.mounts.add(new Mount.Bind(folder, TOP, false, false));
        WHOLE.forEach(name -> plan.mounts.add(new Mount.Bind(TOP.resolve(name), TOP.resolve(name), false, true)));
        return plan;
    }

    /// With a file or folder of the machine at a place.
    RootPlan with(Path source, Path target, boolean sourceReadOnly) {
        Path place = resolved(target);
        if (readOnly) {
            makeRoom(place);
        }
        binds.add(new Mount.Bind(source, place, sourceReadOnly, false));
        return this;
    }

    /// In the order in which they are to be made: a folder before what is below it.
    List<Mount> mounts() {
        Stream<Mount.Bind> sorted = binds.stream()
                .sorted(Comparator.comparingInt(bind -> bind.target().getNameCount()));
        return Stream.concat(mounts.stream(), sorted).toList();
    }

    /// A folder in memory, with everything that the machine has in it.
    private void anew(Path folder) {
        anew.add(folder);
        mounts.add(new Mount.Memory(folder));
        try (Stream<Path> entries = Files.list(folder)) {
            entries.sorted().forEach(this::show);
        } catch (IOException e) {
            throw new NodeException("cannot list " + folder, e);
        }
    }

    private void show(Path entry) {
        String name = entry.getFileName().toString();
        boolean top = TOP.equals(entry.getParent());
        if (Files.isSymbolicLink(entry)) {
            mounts.add(new Mount.Link(entry, link(entry)));
        } else if (top && FRESH.contains(name)) {
            mounts.add(new Mount.Memory(entry));
        } else if (top && WHOLE.contains(name)) {
            mounts.add(new Mount.Bind(entry, entry, false, true));
        } else if (Files.isDirectory(entry) || Files.isRegularFile(entry)) {
            mounts.add(new Mount.Bind(entry, entry, true, false));
        }
    }

    private void makeRoom(Path place) {
        Path there = TOP;
        for (Path part : TOP.relativize(place)) {
            Path next = there.resolve(part);
            boolean fresh = next.getNameCount() == 1 && FRESH.contains(part.toString());
            if (fresh || (!Files.exists(next) && anew.contains(there))) {
                return; // what is missing is made there
            }
            if (!Files.exists(next)) {
                anew(there);
                return;
            }
            there = next;
        }
    }

    /// The place without links on the way: a link may lead out of the root that is still being made.
    private Path resolved(Path target) {
        Path there = TOP;
        List<Path> left = new ArrayList<>(parts(target));
        int links = 0;
        while (!left.isEmpty()) {
            Path next = there.resolve(left.removeFirst()).normalize();
            Path outside = base.resolve(TOP.relativize(next));
            boolean fresh = readOnly && FRESH.contains(next.getName(0).toString());
            if (!fresh && Files.isSymbolicLink(outside) && links++ < MOST_LINKS) {
                Path to = there.resolve(link(outside)).normalize();
                left.addAll(0, parts(to));
                there = TOP;
            } else {
                there = next;
            }
        }
        return there;
    }

    private static List<Path> parts(Path path) {
        List<Path> parts = new ArrayList<>();
        TOP.relativize(TOP.resolve(path).normalize()).forEach(part -> {
            if (!part.toString().isEmpty()) {
                parts.add(part);
            }
        });
        return parts;
    }

    private static Path link(Path entry) {
        try {
            return Files.readSymbolicLink(entry);
        } catch (IOException e) {
            throw new NodeException("cannot read the link " + entry, e);
        }
    }
}
