package io.fairlead.nginx;

import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// A server of names that has one address for every name, for a second.
final class NameServer implements AutoCloseable {
    private static final int HEADER = 12;
    private static final short ANSWER = (short) 0x8180;
    private static final short TYPE_A = 1;
    private static final short CLASS_IN = 1;
    private static final short FIRST_NAME = (short) 0xc00c;

    private final DatagramSocket socket;
    private final TaskGroup tasks = new TaskGroup("names");
    private volatile String address;

    NameServer(int port, String address) throws IOException {
        this.socket = new DatagramSocket(port, InetAddress.getLoopbackAddress());
        this.address = address;
        tasks.run("names", () -> {
            while (true) {
                DatagramPacket packet = new DatagramPacket(new byte[512], 512);
                socket.receive(packet);
                byte[] answer = answer(Arrays.copyOf(packet.getData(), packet.getLength()));
                socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            }
        });
    }

    void move(String to) {
        address = to;
    }

    /// The question again, and behind it the address if it was asked for.
    private byte[] answer(byte[] question) {
        ByteBuffer given = ByteBuffer.wrap(question);
        int end = HEADER;
        while (question[end] != 0) {
            end += question[end] + 1;
        }
        short type = given.getShort(end + 1);
        int length = end + 5;
        boolean known = type == TYPE_A;
        ByteBuffer answer = ByteBuffer.allocate(length + 16).put(question, 0, length);
        answer.putShort(2, ANSWER).putShort(4, (short) 1).putShort(6, (short) (known ? 1 : 0));
        answer.putInt(8, 0);
        if (known) {
            answer.putShort(FIRST_NAME).putShort(TYPE_A).putShort(CLASS_IN).putInt(1);
            answer.putShort((short) 4).put(InetAddress.ofLiteral(address).getAddress());
        }
        return Arrays.copyOf(answer.array(), answer.position());
    }

    @Override
    public void close() {
        socket.close();
        tasks.close();
    }
}
