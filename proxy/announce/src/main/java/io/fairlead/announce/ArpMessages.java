package io.fairlead.announce;

import io.fairlead.api.Ip;
import io.fairlead.kernel.PacketSocket;
import io.fairlead.kernel.SocketFilter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// ARP (RFC 826), with the announcements of RFC 5227.
final class ArpMessages implements NeighbourProtocol {
    private static final int LENGTH = 42;
    private static final int ETHERNET = 1;
    private static final int IPV4 = 0x0800;
    private static final int REQUEST = 1;
    private static final int REPLY = 2;

    @Override
    public int number() {
        return PacketSocket.ARP;
    }

    @Override
    public SocketFilter filter() {
        return SocketFilter.ALL;
    }

    /// As a request and as a reply: there are hosts that listen to one of them only.
    @Override
    public List<byte[]> announcement(HardwareAddress own, Ip address) {
        HardwareAddress all = HardwareAddress.BROADCAST;
        return List.of(
                frame(all, REQUEST, new Party(own, address), new Party(HardwareAddress.NONE, address)),
                frame(all, REPLY, new Party(own, address), new Party(all, address)));
    }

    @Override
    public byte[] answer(HardwareAddress own, Heard.Question question) {
        Party asker = new Party(question.from(), question.asker());
        return frame(question.from(), REPLY, new Party(own, question.address()), asker);
    }

    @Override
    public Optional<Heard> parse(byte[] frame) {
        ByteBuffer in = ByteBuffer.wrap(frame);
        if (frame.length < LENGTH
                || in.getShort(12) != (short) PacketSocket.ARP
                || in.getShort(14) != ETHERNET
                || in.getShort(16) != IPV4
                || in.getShort(18) != 0x0604) { // the lengths of both addresses
            return Optional.empty();
        }
        HardwareAddress sender = HardwareAddress.of(Arrays.copyOfRange(frame, 22, 28));
        Ip senderIp = Ip.of(Arrays.copyOfRange(frame, 28, 32));
        Ip target = Ip.of(Arrays.copyOfRange(frame, 38, 42));
        return switch (in.getShort(20)) {
            case REQUEST ->
                Optional.of(
                        senderIp.equals(target)
                                ? new Heard.Claim(target, sender)
                                : new Heard.Question(target, sender, senderIp));
            case REPLY -> Optional.of(new Heard.Claim(senderIp, sender));
            default -> Optional.empty();
        };
    }

    /// One of the two that an ARP packet speaks of.
    private record Party(HardwareAddress hardware, Ip ip) {}

    private static byte[] frame(HardwareAddress to, int operation, Party sender, Party target) {
        return ByteBuffer.allocate(LENGTH)
                .put(to.bytes())
                .put(sender.hardware().bytes())
                .putShort((short) PacketSocket.ARP)
                .putShort((short) ETHERNET)
                .putShort((short) IPV4)
                .put((byte) 6)
                .put((byte) 4)
                .putShort((short) operation)
                .put(sender.hardware().bytes())
                .put(sender.ip().bytes())
                .put(target.hardware().bytes())
                .put(target.ip().bytes())
                .array();
    }
}
