package io.fairlead.ebpf;

import io.fairlead.ebpf.EbpfEntry.Attached;
import io.fairlead.kernel.BpfHook;
import io.fairlead.kernel.BpfLink;
import io.fairlead.kernel.BpfMap;
import io.fairlead.kernel.BpfObject;
import io.fairlead.kernel.BpfProgram;
import io.fairlead.kernel.ControlGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The programs of one node at their hooks: each is a pinned link, whose name says what runs there.
final class LinksApplier implements AutoCloseable {
    private static final String SEPARATOR = "@";

    private final Path folder;
    private final Path group;
    private final Map<BpfHook, Held> held = new EnumMap<>(BpfHook.class);

    private record Held(BpfLink link, Path pin, String version) {}

    LinksApplier(Path folder, Path group) {
        this.folder = folder;
        this.group = group;
    }

    /// Takes up what a process before left here; what is no longer attached to the group is let go.
    void open() {
        close();
        if (!Files.isDirectory(folder)) {
            return;
        }
        for (Path pin : pins()) {
            String[] parts = pin.getFileName().toString().split(SEPARATOR, 2);
            hook(parts[0])
                    .flatMap(hook -> BpfLink.find(pin).map(link -> {
                        held.put(hook, new Held(link, pin, parts[1]));
                        return hook;
                    }))
                    .filter(hook -> !isAttached(hook))
                    .ifPresent(this::detach);
        }
    }

    private List<Path> pins() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().contains(SEPARATOR))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + folder, e);
        }
    }

    private static Optional<BpfHook> hook(String name) {
        return Arrays.stream(BpfHook.values())
                .filter(hook -> hook.toString().equals(name))
                .findFirst();
    }

    List<EbpfEntry> attached() {
        List<EbpfEntry> entries = new ArrayList<>();
        held.forEach((hook, one) -> entries.add(new Attached(hook, one.version)));
        return entries;
    }

    /// Whether every program that we attached still runs at the group of this node.
    boolean areAttached() {
        return held.keySet().stream().allMatch(this::isAttached);
    }

    private boolean isAttached(BpfHook hook) {
        Held one = held.get(hook);
        return one != null
                && Files.isDirectory(group)
                && one.link.group() == ControlGroup.open(group).id();
    }

    /// Loads the programs of an object, and lets them run at these hooks: in the place of others where some run.
    void attach(List<Attached> hooks, EbpfObject object, Map<String, BpfMap> maps) {
        if (hooks.isEmpty()) {
            return;
        }
        ControlGroup to = ControlGroup.open(group);
        BpfObject content = object.content();
        for (BpfObject.Code code : content.programs()) {
            Optional<Attached> wanted = BpfHook.find(code.section())
                    .flatMap(hook -> hooks.stream()
                            .filter(attached -> attached.hook() == hook)
                            .findFirst());
            if (wanted.isPresent()) {
                try (BpfProgram program = BpfProgram.load(code, wanted.get().hook(), maps, content.license())) {
                    attach(wanted.get(), program, to);
                }
            }
        }
    }

    private void attach(Attached wanted, BpfProgram program, ControlGroup to) {
        BpfHook hook = wanted.hook();
        Path pin = folder.resolve(hook + SEPARATOR + wanted.version());
        Held before = held.get(hook);
        if (before == null) {
            BpfLink link = BpfLink.attach(program, hook, to);
            link.pin(pin);
            held.put(hook, new Held(link, pin, wanted.version()));
        } else {
            before.link.replace(program);
            move(before.pin, pin);
            held.put(hook, new Held(before.link, pin, wanted.version()));
        }
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot rename " + from, e);
        }
    }

    boolean holds(Attached hook) {
        Held one = held.get(hook.hook());
        return one != null && one.version.equals(hook.version());
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    /// The program stops to run at the hook, at once.
    void detach(BpfHook hook) {
        Held one = held.remove(hook);
        if (one != null) {
            one.link.detach();
            one.link.close();
            try {
                Files.deleteIfExists(one.pin);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot remove " + one.pin, e);
            }
        }
    }

    @Override
    public void close() {
        held.values().forEach(one -> one.link.close());
        held.clear();
    }
}
