package io.fairlead.resolver;

import io.fairlead.runtime.TaskGroup;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/// Asks for the addresses of one name without pause, and keeps how many each answer had; -1 for one that failed.
final class Asking implements AutoCloseable {
    private final TaskGroup tasks = new TaskGroup("asking");
    private final Set<Integer> counts = ConcurrentHashMap.newKeySet();
    private final AtomicInteger questions = new AtomicInteger();

    Asking(String name) {
        Name asked = Name.fromConstantString(name + ".");
        tasks.runOnPlatformThread("questions", () -> {
            try (DatagramSocket socket = new DatagramSocket()) {
                socket.connect(InetAddress.getLoopbackAddress(), 53);
                socket.setSoTimeout(2000);
                while (!Thread.interrupted()) {
                    byte[] question = Message.newQuery(Record.newRecord(asked, Type.A, DClass.IN))
                            .toWire();
                    socket.send(new DatagramPacket(question, question.length));
                    DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
                    socket.receive(packet);
                    Message answer = new Message(Arrays.copyOf(packet.getData(), packet.getLength()));
                    counts.add(
                            answer.getRcode() == 0
                                    ? answer.getSection(Section.ANSWER).size()
                                    : -1);
                    questions.incrementAndGet();
                }
            }
        });
    }

    Set<Integer> counts() {
        return counts;
    }

    int questions() {
        return questions.get();
    }

    @Override
    public void close() {
        tasks.close();
    }
}
