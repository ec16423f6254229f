package io.fairlead.ipvs;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Protocol;
import io.fairlead.ipvs.IpvsEntry.AddressSet;
import io.fairlead.ipvs.IpvsEntry.Member;
import io.fairlead.ipvs.SetName.Shape;
import io.fairlead.kernel.NetlinkAttributes;
import io.fairlead.kernel.NetlinkAttributes.Attribute;
import io.fairlead.kernel.NetlinkWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Sets and their members as the messages of ipset, and back. Pure.
final class SetMessages {
    /// How many bytes stand before the attributes.
    static final int HEADER = 4;

    private static final int SUBSYSTEM = 6 << 8;
    private static final int CREATE = SUBSYSTEM | 2;
    private static final int DESTROY = SUBSYSTEM | 3;
    private static final int LIST = SUBSYSTEM | 7;
    private static final int ADD = SUBSYSTEM | 9;
    private static final int REMOVE = SUBSYSTEM | 10;
    private static final int BIG_ENDIAN = 0x4000;
    private static final int SPEECH = 6;
    private static final int MOST_MEMBERS = 1 << 20;
    private static final int WITH_COMMENTS = 1 << 4;
    private static final int WITH_MARKS = 1 << 6;

    private static final int PROTOCOL = 1;
    private static final int NAME = 2;
    private static final int TYPE = 3;
    private static final int REVISION = 4;
    private static final int FAMILY = 5;
    private static final int CONTENT = 7;
    private static final int MEMBERS = 8;

    private static final int ADDRESS = 1;
    private static final int PREFIX = 3;
    private static final int PORT = 4;
    private static final int LAST_PORT = 5;
    private static final int TRANSPORT = 7;
    private static final int FLAGS = 8;
    private static final int LINE = 9;
    private static final int LIMIT = 19;
    private static final int SOURCE = 20;
    private static final int SOURCE_PREFIX = 21;
    private static final int COMMENT = 26;
    private static final int MARK = 27;

    private SetMessages() {}

    static void create(NetlinkWriter writer, AddressSet set) {
        Shape shape = set.name().kind().shape();
        boolean ports = shape == Shape.PORT;
        begin(writer, CREATE, NetlinkWriter.CREATE | NetlinkWriter.EXCLUSIVE, set.name())
                .text(TYPE, shape.type())
                .u8(REVISION, revision(shape))
                .u8(FAMILY, ports ? 0 : number(set.name().family()))
                .open(CONTENT);
        if (ports) {
            writer.be16(PORT | BIG_ENDIAN, 0).be16(LAST_PORT | BIG_ENDIAN, 0xffff);
        } else {
            writer.be32(LIMIT | BIG_ENDIAN, MOST_MEMBERS);
        }
        int flags = (set.name().kind().isFrontend() ? WITH_COMMENTS : 0)
                | (set.name().kind().marks() ? WITH_MARKS : 0);
        if (flags != 0) {
            writer.be32(FLAGS | BIG_ENDIAN, flags);
        }
        writer.close();
    }

    static void destroy(NetlinkWriter writer, AddressSet set) {
        begin(writer, DESTROY, 0, set.name());
    }

    /// One that is there already gets the mark and the comment of this one.
    static void add(NetlinkWriter writer, Member member) {
        begin(writer, ADD, 0, member.set()).open(CONTENT);
        element(writer, member.set(), member.element());
        if (!member.comment().isEmpty()) {
            writer.text(COMMENT, member.comment());
        }
        if (member.mark() != 0) {
            writer.be64(MARK | BIG_ENDIAN, (long) member.mark() << 32 | 0xffff_ffffL);
        }
        writer.be32(LINE | BIG_ENDIAN, 0).close();
    }

    static void remove(NetlinkWriter writer, Member member) {
        begin(writer, REMOVE, NetlinkWriter.EXCLUSIVE, member.set()).open(CONTENT);
        element(writer, member.set(), member.element());
        writer.be32(LINE | BIG_ENDIAN, 0).close();
    }

    /// Asks for all sets there are.
    static byte[] list() {
        return new NetlinkWriter()
                .message(LIST, NetlinkWriter.DUMP, new byte[] {2, 0, 0, 0})
                .u8(PROTOCOL, SPEECH)
                .toBytes();
    }

    /// What one message of the list tells: a set of ours, and some of its members; nothing for those of others.
    static Stream<IpvsEntry> entries(NetlinkAttributes message) {
        Optional<SetName> name = SetName.find(message.text(NAME));
        return name.stream()
                .flatMap(set -> Stream.concat(
                        Stream.of(new AddressSet(set)),
                        message.nested(MEMBERS).all().stream()
                                .filter(attribute -> attribute.type() == CONTENT)
                                .map(Attribute::nested)
                                .map(content -> member(set, content))));
    }

    private static NetlinkWriter begin(NetlinkWriter writer, int type, int flags, SetName set) {
        return writer.message(type, flags, (byte) number(set.family()), (byte) 0, (byte) 0, (byte) 0)
                .u8(PROTOCOL, SPEECH)
                .text(NAME, set.toString());
    }

    private static void element(NetlinkWriter writer, SetName set, Element element) {
        element.address().ifPresent(network -> {
            address(writer, ADDRESS, network.network());
            if (set.kind().shape() == Shape.NETWORK_PORT) {
                writer.u8(PREFIX, network.prefix());
            }
        });
        if (element.port() > 0) {
            writer.be16(PORT | BIG_ENDIAN, element.port());
        }
        element.protocol().ifPresent(protocol -> writer.u8(TRANSPORT, protocol.number()));
        element.source().ifPresent(network -> {
            address(writer, SOURCE, network.network());
            if (set.kind().shape() == Shape.ADDRESS_PORT_NETWORK) {
                writer.u8(SOURCE_PREFIX, network.prefix());
            }
        });
    }

    private static void address(NetlinkWriter writer, int type, Ip ip) {
        writer.open(type)
                .bytes((ip.family() == Family.IPV4 ? 1 : 2) | BIG_ENDIAN, ip.bytes())
                .close();
    }

    private static Member member(SetName set, NetlinkAttributes content) {
        Optional<Protocol> protocol = content.find(TRANSPORT)
                .flatMap(number -> Arrays.stream(Protocol.values())
                        .filter(known -> known.number() == (number[0] & 0xff))
                        .findFirst());
        int port = content.find(PORT)
                .map(value -> ByteBuffer.wrap(value).getShort() & 0xffff)
                .orElse(0);
        Element element =
                new Element(network(content, ADDRESS, PREFIX), protocol, port, network(content, SOURCE, SOURCE_PREFIX));
        return new Member(set, element, (int) (content.be64(MARK) >>> 32), content.text(COMMENT));
    }

    private static Optional<Cidr> network(NetlinkAttributes content, int address, int prefix) {
        List<Attribute> inside = content.nested(address).all();
        return inside.stream()
                .map(attribute -> Ip.of(attribute.value()))
                .map(ip -> new Cidr(
                        ip,
                        content.find(prefix)
                                .map(value -> value[0] & 0xff)
                                .orElse(ip.family().bits())))
                .findFirst();
    }

    /// The first that can give marks.
    private static int revision(Shape shape) {
        return switch (shape) {
            case PORT -> 3;
            case ADDRESS -> 4;
            case ADDRESS_PORT, ADDRESS_PORT_ADDRESS -> 5;
            case ADDRESS_PORT_NETWORK, NETWORK_PORT -> 7;
        };
    }

    private static int number(Family family) {
        return family == Family.IPV4 ? 2 : 10;
    }
}
