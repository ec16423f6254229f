package io.fairlead.resolver;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import java.util.List;
import java.util.Optional;

/// The servers that an `/etc/resolv.conf` names.
public final class ResolvConf {
    private static final int PORT = 53;

    private ResolvConf() {}

    /// Without those of `own`, where we answer ourselves: to ask them would go round for ever.
    public static List<IpPort> servers(String text, List<Ip> own) {
        return text.lines()
                .map(line -> line.strip().split("\\s+", -1))
                .filter(words -> words.length > 1 && words[0].equals("nameserver"))
                .map(words -> Ip.find(words[1].replaceAll("%.*", "")))
                .flatMap(Optional::stream)
                .filter(ip -> !own.contains(ip))
                .map(ip -> new IpPort(ip, PORT))
                .distinct()
                .toList();
    }
}
