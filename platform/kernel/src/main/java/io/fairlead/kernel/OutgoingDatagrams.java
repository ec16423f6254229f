package io.fairlead.kernel;

import static io.fairlead.kernel.DatagramBatch.CONTROL;
import static io.fairlead.kernel.DatagramBatch.CONTROL_LENGTH;
import static io.fairlead.kernel.DatagramBatch.CONTROL_SIZE;
import static io.fairlead.kernel.DatagramBatch.HEADER;
import static io.fairlead.kernel.DatagramBatch.NAME;
import static io.fairlead.kernel.DatagramBatch.NAME_LENGTH;
import static io.fairlead.kernel.DatagramBatch.NAME_SIZE;
import static io.fairlead.kernel.DatagramBatch.SIZE;
import static io.fairlead.kernel.DatagramBatch.STRIDE;
import static io.fairlead.kernel.DatagramBatch.VECTOR;
import static io.fairlead.kernel.DatagramBatch.VECTOR_LENGTH;
import static io.fairlead.kernel.DatagramBatch.VECTOR_SIZE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The answers to one batch of datagrams until they are sent.
///
/// Answers of one length to one client go through the kernel as one, which cuts them apart at the other end
/// (`UDP_SEGMENT`): most of what an answer costs is its way through the kernel.
final class OutgoingDatagrams {
    /// What every link carries whole; the kernel refuses larger pieces.
    private static final int LONGEST_PIECE = 1200;

    private static final int LONGEST_TOTAL = 65_000;
    private static final int SOL_UDP = 17;
    private static final int UDP_SEGMENT = 103;

    // struct cmsghdr: the length with the header, the level, the type, and the number of bytes of a piece
    private static final int PIECE_CONTROL = 24;
    private static final int PIECE_CONTROL_LENGTH = 18;

    /// The address of a sender, in the longer of both families.
    private static final int ADDRESS = 28;

    private static final int SENT = -1;

    private final int fd;
    private final MemorySegment names;
    private final @Nullable MemorySegment origins;
    private final MemorySegment headers;
    private final MemorySegment vectors;
    private final MemorySegment controls;
    private final MemorySegment bytes;
    private final int[] places = new int[SIZE];
    private final int[] lengths = new int[SIZE];
    private boolean inPieces = true;
    private int waiting;
    private int filled;

    /// `names` has the clients by place, `origins` how to answer from the address that was asked, where that is needed.
    OutgoingDatagrams(int fd, Arena arena, MemorySegment names, @Nullable MemorySegment origins) {
        this.fd = fd;
        this.names = names;
        this.origins = origins;
        this.headers = arena.allocate((long) SIZE * HEADER, 8);
        this.vectors = arena.allocate((long) SIZE * VECTOR_SIZE, 8);
        this.controls = arena.allocate((long) SIZE * (CONTROL_SIZE + PIECE_CONTROL), 8);
        this.bytes = arena.allocate((long) SIZE * STRIDE, 8);
    }

    /// Lays an answer to the client at a place ready.
    void add(int place, byte[] answer, int length) {
        MemorySegment.copy(answer, 0, bytes, JAVA_BYTE, (long) waiting * STRIDE, length);
        places[waiting] = place;
        lengths[waiting] = length;
        waiting++;
    }

    /// Sends all of them; what the kernel does not take is lost.
    void send() {
        int messages = 0;
        filled = 0;
        for (int i = 0; i < waiting; i++) {
            if (lengths[i] != SENT) {
                message(messages++, i);
            }
        }
        waiting = 0;
        int done = 0;
        while (done < messages) {
            int count = MessageCalls.trySendmmsg(fd, headers, (long) done * HEADER, messages - done, 0);
            if (count < 0) {
                sendAlone(done);
            }
            done += Math.max(1, count);
        }
    }

