package io.fairlead.api;

/// An address and a port; prints as `10.0.0.1:80` or `[fd00::1]:80`.
public record IpPort(Ip ip, int port) implements Comparable<IpPort> {
    public IpPort {
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("not a port: " + port);
        }
    }

    public static IpPort parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("not an address and port: " + text);
        }
        String ip = text.substring(0, colon);
        if (ip.startsWith("[") && ip.endsWith("]")) {
            ip = ip.substring(1, ip.length() - 1);
        }
        return new IpPort(Ip.parse(ip), Integer.parseInt(text.substring(colon + 1)));
    }

    @Override
    public int compareTo(IpPort other) {
        int byIp = ip.compareTo(other.ip);
        return byIp != 0 ? byIp : Integer.compare(port, other.port);
    }

    @Override
    public String toString() {
        return ip.family() == Family.IPV4 ? ip + ":" + port : "[" + ip + "]:" + port;
    }
}
