package io.fairlead.ebpf;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.ebpf.EbpfEntry.Element;
import io.fairlead.ebpf.EbpfEntry.Endpoint;
import io.fairlead.ebpf.EbpfEntry.Led;
import io.fairlead.ebpf.EbpfEntry.Local;
import io.fairlead.ebpf.EbpfEntry.Member;
import io.fairlead.ebpf.EbpfEntry.Name;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Elements as the bytes of keys and values, and back; `tables.h` says the same in C. Pure.
final class EbpfMessages {
    private static final int REFUSES = 1;
    private static final int LOCAL = 2;
    private static final int BY_TURNS = 4;
    private static final int TEXT = EbpfTable.Sizes.TEXT;

    private EbpfMessages() {}

    /// The keys of elements of one table, one after the other.
    static byte[] keys(EbpfTable table, List<? extends Element> elements) {
        byte[] all = new byte[elements.size() * table.keySize()];
        ByteBuffer bytes = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < elements.size(); i++) {
            bytes.position(i * table.keySize());
            putKey(elements.get(i), bytes);
        }
        return all;
    }

    /// The values of elements of one table, one after the other.
    static byte[] values(EbpfTable table, List<? extends Element> elements) {
        byte[] all = new byte[elements.size() * table.valueSize()];
        ByteBuffer bytes = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < elements.size(); i++) {
            bytes.position(i * table.valueSize());
            putValue(elements.get(i), bytes);
        }
        return all;
    }

    private static void putKey(Element element, ByteBuffer bytes) {
        switch (element) {
            case Led led -> putPlace(led.frontend(), bytes);
            case Name name -> putPlace(name.frontend(), bytes);
            case Endpoint(long set, int slot, var _) -> bytes.putLong(set).putInt(slot);
            case Member(long set, AddressKey target) -> putPlace(target, bytes.putLong(set));
            case Local(long set, Ip pod) -> putIp(pod, bytes.putLong(set));
        }
    }

    private static void putValue(Element element, ByteBuffer bytes) {
        switch (element) {
            case Led led -> bytes.putLong(led.set()).putInt(led.slots()).putInt(flags(led));
            case Endpoint endpoint -> putPlace(endpoint.target(), bytes);
            case Member _, Local _ -> bytes.putInt(1);
            case Name name -> bytes.put(text(name.service()));
        }
    }

    private static int flags(Led led) {
        return (led.refuses() ? REFUSES : 0) | (led.local() ? LOCAL : 0) | (led.byTurns() ? BY_TURNS : 0);
    }

    /// A name that is too long loses its end: it is for people, and for counters.
    private static byte[] text(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return bytes.length < TEXT ? bytes : Arrays.copyOf(bytes, TEXT - 1);
    }

    static Element decode(EbpfTable table, byte[] keyBytes, byte[] valueBytes) {
        ByteBuffer key = ByteBuffer.wrap(keyBytes).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer value = ByteBuffer.wrap(valueBytes).order(ByteOrder.LITTLE_ENDIAN);
        return switch (table) {
            case SERVICE -> led(place(key), value.getLong(), value.getInt(), value.getInt());
            case ENDPOINT -> new Endpoint(key.getLong(), key.getInt(), place(value));
            case MEMBER -> new Member(key.getLong(), place(key));
            case LOCAL -> new Local(key.getLong(), ip(key));
            case NAME -> new Name(place(key), text(valueBytes));
        };
    }

    private static Led led(AddressKey frontend, long set, int slots, int flags) {
        return new Led(frontend, set, slots, (flags & REFUSES) != 0, (flags & LOCAL) != 0, (flags & BY_TURNS) != 0);
    }

    private static String text(byte[] bytes) {
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    private static void putPlace(AddressKey place, ByteBuffer bytes) {
        putIp(place.at().ip(), bytes);
        bytes.put((byte) (place.at().port() >> 8)).put((byte) place.at().port());
        bytes.put((byte) place.protocol().number()).put((byte) 0);
    }

    /// The place that stands at the buffer's position.
    static AddressKey place(ByteBuffer bytes) {
        return findPlace(bytes).orElseThrow(() -> new IllegalArgumentException("a place without a protocol"));
    }

    /// The place that stands at the buffer's position; nothing if it is all zeros.
    static Optional<AddressKey> findPlace(ByteBuffer bytes) {
        Ip ip = ip(bytes);
        int port = (bytes.get() & 0xff) << 8 | (bytes.get() & 0xff);
        int number = bytes.get() & 0xff;
        bytes.get();
        return Arrays.stream(Protocol.values())
                .filter(known -> known.number() == number)
                .findFirst()
                .map(protocol -> new AddressKey(new IpPort(ip, port), protocol));
    }

    /// An IPv4 address stands as ::ffff:a.b.c.d.
    private static void putIp(Ip ip, ByteBuffer bytes) {
        if (ip.family() == Family.IPV4) {
            bytes.putLong(0).putShort((short) 0).putShort((short) -1);
        }
        bytes.put(ip.bytes());
    }

    private static Ip ip(ByteBuffer bytes) {
        byte[] all = new byte[16];
        bytes.get(all);
        boolean mapped = Arrays.equals(all, 0, 12, new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1}, 0, 12);
        return Ip.of(mapped ? Arrays.copyOfRange(all, 12, 16) : all);
    }
}
