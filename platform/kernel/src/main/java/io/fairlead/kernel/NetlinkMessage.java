package io.fairlead.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/// One message from the kernel: its type, flags and sequence number, and the bytes behind the header.
public record NetlinkMessage(int type, int flags, int sequence, byte[] payload) {
    private static final int HEADER = 16;
    private static final int NLMSG_ERROR = 2;
    private static final int NLMSG_DONE = 3;
    private static final int NLM_F_DUMP_INTR = 0x10;

    /// Takes apart what one receive gave.
    static void parse(byte[] bytes, List<NetlinkMessage> into) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        int at = 0;
        while (at + HEADER <= bytes.length) {
            int length = buffer.getInt(at);
            if (length < HEADER || at + length > bytes.length) {
                throw new IllegalStateException(
                        "netlink message of %d bytes at %d of %d".formatted(length, at, bytes.length));
            }
            into.add(new NetlinkMessage(
                    buffer.getShort(at + 4) & 0xffff,
                    buffer.getShort(at + 6) & 0xffff,
                    buffer.getInt(at + 8),
                    Arrays.copyOfRange(bytes, at + HEADER, at + length)));
            at += (length + 3) & ~3;
        }
    }

    public boolean isDone() {
        return type == NLMSG_DONE;
    }

    /// True if the dump this belongs to was overtaken by a change, and must be made again.
    public boolean isInterrupted() {
        return (flags & NLM_F_DUMP_INTR) != 0;
    }

    public boolean isError() {
        return type == NLMSG_ERROR && errno() != 0;
    }

    /// The error number of an error message; 0 in an acknowledgement.
    public int errno() {
        return -ByteBuffer.wrap(payload).order(ByteOrder.nativeOrder()).getInt(0);
    }

    void throwIfError(String what) {
        if (isError()) {
            throw new KernelException("netlink", errno(), what);
        }
    }

    /// The attributes behind the first `header` bytes of the payload.
    public NetlinkAttributes attributes(int header) {
        return NetlinkAttributes.of(payload, header, payload.length);
    }
}
