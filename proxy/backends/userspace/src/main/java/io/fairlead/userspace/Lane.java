package io.fairlead.userspace;

import io.fairlead.kernel.CopyBuffer;
import io.fairlead.kernel.Errno;
import io.fairlead.kernel.Pipe;
import io.fairlead.kernel.StreamSockets;
import org.jspecify.annotations.Nullable;

/// One direction of a relayed connection: what one socket receives, the other sends.
///
/// Small messages are copied through a buffer of the thread, two calls a message. A message that fills the buffer
/// makes the lane splice, through a pipe. What the reader does not take waits in a pipe, and nothing more is read:
/// so the sender is held back by its own socket. When the sender ends, the reader is told, and the other lane goes on.
final class Lane {
    /// How a turn ended.
    enum Turn {
        /// It waits for the next event.
        RESTS,
        /// It could go on, but others have a right to the thread too.
        TIRED,
        /// All was passed on, and the end too.
        DONE,
        /// One of the sockets is broken.
        BROKEN
    }

    private static final int MOST_ROUNDS = 16;

    final Connection connection;
    private int from = -1;
    private int to = -1;
    boolean readable;
    boolean writable;
    boolean hungUp;
    boolean waitsForPipe;
    boolean done;
    private boolean ended;
    private boolean bulk;
    private @Nullable Pipe pipe;

    Lane(Connection connection) {
        this.connection = connection;
    }

    /// Leads from one socket to another, which can take something now.
    void open(int from, int to) {
        this.from = from;
        this.to = to;
        this.writable = true;
    }

    /// Passes on what can be passed on now.
    Turn pass(CopyBuffer buffer, PipePool pipes) {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            if (done) {
                return Turn.DONE;
            }
            Turn turn = step(buffer, pipes);
            if (turn != Turn.TIRED) {
                return turn;
            }
        }
        return Turn.TIRED;
    }

    /// [Turn#TIRED] if there may be more to do at once.
    private Turn step(CopyBuffer buffer, PipePool pipes) {
        if (pipe != null && pipe.size() > 0) {
            return writable ? empty(pipe) : Turn.RESTS;
        }
        if (ended) {
            return end(pipes);
        }
        if (!readable || !writable) {
            release(pipes);
            return Turn.RESTS;
        }
        return bulk ? splice(pipes) : copy(buffer, pipes);
    }

    private Turn empty(Pipe full) {
        int given = full.emptyInto(to, false);
        if (given >= 0) {
            return Turn.TIRED;
        }
        writable = false;
        return given == -Errno.EAGAIN ? Turn.RESTS : Turn.BROKEN;
    }

    private Turn copy(CopyBuffer buffer, PipePool pipes) {
        if (pipes.isExhausted()) {
            pipes.await(this); // what the reader does not take would be lost
            return Turn.RESTS;
        }
        int read = buffer.fillFrom(from);
        if (read <= 0) {
            return nothingRead(read);
        }
        if (read == CopyBuffer.CAPACITY) {
            bulk = true;
        } else if (!hungUp) {
            readable = false; // the next message is told as an event
        }
        int sent = buffer.send(to, 0, read);
        if (sent == read) {
            return readable ? Turn.TIRED : Turn.RESTS;
        }
        if (sent < 0 && sent != -Errno.EAGAIN) {
            return Turn.BROKEN;
        }
        return store(buffer, pipes, Math.max(sent, 0), read);
    }

    private Turn store(CopyBuffer buffer, PipePool pipes, int first, int end) {
        writable = false;
        pipe = pipes.borrow();
        return pipe != null && buffer.store(pipe, first, end) == end - first ? Turn.RESTS : Turn.BROKEN;
    }

    private Turn splice(PipePool pipes) {
        if (pipe == null) {
            pipe = pipes.borrow();
            if (pipe == null) {
                pipes.await(this);
                return Turn.RESTS;
            }
        }
        int read = pipe.fillFrom(from);
        if (read > 0) {
            return Turn.TIRED;
        }
        bulk = false;
        return nothingRead(read);
    }

    private Turn nothingRead(int result) {
        if (result == 0) {
            ended = true;
            return Turn.TIRED;
        }
        if (result == -Errno.EAGAIN) {
            readable = false;
            return Turn.TIRED; // and so a pipe is given back
        }
        return Turn.BROKEN;
    }

    private Turn end(PipePool pipes) {
        release(pipes);
        done = true;
        if (!connection.isDone()) {
            StreamSockets.endOutput(to); // the last one is told by the close
        }
        return Turn.DONE;
    }

    /// Gives the pipe back.
    void release(PipePool pipes) {
        if (pipe != null) {
            pipes.giveBack(pipe);
            pipe = null;
        }
    }
}
