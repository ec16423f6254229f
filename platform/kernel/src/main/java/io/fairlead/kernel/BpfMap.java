package io.fairlead.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fairlead.kernel.BpfCall.Command;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiConsumer;

/// A map of the kernel that BPF programs read and write; keys and values are bytes of a fixed length.
///
/// A map lives as long as this object, a program, or a file of a BPF file system holds it.
public final class BpfMap implements AutoCloseable {
    /// How a map is made.
    public record Shape(String name, int type, int keySize, int valueSize, int maxEntries, int flags) {
        /// The same with room for another number of elements.
        public Shape with(int maxEntries) {
            return new Shape(name, type, keySize, valueSize, maxEntries, flags);
        }

        boolean isLike(Shape other) {
            return type == other.type
                    && keySize == other.keySize
                    && valueSize == other.valueSize
                    && maxEntries == other.maxEntries;
        }
    }

    private static final int INFO_SIZE = 40;
    private static final int MOST_READ_AT_ONCE = 16_384;

    private final int fd;
    private final Shape shape;

    private BpfMap(int fd, Shape shape) {
        this.fd = fd;
        this.shape = shape;
    }

    public static BpfMap create(Shape shape) {
        try (BpfCall call = new BpfCall(Command.MAP_CREATE)) {
            int fd = call.with(0, shape.type)
                    .with(4, shape.keySize)
                    .with(8, shape.valueSize)
                    .with(12, shape.maxEntries)
                    .with(16, shape.flags)
                    .withName(28, shape.name)
                    .check(shape.name);
            return new BpfMap(fd, shape);
        }
    }

    /// The map that is pinned there; nothing if there is none, or one of another shape.
    public static Optional<BpfMap> find(Path pinned, Shape shape) {
        int fd;
        try {
            fd = BpfCall.openPinned(pinned.toString());
        } catch (KernelException e) {
            if (e.is(Errno.ENOENT)) {
                return Optional.empty();
            }
            throw e;
        }
        BpfMap map = new BpfMap(fd, shape);
        if (!map.actualShape().isLike(shape)) {
            map.close();
            return Optional.empty();
        }
        return Optional.of(map);
    }

    private Shape actualShape() {
        ByteBuffer info =
                ByteBuffer.wrap(BpfCall.info(fd, INFO_SIZE, shape.name)).order(ByteOrder.nativeOrder());
        return new Shape(shape.name, info.getInt(0), info.getInt(8), info.getInt(12), info.getInt(16), info.getInt(20));
    }

    public Shape shape() {
        return shape;
    }

    int fd() {
        return fd;
    }

    public void pin(Path path) {
        BpfCall.pin(fd, path.toString());
    }

    /// The value under a key.
    public Optional<byte[]> find(byte[] key) {
        try (BpfCall call = new BpfCall(Command.MAP_LOOKUP_ELEM)) {
            MemorySegment value = call.buffer(shape.valueSize);
            long result =
                    call.with(0, fd).with(8, call.buffer(key)).with(16, value).attempt();
            if (result == -Errno.ENOENT) {
                return Optional.empty();
            }
            throwIf(result, Command.MAP_LOOKUP_ELEM);
            return Optional.of(value.toArray(JAVA_BYTE));
        }
    }

    /// Writes `count` elements, whether they were there or not; keys and values stand one after the other. Each is
    /// there at once as a whole; others may see some of them and not yet the rest.
    public void put(byte[] keys, byte[] values, int count) {
        batch(Command.MAP_UPDATE_BATCH, keys, values, count);
    }

    /// Removes `count` elements, which must be there.
    public void remove(byte[] keys, int count) {
        batch(Command.MAP_DELETE_BATCH, keys, new byte[0], count);
    }

    private void batch(Command command, byte[] keys, byte[] values, int count) {
        if (count == 0) {
            return;
        }
        try (BpfCall call = new BpfCall(command)) {
            call.with(16, call.buffer(keys)).with(32, count).with(36, fd);
            if (values.length > 0) {
                call.with(24, call.buffer(values));
            }
            call.check("%d elements of %s".formatted(count, shape.name));
        }
    }

    /// Shows every element; what others change meanwhile may be seen or not.
    public void forEach(BiConsumer<byte[], byte[]> action) {
        int room = Math.min(shape.maxEntries, MOST_READ_AT_ONCE);
        boolean first = true;
        byte[] position = new byte[Math.max(4, shape.keySize)];
        while (true) {
            try (BpfCall call = new BpfCall(Command.MAP_LOOKUP_BATCH)) {
                MemorySegment from = call.buffer(position);
                MemorySegment next = call.buffer(position.length);
                MemorySegment keys = call.buffer((long) room * shape.keySize);
                MemorySegment values = call.buffer((long) room * shape.valueSize);
                if (!first) {
                    call.with(0, from);
                }
                long result = call.with(8, next)
                        .with(16, keys)
                        .with(24, values)
                        .with(32, room)
                        .with(36, fd)
                        .attempt();
                boolean isLast = result == -Errno.ENOENT;
                if (!isLast) {
                    throwIf(result, Command.MAP_LOOKUP_BATCH);
                }
                show(keys, values, call.field(32), action);
                if (isLast) {
                    return;
                }
                position = next.toArray(JAVA_BYTE);
                first = false;
            }
        }
    }

    private void show(MemorySegment keys, MemorySegment values, int count, BiConsumer<byte[], byte[]> action) {
        for (int i = 0; i < count; i++) {
            action.accept(part(keys, i, shape.keySize), part(values, i, shape.valueSize));
        }
    }

    private static byte[] part(MemorySegment all, int index, int size) {
        return all.asSlice((long) index * size, size).toArray(JAVA_BYTE);
    }

    private void throwIf(long result, Command command) {
        if (result < 0) {
            throw new KernelException(command.toString(), (int) -result, shape.name);
        }
    }

    @Override
    public void close() {
        FileCalls.close(shape.name, fd);
    }
}
