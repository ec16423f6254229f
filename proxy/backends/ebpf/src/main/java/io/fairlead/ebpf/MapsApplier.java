package io.fairlead.ebpf;

import io.fairlead.ebpf.EbpfEntry.Element;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.kernel.BpfMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The maps of one node: opened where they are pinned, made and pinned where they are not.
final class MapsApplier implements AutoCloseable {
    private final Path folder;
    private final Collection<BpfMap.Shape> shapes;
    private final Map<String, BpfMap> maps = new HashMap<>();

    MapsApplier(Path folder, Collection<BpfMap.Shape> shapes) {
        this.folder = folder;
        this.shapes = shapes;
    }

    /// Takes up what a process before left here.
    void open() {
        for (BpfMap.Shape shape : shapes) {
            if (!maps.containsKey(shape.name()) && Files.isDirectory(folder)) {
                BpfMap.find(folder.resolve(shape.name()), shape).ifPresent(map -> maps.put(shape.name(), map));
            }
        }
    }

    /// Every map is there afterwards. One of an older build that looked otherwise is replaced; the programs of that
    /// build go on with the old one until they are replaced too.
    void make() {
        open();
        for (BpfMap.Shape shape : shapes) {
            if (!maps.containsKey(shape.name())) {
                BpfMap map = BpfMap.create(shape);
                maps.put(shape.name(), map);
                delete(folder.resolve(shape.name()));
                map.pin(folder.resolve(shape.name()));
            }
        }
    }

    Map<String, BpfMap> byName() {
        return Map.copyOf(maps);
    }

    void put(Map<EbpfTable, List<Element>> elements, EbpfTable table) {
        List<Element> some = elements.getOrDefault(table, List.of());
        if (!some.isEmpty()) {
            map(table).put(EbpfMessages.keys(table, some), EbpfMessages.values(table, some), some.size());
        }
    }

    void remove(Map<EbpfTable, List<Element>> elements, EbpfTable table) {
        List<Element> some = elements.getOrDefault(table, List.of());
        if (!some.isEmpty()) {
            map(table).remove(EbpfMessages.keys(table, some), some.size());
        }
    }

    /// Throws an [ApplyException] if the element is not there just so.
    void check(Element element) {
        EbpfTable table = element.table();
        @Nullable BpfMap map = maps.get(table.toString());
        byte[] key = EbpfMessages.keys(table, List.of(element));
        boolean there = map != null
                && map.find(key)
                        .filter(value -> EbpfMessages.decode(table, key, value).equals(element))
                        .isPresent();
        if (!there) {
            throw new ApplyException("the kernel does not hold " + element);
        }
    }

    void forEach(Consumer<EbpfEntry> action) {
        for (EbpfTable table : EbpfTable.values()) {
            @Nullable BpfMap map = maps.get(table.toString());
            if (map != null) {
                map.forEach((key, value) -> action.accept(EbpfMessages.decode(table, key, value)));
            }
        }
    }

    private BpfMap map(EbpfTable table) {
        return Objects.requireNonNull(maps.get(table.toString()), () -> "no map " + table);
    }

    static Map<EbpfTable, List<Element>> byTable(List<Element> elements) {
        return elements.stream()
                .collect(Collectors.groupingBy(
                        Element::table, () -> new EnumMap<>(EbpfTable.class), Collectors.toList()));
    }

    /// Lets go of the maps, and takes their names away: they end with the last program that uses them.
    void dispose() {
        close();
        shapes.forEach(shape -> delete(folder.resolve(shape.name())));
    }

    @Override
    public void close() {
        maps.values().forEach(BpfMap::close);
        maps.clear();
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + file, e);
        }
    }
}
