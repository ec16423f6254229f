package io.fairlead.streams;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/// How the channels of a WebSocket are written into its messages, as the sub-protocol says that a client and a server
/// agree on.
///
/// `base64`: the channel is a digit and the rest is base64, for clients that know texts alone. `tellsStatus`: the
/// server sends the end of a command as a Status; before version 4 it sent only a failure, in words.
public record ChannelForm(boolean base64, boolean tellsStatus) {
    /// All sub-protocols of commands, the best first.
    public static final List<String> COMMANDS = List.of(
            "v5.channel.k8s.io",
            "v4.channel.k8s.io",
            "v4.base64.channel.k8s.io",
            "channel.k8s.io",
            "base64.channel.k8s.io");

    static final ChannelForm BINARY = new ChannelForm(false, true);

    /// The form of a sub-protocol; that of a client that names none is the first there was.
    public static ChannelForm of(String protocol) {
        return new ChannelForm(protocol.contains("base64"), protocol.startsWith("v4") || protocol.startsWith("v5"));
    }

    /// The message as its channel and its bytes.
    byte[] read(byte[] message) throws IOException {
        if (!base64 || message.length == 0) {
            return message;
        }
        try {
            String text = new String(message, 1, message.length - 1, StandardCharsets.ISO_8859_1);
            return joined(message[0] - '0', Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            throw new IOException("a message that is not base64", e);
        }
    }

    /// Sends bytes on a channel.
    void write(WebSocket socket, int channel, byte[] bytes) throws IOException {
        if (base64) {
            byte[] text = Base64.getEncoder().encode(bytes);
            socket.writeText(joined('0' + channel, text));
        } else {
            socket.write(joined(channel, bytes));
        }
    }

    private static byte[] joined(int first, byte[] rest) {
        byte[] message = new byte[1 + rest.length];
        message[0] = (byte) first;
        System.arraycopy(rest, 0, message, 1, rest.length);
        return message;
    }
}
