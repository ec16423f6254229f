package io.fairlead.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fairlead.kernel.BpfCall.Command;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// A program that the kernel has verified and holds; it runs where a [BpfLink] attaches it.
public final class BpfProgram implements AutoCloseable {
    private static final int LOG_SIZE = 1 << 20;
    private static final int INSTRUCTION = 8;
    /// In an instruction that loads 64 bits: the number is the descriptor of a map.
    private static final int MAP_BY_DESCRIPTOR = 1;

    private static final int INFO_SIZE = 16;

    private final int fd;
    private final String name;

    private BpfProgram(int fd, String name) {
        this.fd = fd;
        this.name = name;
    }

    /// Loads a program for `hook`; a [KernelException] tells what the verifier objects to.
    public static BpfProgram load(BpfObject.Code code, BpfHook hook, Map<String, BpfMap> maps, String license) {
        byte[] instructions = relocated(code, maps);
        int fd = load(code, hook, instructions, license, 0);
        return new BpfProgram(fd, code.name());
    }

    private static int load(BpfObject.Code code, BpfHook hook, byte[] instructions, String license, int logLevel) {
        try (BpfCall call = new BpfCall(Command.PROG_LOAD)) {
            call.with(0, hook.programType())
                    .with(4, instructions.length / INSTRUCTION)
                    .with(8, call.buffer(instructions))
                    .with(16, call.text(license))
                    .withName(48, code.name())
                    .with(68, hook.attachType());
            MemorySegment log = call.buffer(logLevel == 0 ? 1 : LOG_SIZE);
            if (logLevel > 0) {
                call.with(24, logLevel).with(28, LOG_SIZE).with(32, log);
            }
            long result = call.attempt();
            if (result >= 0) {
                return (int) result;
            }
            if (logLevel == 0) { // a log slows the verifier down: it is asked for once something is wrong
                return load(code, hook, instructions, license, 1);
            }
            throw new KernelException(
                    Command.PROG_LOAD.toString(),
                    (int) -result,
                    "%s; the verifier says:\n%s".formatted(code.name(), lastLines(log)));
        }
    }

    private static String lastLines(MemorySegment log) {
        byte[] bytes = log.toArray(JAVA_BYTE);
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        String text = new String(bytes, 0, end, StandardCharsets.US_ASCII).strip();
        var lines = text.lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    }

    /// The instructions with the descriptors of the maps where they are named.
    private static byte[] relocated(BpfObject.Code code, Map<String, BpfMap> maps) {
        ByteBuffer instructions = ByteBuffer.wrap(code.instructions().clone()).order(ByteOrder.LITTLE_ENDIAN);
        code.mapsAt().forEach((at, name) -> {
            BpfMap map = maps.get(name);
            if (map == null) {
                throw new IllegalStateException("%s names %s, which is no map".formatted(code.name(), name));
            }
            int registers = instructions.get(at + 1) & 0x0f;
            instructions.put(at + 1, (byte) (registers | MAP_BY_DESCRIPTOR << 4));
            instructions.putInt(at + 4, map.fd());
        });
        return instructions.array();
    }

    int fd() {
        return fd;
    }

    /// The number that the kernel gave it.
    public int id() {
        return ByteBuffer.wrap(BpfCall.info(fd, INFO_SIZE, name))
                .order(ByteOrder.nativeOrder())
                .getInt(4);
    }

    @Override
    public void close() {
        FileCalls.close(name, fd);
    }
}
