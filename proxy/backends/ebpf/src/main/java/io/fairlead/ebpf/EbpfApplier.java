package io.fairlead.ebpf;

import static io.fairlead.ebpf.EbpfTable.ENDPOINT;
import static io.fairlead.ebpf.EbpfTable.LOCAL;
import static io.fairlead.ebpf.EbpfTable.MEMBER;
import static io.fairlead.ebpf.EbpfTable.NAME;
import static io.fairlead.ebpf.EbpfTable.SERVICE;

import io.fairlead.api.Cidr;
import io.fairlead.ebpf.EbpfEntry.Attached;
import io.fairlead.ebpf.EbpfEntry.Element;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ConnectionCounters;
import io.fairlead.forwarding.DriftWatch;
import io.fairlead.forwarding.EffectCheck;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Patch.Change;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;
import io.fairlead.forwarding.Wake;
import io.fairlead.kernel.BpfFiles;
import io.fairlead.kernel.BpfHook;
import io.fairlead.kernel.BpfMap;
import io.fairlead.kernel.BpfProgram;
import io.fairlead.kernel.ControlGroup;
import io.fairlead.kernel.KernelException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Writes the maps and attaches the programs: the only part of this room that asks the kernel for something.
///
/// The kernel has no transaction over maps. The order makes up for it: targets are there before a frontend leads to
/// them, and go after it leads elsewhere; programs run after all is written, and stop before anything goes.
final class EbpfApplier implements DriftWatch, ConnectionCounters, EffectCheck, Wake, AutoCloseable {
    /// How many elements a map has room for that is made only to see whether it can be.
    private static final int PROBED = 64;

    private final Path pins;
    private final EbpfObject object = EbpfObject.shipped();
    private final MapsApplier maps;
    private final LinksApplier links;
    private final Path group;
    private final ResetApplier resets;
    private boolean opened;

    EbpfApplier(EbpfSite site) {
        pins = Path.of(site.pins());
        maps = new MapsApplier(pins, object.content().maps().values());
        group = EbpfSiteReader.folder(site);
        links = new LinksApplier(pins, group);
        resets = new ResetApplier(site.resetAfter(), path());
    }

    /// Loads every program once, with small maps, and lets go of them.
    static Support support() {
        if (ControlGroup.findRoot().isEmpty()) {
            return new Support.Unsupported("no hierarchy of control groups of version 2 is mounted");
        }
        Map<String, BpfMap> some = new HashMap<>();
        EbpfObject object = EbpfObject.shipped();
        try {
            object.content()
                    .maps()
                    .values()
                    .forEach(shape -> some.put(shape.name(), BpfMap.create(shape.with(PROBED))));
            object.content()
                    .programs()
                    .forEach(code -> BpfHook.find(code.section())
                            .ifPresent(hook -> BpfProgram.load(
                                            code, hook, some, object.content().license())
                                    .close()));
            return new Support.Supported();
        } catch (KernelException e) {
            return new Support.Unsupported(String.valueOf(e.getMessage()));
        } finally {
            some.values().forEach(BpfMap::close);
        }
    }

    synchronized Program<EbpfEntry> observe() {
        return asked("read the maps", () -> {
            maps.open();
            links.open();
            opened = true;
            List<EbpfEntry> entries = new ArrayList<>(links.attached());
            maps.forEach(entries::add);
            return Program.of(entries);
        });
    }

    synchronized void apply(Patch<EbpfEntry> patch) {
        if (patch.isEmpty()) {
            return;
        }
        asked("write a patch of %d entries".formatted(patch.size()), () -> {
            if (!opened) {
                maps.open();
                links.open();
                opened = true;
            }
            check(patch);
            write(patch);
            return true;
        });
    }

    /// A patch that was made for another state is refused before anything is written.
    private void check(Patch<EbpfEntry> patch) {
        Stream.concat(patch.removed().stream(), patch.changed().stream().map(Change::before))
                .forEach(entry -> {
                    switch (entry) {
                        case Element element -> maps.check(element);
                        case Attached hook -> {
                            if (!links.holds(hook)) {
                                throw new ApplyException("the kernel does not hold " + hook);
                            }
                        }
                    }
                });
    }

