package io.fairlead.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.charset.StandardCharsets;

/// How large a table of the old packet filter is (the one before nf_tables), as the kernel tells without listing it.
///
/// @param rules how many rules it has, with those that end its chains
/// @param bytes how much they take
public record LegacyTable(int rules, int bytes) {
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOCK_RAW_CLOEXEC = 3 | 0x80000;
    private static final int IPPROTO_RAW = 255;
    private static final int SOL_IP = 0;
    private static final int SOL_IPV6 = 41;
    /// IPT_SO_GET_INFO, and IP6T_SO_GET_INFO.
    private static final int GET_INFO = 64;

    /// struct ipt_getinfo, and ip6t_getinfo
    static final StructLayout GETINFO = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(32, JAVA_BYTE).withName("name"),
            JAVA_INT.withName("valid_hooks"),
            MemoryLayout.sequenceLayout(5, JAVA_INT).withName("hook_entry"),
            MemoryLayout.sequenceLayout(5, JAVA_INT).withName("underflow"),
            JAVA_INT.withName("num_entries"),
            JAVA_INT.withName("size"));

    private static final long NUM_ENTRIES = GETINFO.byteOffset(MemoryLayout.PathElement.groupElement("num_entries"));
    private static final long SIZE = GETINFO.byteOffset(MemoryLayout.PathElement.groupElement("size"));

    /// A table of IPv4 in the calling thread's network namespace.
    public static LegacyTable ofIpv4(String name) {
        return read(AF_INET, SOL_IP, name);
    }

    /// A table of IPv6 in the calling thread's network namespace.
    public static LegacyTable ofIpv6(String name) {
        return read(AF_INET6, SOL_IPV6, name);
    }

    private static LegacyTable read(int family, int level, String name) {
        int fd = SocketCalls.socket("raw", family, SOCK_RAW_CLOEXEC, IPPROTO_RAW);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment table = arena.allocate(GETINFO);
            MemorySegment.copy(name.getBytes(StandardCharsets.US_ASCII), 0, table, JAVA_BYTE, 0, name.length());
            MemorySegment length = arena.allocateFrom(JAVA_INT, (int) GETINFO.byteSize());
            SocketCalls.getsockopt("table " + name, fd, level, GET_INFO, table, length);
            return new LegacyTable(table.get(JAVA_INT, NUM_ENTRIES), table.get(JAVA_INT, SIZE));
        } finally {
            FileCalls.close("raw", fd);
        }
    }
}
