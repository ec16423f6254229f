package io.fairlead.kernel;

/// Messages to one subsystem of netfilter that the kernel takes as one transaction: all or none. Pure: bytes only.
///
/// The messages are numbered; the mark that begins the batch has the number 1.
public final class NetfilterBatch {
    /// The length of struct nfgenmsg, which stands before the attributes of every message.
    public static final int HEADER = 4;

    private static final int BEGIN = 0x10;
    private static final int END = 0x11;

    private final int subsystem;
    private final NetlinkWriter writer = new NetlinkWriter();
    private boolean ended;

    public NetfilterBatch(int subsystem) {
        this.subsystem = subsystem;
        writer.message(BEGIN, 0, header(0, subsystem));
    }

    /// A single request, outside of a batch.
    public static NetlinkWriter request(int subsystem, int type, int flags, int family) {
        return new NetlinkWriter().message(subsystem << 8 | type, flags, header(family, 0));
    }

    /// Begins a message; its attributes are written to what this gives.
    public NetlinkWriter message(int type, int flags, int family) {
        if (ended) {
            throw new IllegalStateException("the batch has ended");
        }
        return writer.message(subsystem << 8 | type, flags, header(family, 0));
    }

    /// The number of the message that was begun last.
    public int sequence() {
        return writer.sequence();
    }

    /// Ends the batch, and gives all of it.
    public byte[] toBytes() {
        if (!ended) {
            writer.message(END, 0, header(0, subsystem));
            ended = true;
        }
        return writer.toBytes();
    }

    /// struct nfgenmsg: family, version, and 16 bits in network byte order
    private static byte[] header(int family, int resource) {
        return new byte[] {(byte) family, 0, (byte) (resource >>> 8), (byte) resource};
    }
}
