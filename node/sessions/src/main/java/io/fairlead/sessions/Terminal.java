package io.fairlead.sessions;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// How to talk to `terminal.pl`, which holds the streams of a program: the frames that it reads, and its command line.
public final class Terminal {
    private static final String PROGRAM = "terminal.pl";

    private Terminal() {}

    /// Puts the program into a folder, and gives its path.
    public static Path install(Path folder) {
        Path file = folder.resolve(PROGRAM);
        try (InputStream program = Terminal.class.getResourceAsStream(PROGRAM)) {
            if (program == null) {
                throw new IllegalStateException(PROGRAM + " is not in the jar");
            }
            Files.createDirectories(folder);
            Path draft = Files.createTempFile(folder, PROGRAM, "");
            Files.copy(program, draft, StandardCopyOption.REPLACE_EXISTING);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return file;
        } catch (IOException e) {
            throw new SessionException(500, "%s cannot be written: %s".formatted(file, e));
        }
    }

    /// The command line of a container whose streams clients can attach to at `socket`.
    public static List<String> command(Path program, boolean tty, boolean once, Path socket) {
        List<String> command = new ArrayList<>(List.of("/usr/bin/perl", program.toString()));
        if (tty) {
            command.add("--tty");
        }
        command.addAll(List.of("--socket", socket.toString()));
        if (once) {
            command.add("--once");
        }
        command.add("--");
        return command;
    }

    /// The command line of an `exec`, which talks over its standard streams.
    static List<String> command(Path program, boolean tty) {
        List<String> command = new ArrayList<>(List.of("/usr/bin/perl", program.toString()));
        if (tty) {
            command.add("--tty");
        }
        command.add("--");
        return command;
    }

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

    /// Copies what a program prints, as an attached client is told it, until its end.
    static void copyOutput(InputStream frames, OutputStream stdout, OutputStream stderr) throws IOException {
        DataInputStream in = new DataInputStream(frames);
        for (int letter = in.read(); letter >= 0; letter = in.read()) {
            byte[] bytes = in.readNBytes(in.readInt());
            OutputStream out = letter == 'e' ? stderr : stdout;
            out.write(bytes);
            out.flush();
        }
    }
}
