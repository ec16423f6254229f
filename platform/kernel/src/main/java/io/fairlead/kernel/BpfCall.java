package io.fairlead.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// One call of bpf(2): the command, and its argument, a `union bpf_attr`, written field by field.
final class BpfCall implements AutoCloseable {
    /// What the kernel can be asked for, with its numbers.
    enum Command {
        MAP_CREATE(0),
        MAP_LOOKUP_ELEM(1),
        MAP_UPDATE_ELEM(2),
        MAP_DELETE_ELEM(3),
        PROG_LOAD(5),
        OBJ_PIN(6),
        OBJ_GET(7),
        OBJ_GET_INFO_BY_FD(15),
        MAP_LOOKUP_BATCH(24),
        MAP_UPDATE_BATCH(26),
        MAP_DELETE_BATCH(27),
        LINK_CREATE(28),
        LINK_UPDATE(29),
        LINK_DETACH(34);

        private final int number;

        Command(int number) {
            this.number = number;
        }

        @Override
        public String toString() {
            return "bpf " + name().toLowerCase(Locale.ROOT);
        }
    }

    private static final long BPF = System.getProperty("os.arch").equals("aarch64") ? 280 : 321;
    /// As much of `union bpf_attr` as these commands have; the kernel takes the rest to be zero.
    private static final int SIZE = 80;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment attributes = arena.allocate(SIZE, 8);
    private final Command command;

    BpfCall(Command command) {
        this.command = command;
    }

    BpfCall with(int offset, int value) {
        attributes.set(JAVA_INT_UNALIGNED, offset, value);
        return this;
    }

    BpfCall withLong(int offset, long value) {
        attributes.set(JAVA_LONG_UNALIGNED, offset, value);
        return this;
    }

    /// The address of a buffer of this call.
    BpfCall with(int offset, MemorySegment buffer) {
        return withLong(offset, buffer.address());
    }

    /// A name of at most 15 bytes, inside the argument itself.
    BpfCall withName(int offset, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        MemorySegment.copy(bytes, 0, attributes, JAVA_BYTE, offset, Math.min(bytes.length, 15));
        return this;
    }

    int field(int offset) {
        return attributes.get(JAVA_INT_UNALIGNED, offset);
    }

    /// A buffer that lives as long as the call.
    MemorySegment buffer(long size) {
        return arena.allocate(Math.max(size, 1), 8);
    }

    MemorySegment buffer(byte[] content) {
        MemorySegment buffer = buffer(content.length);
        MemorySegment.copy(content, 0, buffer, JAVA_BYTE, 0, content.length);
        return buffer;
    }

    MemorySegment text(String text) {
        return arena.allocateFrom(text);
    }

    /// Makes the call; a failure is the negative errno.
    long attempt() {
        return Libc.SYSCALL.attempt(BPF, command.number, attributes.address(), SIZE);
    }

    /// Makes the call; a failure is a [KernelException] about `subject`.
    int check(String subject) {
        long result = attempt();
        if (result < 0) {
            throw new KernelException(command.toString(), (int) -result, subject);
        }
        return (int) result;
    }

    @Override
    public void close() {
        arena.close();
    }

    /// Gives a kernel object a name in a BPF file system, so that it outlives this process.
    static void pin(int fd, String path) {
        try (BpfCall call = new BpfCall(Command.OBJ_PIN)) {
            call.with(0, call.text(path)).with(8, fd).check(path);
        }
    }

    /// Opens what was pinned; a [KernelException] with ENOENT if there is nothing.
    static int openPinned(String path) {
        try (BpfCall call = new BpfCall(Command.OBJ_GET)) {
            return call.with(0, call.text(path)).check(path);
        }
    }

    /// What the kernel tells of an object, as the bytes of its info struct.
    static byte[] info(int fd, int size, String subject) {
        try (BpfCall call = new BpfCall(Command.OBJ_GET_INFO_BY_FD)) {
            MemorySegment info = call.buffer(size);
            call.with(0, fd).with(4, size).with(8, info).check(subject);
            return info.toArray(JAVA_BYTE);
        }
    }
}
