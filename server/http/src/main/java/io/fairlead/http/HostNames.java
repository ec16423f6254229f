package io.fairlead.http;

import io.fairlead.access.ServerNames;
import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NameValidation;
import io.fairlead.api.NameValidation.LetterCase;
import java.io.IOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Under which names and addresses clients may know this server.
final class HostNames {
    private static final Set<Ip> EVERY_ADDRESS = Set.of(Ip.parse("0.0.0.0"), Ip.parse("::"));

    private HostNames() {}

    static ServerNames of(ApiServerConfig config) {
        Set<Ip> addresses = new TreeSet<>();
        // The Service kubernetes has the first address of the range.
        config.serviceCidrs().stream().map(HostNames::first).forEach(addresses::add);
        config.advertised().stream().map(IpPort::ip).forEach(addresses::add);
        if (EVERY_ADDRESS.contains(config.bind().ip())) {
            addresses.addAll(ofThisMachine());
        } else {
            addresses.add(config.bind().ip());
        }
        return ServerNames.ofApiServer(hostName(), addresses);
    }

    private static Ip first(Cidr cidr) {
        return cidr.at(1);
    }

    private static Set<Ip> ofThisMachine() {
        Set<Ip> addresses = new TreeSet<>();
        try {
            NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLinkLocalAddress())
                    .forEach(address -> addresses.add(Ip.of(address.getAddress())));
        } catch (SocketException e) {
            throw new ApiServerException("the addresses of this machine cannot be listed", e);
        }
        return addresses;
    }

    /// From the kernel: the JDK would ask the DNS for our own address, and wait for it where there is none.
    private static List<String> hostName() {
        try {
            String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            return NameValidation.subdomain(LetterCase.ANY, name).isEmpty() ? List.of(name) : List.of();
        } catch (IOException _) {
            return List.of(); // a machine without a name is reached by its address
        }
    }
}