    private void write(Patch<EbpfEntry> patch) {
        List<Element> put = new ArrayList<>();
        List<Attached> attach = new ArrayList<>();
        Stream.concat(patch.added().stream(), patch.changed().stream().map(Change::after))
                .forEach(entry -> sort(entry, put, attach));
        List<Element> remove = new ArrayList<>();
        List<Attached> detach = new ArrayList<>();
        patch.removed().forEach(entry -> sort(entry, remove, detach));

        detach.forEach(hook -> links.detach(hook.hook()));
        if (!put.isEmpty() || !attach.isEmpty()) {
            makeFolder();
            maps.make();
        }
        write(MapsApplier.byTable(put), MapsApplier.byTable(remove));
        links.attach(attach, object, maps.byName());
        if (!detach.isEmpty() && links.isEmpty()) {
            dispose();
        }
    }

    private static void sort(EbpfEntry entry, List<Element> elements, List<Attached> hooks) {
        switch (entry) {
            case Element element -> elements.add(element);
            case Attached hook -> hooks.add(hook);
        }
    }

    private void write(Map<EbpfTable, List<Element>> put, Map<EbpfTable, List<Element>> remove) {
        for (EbpfTable table : List.of(ENDPOINT, MEMBER, LOCAL, NAME, SERVICE)) {
            maps.put(put, table);
        }
        for (EbpfTable table : List.of(SERVICE, ENDPOINT, MEMBER, LOCAL, NAME)) {
            maps.remove(remove, table);
        }
        resets.removed(remove.getOrDefault(ENDPOINT, List.of()));
    }

    @Override
    public synchronized Optional<Duration> nextLook() {
        return resets.nextLook();
    }

    @Override
    public synchronized void look() {
        asked("reset connections", () -> {
            resets.look(maps.byName());
            return true;
        });
    }

    /// The path of the group below the root.
    private String path() {
        return ControlGroup.findRoot()
                .map(root -> "/" + root.path().relativize(group))
                .orElse("/");
    }

    private void makeFolder() {
        if (Files.isDirectory(pins)) {
            return;
        }
        Path parent = pins.getParent();
        if (parent == null) {
            throw new ApplyException("there is no BPF file system at " + pins);
        }
        BpfFiles.mountAbove(pins, parent);
        try {
            Files.createDirectories(pins);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make " + pins, e);
        }
    }

    private void dispose() {
        maps.dispose();
        try {
            Files.deleteIfExists(pins);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + pins, e);
        }
    }

    /// Whether a program of ours stopped to run where the pods are.
    @Override
    public synchronized boolean drifted() {
        return asked("look at the programs", () -> !links.areAttached());
    }

    /// Whether the programs see every process of this node's pods: they are attached to a group, and a runtime may have
    /// placed a process in another one.
    @Override
    public Optional<String> problem(List<Cidr> podNetworks) {
        return asked("look at the pods", () -> {
            if (!areAttached()) {
                return Optional.of("a program is not attached to " + group);
            }
            String path = path();
            List<PodProcess> outside = ProcessReader.all().stream()
                    .filter(process -> process.isIn(podNetworks) && !process.isBelow(path))
                    .toList();
            return outside.isEmpty()
                    ? Optional.empty()
                    : Optional.of("%d processes of pods are outside of %s: %s"
                            .formatted(outside.size(), path, PodProcess.text(outside)));
        });
    }

    private synchronized boolean areAttached() {
        return links.areAttached();
    }

    /// What the programs counted, read anew from the kernel.
    @Override
    public synchronized List<ConnectionCount> connections() {
        return asked("read the counters", () -> CountReader.read(maps.byName()));
    }

    private static <T> T asked(String what, Supplier<T> body) {
        try {
            return body.get();
        } catch (KernelException | UncheckedIOException e) {
            throw new ApplyException("cannot %s: %s".formatted(what, e.getMessage()), e);
        }
    }

    @Override
    public synchronized void close() {
        links.close();
        maps.close();
        opened = false;
    }
}
