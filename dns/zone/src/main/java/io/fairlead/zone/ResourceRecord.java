package io.fairlead.zone;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One record of the Internet class; its content as it goes over the wire, names in it without compression.
public record ResourceRecord(Name owner, int type, int ttl, byte[] content) {

    public static ResourceRecord of(Name owner, int ttl, Ip address) {
        return new ResourceRecord(
                owner, address.family() == Family.IPV4 ? RecordType.A : RecordType.AAAA, ttl, address.bytes());
    }

    /// A record whose content is one name: CNAME, PTR, NS.
    public static ResourceRecord of(Name owner, int type, int ttl, Name target) {
        return new ResourceRecord(owner, type, ttl, target.bytes());
    }

    static ResourceRecord srv(Name owner, int ttl, int weight, int port, Name target) {
        byte[] content = new byte[6 + target.length()];
        Wire.putShort(content, 2, weight);
        Wire.putShort(content, 4, port);
        target.write(content, 6);
        return new ResourceRecord(owner, RecordType.SRV, ttl, content);
    }

    static ResourceRecord txt(Name owner, int ttl, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] content = new byte[bytes.length + 1];
        content[0] = (byte) bytes.length;
        System.arraycopy(bytes, 0, content, 1, bytes.length);
        return new ResourceRecord(owner, RecordType.TXT, ttl, content);
    }

    static ResourceRecord soa(Name owner, int ttl, Name server, Name mailbox, int[] numbers) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.writeBytes(server.bytes());
        content.writeBytes(mailbox.bytes());
        byte[] tail = new byte[20];
        for (int i = 0; i < 5; i++) {
            Wire.putInt(tail, 4 * i, numbers[i]);
        }
        content.writeBytes(tail);
        return new ResourceRecord(owner, RecordType.SOA, ttl, content.toByteArray());
    }

    public ResourceRecord withTtl(int other) {
        return new ResourceRecord(owner, type, other, content);
    }

    public ResourceRecord withOwner(Name other) {
        return new ResourceRecord(other, type, ttl, content);
    }

    /// The name that a CNAME, PTR or NS leads to.
    public Name target() {
        return Name.of(content, 0, content.length);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ResourceRecord that
                && type == that.type
                && ttl == that.ttl
                && owner.equals(that.owner)
                && Arrays.equals(content, that.content);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * owner.hashCode() + type) + Arrays.hashCode(content);
    }

    /// As a line of a zone file.
    @Override
    public String toString() {
        return "%s %d IN %s %s".formatted(owner, ttl, RecordType.text(type), RecordText.content(this));
    }
}
