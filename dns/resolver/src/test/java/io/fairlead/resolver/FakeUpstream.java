package io.fairlead.resolver;

import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

/// A server elsewhere: answers what the test tells it to, and remembers what it was asked.
final class FakeUpstream implements AutoCloseable {
    private final DatagramSocket socket;
    private final TaskGroup tasks = new TaskGroup("upstream");
    private final List<String> asked = new CopyOnWriteArrayList<>();

    FakeUpstream(int port, Function<Message, Message> answers) throws IOException {
        this.socket = new DatagramSocket(port, InetAddress.getLoopbackAddress());
        tasks.runOnPlatformThread("answers", () -> {
            try {
                while (true) {
                    DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
                    socket.receive(packet);
                    Message question = new Message(Arrays.copyOf(packet.getData(), packet.getLength()));
                    if (question.getQuestion().getType() != Type.HINFO) { // which looks for loops
                        asked.add(question.getQuestion().getName().toString());
                    }
                    byte[] answer = answers.apply(question).toWire();
                    socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            } catch (IOException e) {
                throw new InterruptedException(e.getMessage());
            }
        });
    }

    List<String> asked() {
        return asked;
    }

    @Override
    public void close() {
        socket.close();
        tasks.close();
    }
}
