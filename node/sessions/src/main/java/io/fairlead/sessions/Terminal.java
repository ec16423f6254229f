package io.fairlead.sessions;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;

/// How to talk to a keeper, which holds the streams of a program: the frames that it reads and writes.
final class Terminal {
    /// What a program prints at once comes in smaller ones: a larger one is none.
    private static final int LONGEST_FRAME = 1 << 20;

    private Terminal() {}

    /// Sends frames to the program; two threads may, one for the input and one for the sizes.
    static final class Frames {
        private final DataOutputStream out;
        private final ReentrantLock lock = new ReentrantLock();

        Frames(OutputStream out) {
            this.out = new DataOutputStream(out);
        }

        void input(byte[] bytes, int length) throws IOException {
            send('i', bytes, length);
        }

        void endOfInput() throws IOException {
            send('c', new byte[0], 0);
        }

        void size(int columns, int rows) throws IOException {
            byte[] text = (columns + " " + rows).getBytes(StandardCharsets.US_ASCII);
            send('w', text, text.length);
        }

        private void send(char letter, byte[] bytes, int length) throws IOException {
            lock.lock();
            try {
                out.writeByte(letter);
                out.writeInt(length);
                out.write(bytes, 0, length);
                out.flush();
            } finally {
                lock.unlock();
            }
        }
    }

    /// Copies what a program prints, as an attached client gets it, until its end.
    static void copyOutput(InputStream frames, OutputStream stdout, OutputStream stderr) throws IOException {
        DataInputStream in = new DataInputStream(frames);
        for (int letter = in.read(); letter >= 0; letter = in.read()) {
            int length = in.readInt();
            if (length < 0 || length > LONGEST_FRAME) {
                throw new IOException("a frame of %d bytes".formatted(length));
            }
            byte[] bytes = in.readNBytes(length);
            OutputStream out = letter == 'e' ? stderr : stdout;
            out.write(bytes);
            out.flush();
        }
    }
}
