package io.fairlead.objects;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// A part of a text, deflated by itself: it ends on a whole byte and refers to nothing before it, so that pieces in any
/// row are one stream.
record Piece(byte[] deflated, Checksum plain) {
    private static final int MOST_STORED = 0xFFFF;
    private static final int STORED_HEAD = 5;

    /// A text as it is, for one that is too short to deflate.
    static Piece stored(byte[] text) {
        if (text.length > MOST_STORED) {
            throw new IllegalArgumentException("a stored block has at most 65,535 bytes, not " + text.length);
        }
        byte[] block = ByteBuffer.allocate(STORED_HEAD + text.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 0) // not the last block, and stored
                .putShort((short) text.length)
                .putShort((short) ~text.length)
                .put(text)
                .array();
        return new Piece(block, Checksum.of(text));
    }
}
