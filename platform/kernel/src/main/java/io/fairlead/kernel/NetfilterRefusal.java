package io.fairlead.kernel;

/// Why the kernel did not take a batch: which message, which error, and where in the message.
///
/// `offset` is that of the attribute at fault, counted from the message's header; 0 if the kernel does not tell.
/// `reason` is the kernel's own sentence; often empty.
public record NetfilterRefusal(int sequence, int errno, int offset, String reason) {
    // struct nlmsgerr: the error, then the header of the message at fault. The socket asks not to have the rest back.
    private static final int ERROR_HEADER = 4 + 16;
    private static final int ATTR_MSG = 1;
    private static final int ATTR_OFFS = 2;

    static NetfilterRefusal of(NetlinkMessage error) {
        NetlinkAttributes attributes = error.attributes(Math.min(ERROR_HEADER, error.payload().length));
        return new NetfilterRefusal(
                error.sequence(), error.errno(), attributes.u32(ATTR_OFFS), attributes.text(ATTR_MSG));
    }

    @Override
    public String toString() {
        return reason.isEmpty() ? Errno.text(errno) : "%s: %s".formatted(Errno.text(errno), reason);
    }
}
