package io.fairlead.resolver;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.zone.Name;
import java.util.Arrays;
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

    /// The domains that it has names searched in; of several such lines the last counts.
    public static List<Name> domains(String text) {
        List<Name> domains = List.of();
        for (String line : text.lines().toList()) {
            List<String> words = Arrays.asList(line.strip().split("\\s+", -1));
            if (words.getFirst().equals("search")) {
                domains = words.stream()
                        .skip(1)
                        .flatMap(word -> Name.find(word).stream())
                        .filter(name -> !name.equals(Name.ROOT))
                        .toList();
            }
        }
        return domains;
    }
}