    /// Fills a message with an answer, and with those like it.
    private void message(int message, int first) {
        long at = (long) message * HEADER;
        int from = filled;
        int length = lengths[first];
        vector(first, length);
        if (inPieces && length <= LONGEST_PIECE) {
            int most = from + LONGEST_TOTAL / length;
            for (int i = first + 1; i < waiting && filled < most; i++) {
                if (lengths[i] == length && isSameClient(places[first], places[i])) {
                    vector(i, length);
                    lengths[i] = SENT;
                }
            }
        }
        int pieces = filled - from;
        headers.set(JAVA_LONG, at + NAME, names.address() + (long) places[first] * NAME_SIZE);
        headers.set(JAVA_INT, at + NAME_LENGTH, nameLength(places[first]));
        headers.set(JAVA_LONG, at + VECTOR, vectors.address() + (long) from * VECTOR_SIZE);
        headers.set(JAVA_LONG, at + VECTOR_LENGTH, pieces);
        control(message, places[first], pieces > 1 ? length : 0);
    }

    private void vector(int answer, int length) {
        vectors.set(JAVA_LONG, (long) filled * VECTOR_SIZE, bytes.address() + (long) answer * STRIDE);
        vectors.set(JAVA_LONG, (long) filled * VECTOR_SIZE + 8, length);
        filled++;
    }

    private int nameLength(int place) {
        boolean old = names.get(JAVA_SHORT, (long) place * NAME_SIZE) == SocketAddress.AF_INET;
        return old ? SocketAddress.INET_SIZE : SocketAddress.INET6_SIZE;
    }

    /// From which address, and in pieces of which length; 0 for one whole.
    private void control(int message, int place, int piece) {
        long at = (long) message * HEADER;
        long from = (long) message * (CONTROL_SIZE + PIECE_CONTROL);
        int length = 0;
        if (origins != null) {
            length = ((int) origins.get(JAVA_LONG, (long) place * CONTROL_SIZE) + 7) & -8; // cmsg_len, aligned
            MemorySegment.copy(origins, (long) place * CONTROL_SIZE, controls, from, length);
        }
        if (piece > 0) {
            controls.set(JAVA_LONG, from + length, PIECE_CONTROL_LENGTH);
            controls.set(JAVA_INT, from + length + 8, SOL_UDP);
            controls.set(JAVA_INT, from + length + 12, UDP_SEGMENT);
            controls.set(JAVA_SHORT, from + length + 16, (short) piece);
            length += PIECE_CONTROL;
        }
        headers.set(JAVA_LONG, at + CONTROL, controls.address() + from);
        headers.set(JAVA_LONG, at + CONTROL_LENGTH, length);
    }

    private boolean isSameClient(int one, int other) {
        return isSame(names, (long) one * NAME_SIZE, (long) other * NAME_SIZE, ADDRESS)
                && (origins == null
                        || isSame(origins, (long) one * CONTROL_SIZE, (long) other * CONTROL_SIZE, CONTROL_SIZE));
    }

    private static boolean isSame(MemorySegment all, long one, long other, int length) {
        int at = 0;
        for (; at + 8 <= length; at += 8) {
            if (all.get(JAVA_LONG, one + at) != all.get(JAVA_LONG, other + at)) {
                return false;
            }
        }
        return at == length || all.get(JAVA_INT, one + at) == all.get(JAVA_INT, other + at);
    }

    /// Sends the pieces of a message that the kernel refused one by one, and makes no such message any more: it, or the
    /// link, cannot cut them.
    private void sendAlone(int message) {
        long at = (long) message * HEADER;
        long pieces = headers.get(JAVA_LONG, at + VECTOR_LENGTH);
        if (pieces == 1) {
            return;
        }
        inPieces = false;
        long vector = headers.get(JAVA_LONG, at + VECTOR);
        headers.set(JAVA_LONG, at + VECTOR_LENGTH, 1);
        headers.set(JAVA_LONG, at + CONTROL_LENGTH, headers.get(JAVA_LONG, at + CONTROL_LENGTH) - PIECE_CONTROL);
        for (int i = 0; i < pieces; i++) {
            headers.set(JAVA_LONG, at + VECTOR, vector + (long) i * VECTOR_SIZE);
            MessageCalls.trySendmmsg(fd, headers, at, 1, 0);
        }
    }
}
