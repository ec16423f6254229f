package io.fairlead.objects;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// One gzip member, strung together of pieces.
///
/// A member for each piece would be simpler, but many clients stop reading at the end of the first.
final class GzipMember {
    // Deflated, no name, no time, of no particular system.
    private static final byte[] HEAD = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
    private static final byte[] LAST_BLOCK = {3, 0};
    private static final int SUM_AND_LENGTH = 8;

    private final OutputStream out;
    private Checksum plain = Checksum.EMPTY;

    private GzipMember(OutputStream out) {
        this.out = out;
    }

    static GzipMember begin(OutputStream out) throws IOException {
        out.write(HEAD);
        return new GzipMember(out);
    }

    void write(Piece piece) throws IOException {
        out.write(piece.deflated());
        plain = plain.then(piece.plain());
    }

    void end() throws IOException {
        out.write(LAST_BLOCK);
        out.write(ByteBuffer.allocate(SUM_AND_LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(plain.crc())
                .putInt((int) plain.length())
                .array());
    }
}
