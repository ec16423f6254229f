package io.fairlead.ebpf;

import io.fairlead.kernel.BpfObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The programs that the build made of `src/main/bpf`, and a short name for exactly these.
record EbpfObject(BpfObject content, String version) {
    private static final String FILE = "connect.o";
    private static final int VERSION_BYTES = 4;

    /// Read at the first use: it is part of this program, and never another.
    private static final class Shipped {
        private static final EbpfObject OBJECT = of(read());

        private static byte[] read() {
            try (InputStream in = EbpfObject.class.getResourceAsStream(FILE)) {
                if (in == null) {
                    throw new IllegalStateException(FILE + " is missing: it was not built");
                }
                return in.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + FILE, e);
            }
        }
    }

    static EbpfObject shipped() {
        return Shipped.OBJECT;
    }

    static EbpfObject of(byte[] file) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(file);
            return new EbpfObject(BpfObject.parse(file), HexFormat.of().formatHex(digest, 0, VERSION_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
