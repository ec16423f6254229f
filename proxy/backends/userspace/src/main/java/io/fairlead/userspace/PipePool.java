package io.fairlead.userspace;

import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.Pipe;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// The pipes of one thread: a lane borrows one while it has bytes that its reader does not take, or many of them.
final class PipePool implements AutoCloseable {
    private static final int MOST_IDLE = 64;

    private final int most;
    private final Deque<Pipe> idle = new ArrayDeque<>();
    private final Deque<Lane> waiting = new ArrayDeque<>();
    private int open;

    PipePool(int most) {
        this.most = most;
    }

    boolean isExhausted() {
        return idle.isEmpty() && open >= most;
    }

    /// An empty pipe, or none where all are in use.
    @Nullable
    Pipe borrow() {
        Pipe pipe = idle.poll();
        if (pipe != null || open >= most) {
            return pipe;
        }
        try {
            pipe = Pipe.open();
        } catch (KernelException _) {
            return null; // the machine has no more descriptors: as if all were in use
        }
        open++;
        return pipe;
    }

    /// A pipe with something inside is of no use to another.
    void giveBack(Pipe pipe) {
        if (pipe.size() > 0 || idle.size() >= MOST_IDLE) {
            pipe.close();
            open--;
        } else {
            idle.push(pipe);
        }
    }

    /// Remembers a lane that needs a pipe.
    void await(Lane lane) {
        if (!lane.waitsForPipe) {
            lane.waitsForPipe = true;
            waiting.add(lane);
        }
    }

    /// The lane that waits longest, if there is a pipe for it now.
    @Nullable
    Lane next() {
        Lane lane = isExhausted() ? null : waiting.poll();
        if (lane != null) {
            lane.waitsForPipe = false;
        }
        return lane;
    }

    int inUse() {
        return open - idle.size();
    }

    @Override
    public void close() {
        idle.forEach(Pipe::close);
        idle.clear();
    }
}
