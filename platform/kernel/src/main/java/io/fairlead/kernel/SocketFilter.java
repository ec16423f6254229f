package io.fairlead.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/// Which frames a socket is for: a program of classic BPF that the kernel runs on each, so that the others never wake
/// the reader.
public record SocketFilter(List<Instruction> instructions) {
    private static final int LOAD_BYTE = 0x30;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int RETURN = 0x06;
    private static final int WHOLE_FRAME = 0xffff;

    /// Takes every frame of the socket's protocol.
    public static final SocketFilter ALL = new SocketFilter(List.of(new Instruction(RETURN, 0, 0, WHOLE_FRAME)));

    /// One step; the jumps count from the step behind this one.
    public record Instruction(int code, int jumpIfTrue, int jumpIfFalse, int operand) {}

    public SocketFilter {
        instructions = List.copyOf(instructions);
    }

    /// Takes frames with `first` at byte `at`, and one of two values at byte `behind`.
    public static SocketFilter of(int at, int first, int behind, int either, int or) {
        return new SocketFilter(List.of(
                new Instruction(LOAD_BYTE, 0, 0, at),
                new Instruction(JUMP_IF_EQUAL, 0, 3, first),
                new Instruction(LOAD_BYTE, 0, 0, behind),
                new Instruction(JUMP_IF_EQUAL, 2, 0, either),
                new Instruction(JUMP_IF_EQUAL, 1, 0, or),
                new Instruction(RETURN, 0, 0, 0),
                new Instruction(RETURN, 0, 0, WHOLE_FRAME)));
    }

    /// As the kernel reads it: an array of `struct sock_filter`.
    byte[] bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(8 * instructions.size()).order(ByteOrder.nativeOrder());
        for (Instruction step : instructions) {
            bytes.putShort((short) step.code())
                    .put((byte) step.jumpIfTrue())
                    .put((byte) step.jumpIfFalse())
                    .putInt(step.operand());
        }
        return bytes.array();
    }
}
