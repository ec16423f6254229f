package io.fairlead.objects;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Pieces of lists, compressed once for all who ask for the same objects in the same row.
///
/// A piece is found by the very objects it was made of, so it is never out of date: a changed object is another one.
/// The pieces asked for last are kept, up to a number of bytes.
public final class ListPieces {
    // What an entry takes beside its bytes, about.
    private static final int ENTRY = 256;

    private final long most;
    private final ReentrantLock lock = new ReentrantLock();
    // Under the lock, and in the order in which they were asked for.
    private final Map<Row, Slot> kept = new LinkedHashMap<>(16, 0.75f, true);
    private long size;

    public ListPieces(long most) {
        this.most = most;
    }

    /// Keeps nothing: for objects that are made anew for each answer.
    public static ListPieces none() {
        return new ListPieces(0);
    }

    /// How many bytes are kept, at most those that were allowed.
    long size() {
        lock.lock();
        try {
            return size;
        } finally {
            lock.unlock();
        }
    }

    /// The piece of these objects. Who asks first makes it, outside of the lock; the others wait for that and not for
    /// more, as making it waits for no other thread.
    Piece of(List<ApiObject> run, PieceMaker maker) throws InterruptedException {
        Row row = Row.of(run);
        Slot mine = new Slot(new FutureTask<>(() -> maker.make(run)));
        Slot slot = findOrKeep(row, mine);
        if (slot == mine) {
            mine.task.run();
            settle(row, mine);
        }
        try {
            return slot.task.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a piece of a list could not be compressed", e.getCause());
        }
    }

    private Slot findOrKeep(Row row, Slot mine) {
        lock.lock();
        try {
            Slot there = kept.putIfAbsent(row, mine);
            return there == null ? mine : there;
        } finally {
            lock.unlock();
        }
    }

    /// Counts what was made, and lets go of the oldest for it.
    private void settle(Row row, Slot made) {
        lock.lock();
        try {
            if (kept.get(row) != made) {
                return; // it had to go before it was there
            }
            if (made.task.state() != Future.State.SUCCESS) {
                kept.remove(row);
                return;
            }
            made.weight = ENTRY
                    + row.numbers.length * Long.BYTES
                    + made.task.resultNow().deflated().length;
            size += made.weight;
            Iterator<Slot> oldest = kept.values().iterator();
            while (size > most && oldest.hasNext()) {
                size -= oldest.next().weight;
                oldest.remove();
            }
        } finally {
            lock.unlock();
        }
    }

    /// A piece that is there or is being made; only those that are there weigh.
    private static final class Slot {
        private final FutureTask<Piece> task;
        private int weight; // under the lock

        private Slot(FutureTask<Piece> task) {
            this.task = task;
        }
    }

    /// Objects in a row, by their numbers: the objects themselves may go while the piece is still here.
    private static final class Row {
        private final long[] numbers;
        private final int hash;

        private Row(long[] numbers) {
            this.numbers = numbers;
            this.hash = Arrays.hashCode(numbers);
        }

        static Row of(List<ApiObject> run) {
            long[] numbers = new long[run.size()];
            Arrays.setAll(numbers, i -> run.get(i).number());
            return new Row(numbers);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Row row && Arrays.equals(numbers, row.numbers);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
