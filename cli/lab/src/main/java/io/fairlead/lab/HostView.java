package io.fairlead.lab;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.io.IOException;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;

/// What this machine's own network has before a cluster is built: the blocks it has routes to, and its addresses.
public record HostView(List<Taken> routes, List<Taken> addresses) {

    /// A block of addresses, and the link that has it.
    public record Taken(Cidr block, String link) {}

    public HostView {
        routes = List.copyOf(routes);
        addresses = List.copyOf(addresses);
    }

    public static HostView read() {
        try {
            List<Taken> routes = new ArrayList<>(lines("/proc/thread-self/net/route", 1, HostView::route4));
            routes.addAll(lines("/proc/thread-self/net/ipv6_route", 0, HostView::route6));
            return new HostView(routes, readAddresses());
        } catch (IOException e) {
            throw new LabException("this machine's routes and addresses cannot be read", e);
        }
    }

    /// A line of `/proc/net/route`: the numbers are hexadecimal words in the machine's byte order.
    public static Taken route4(String line) {
        String[] field = line.trim().split("\\s+", -1);
        Ip network = new Ip(Family.IPV4, 0, word(field[1]));
        return new Taken(new Cidr(network, Long.bitCount(word(field[7]))), field[0]);
    }

    /// A line of `/proc/net/ipv6_route`: the numbers are hexadecimal bytes as on the wire.
    public static Taken route6(String line) {
        String[] field = line.trim().split("\\s+", -1);
        Ip network = Ip.of(HexFormat.of().parseHex(field[0]));
        return new Taken(new Cidr(network, Integer.parseInt(field[1], 16)), field[9]);
    }

    private static long word(String hex) {
        int word = Integer.parseUnsignedInt(hex, 16);
        boolean little = java.nio.ByteOrder.nativeOrder().equals(java.nio.ByteOrder.LITTLE_ENDIAN);
        return Integer.toUnsignedLong(little ? Integer.reverseBytes(word) : word);
    }

    private static List<Taken> lines(String file, int skip, Function<String, Taken> parse) throws IOException {
        Path path = Path.of(file);
        return Files.exists(path)
                ? Files.readAllLines(path).stream().skip(skip).map(parse).toList()
                : List.of();
    }

    private static List<Taken> readAddresses() throws IOException {
        List<Taken> addresses = new ArrayList<>();
        for (NetworkInterface link : NetworkInterface.networkInterfaces().toList()) {
            for (InterfaceAddress address : link.getInterfaceAddresses()) {
                Ip ip = Ip.of(address.getAddress().getAddress());
                addresses.add(new Taken(new Cidr(ip, ip.family().bits()), link.getName()));
            }
        }
        return addresses;
    }
}
