package io.fairlead.kernel;

import io.fairlead.kernel.BpfCall.Command;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Optional;

/// The attachment of a program to a control group; it ends when neither this object nor a pin holds it.
public final class BpfLink implements AutoCloseable {
    private static final int INFO_SIZE = 32;

    private final int fd;
    private final String subject;

    private BpfLink(int fd, String subject) {
        this.fd = fd;
        this.subject = subject;
    }

    public static BpfLink attach(BpfProgram program, BpfHook hook, ControlGroup group) {
        String subject = "%s to %s".formatted(hook, group.path());
        int folder = group.open();
        try (BpfCall call = new BpfCall(Command.LINK_CREATE)) {
            int fd = call.with(0, program.fd())
                    .with(4, folder)
                    .with(8, hook.attachType())
                    .check(subject);
            return new BpfLink(fd, subject);
        } finally {
            FileCalls.close(subject, folder);
        }
    }

    public static Optional<BpfLink> find(Path pinned) {
        try {
            return Optional.of(new BpfLink(BpfCall.openPinned(pinned.toString()), pinned.toString()));
        } catch (KernelException e) {
            if (e.is(Errno.ENOENT)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    public void pin(Path path) {
        BpfCall.pin(fd, path.toString());
    }

    /// Puts another program in the place of the one that runs, without a moment between.
    public void replace(BpfProgram program) {
        try (BpfCall call = new BpfCall(Command.LINK_UPDATE)) {
            call.with(0, fd).with(4, program.fd()).check(subject);
        }
    }

    /// The program stops to run there, also if the link is pinned.
    public void detach() {
        try (BpfCall call = new BpfCall(Command.LINK_DETACH)) {
            call.with(0, fd).check(subject);
        }
    }

    /// The number of the control group it is attached to; 0 once it is not: detached, or the group is gone.
    public long group() {
        return ByteBuffer.wrap(BpfCall.info(fd, INFO_SIZE, subject))
                .order(ByteOrder.nativeOrder())
                .getLong(16);
    }

    @Override
    public void close() {
        FileCalls.close(subject, fd);
    }
}
