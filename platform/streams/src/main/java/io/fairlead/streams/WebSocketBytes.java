package io.fairlead.streams;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/// A WebSocket that is used as a plain connection: where one message ends and the next begins means nothing.
public final class WebSocketBytes {
    private WebSocketBytes() {}

    public static Duplex of(WebSocket socket) {
        return of(socket, false);
    }

    /// With `base64` what is sent is text, for clients that know texts alone.
    public static Duplex of(WebSocket socket, boolean base64) {
        return new Duplex(new Input(socket), new Output(socket, base64));
    }

    private static final class Input extends InputStream {
        private final WebSocket socket;
        private byte[] message = new byte[0];
        private int at;

        Input(WebSocket socket) {
            this.socket = socket;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            while (at == message.length) {
                Optional<WebSocket.Piece> next = socket.next();
                if (next.isEmpty()) {
                    return -1;
                }
                message = next.get().bytes();
                at = 0;
            }
            int count = Math.min(length, message.length - at);
            System.arraycopy(message, at, into, offset, count);
            at += count;
            return count;
        }
    }

    private static final class Output extends OutputStream {
        private final WebSocket socket;
        private final boolean base64;

        Output(WebSocket socket, boolean base64) {
            this.socket = socket;
            this.base64 = base64;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            byte[] bytes = Arrays.copyOfRange(from, offset, offset + length);
            if (base64) {
                socket.writeText(Base64.getEncoder().encode(bytes));
            } else {
                socket.write(bytes);
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
