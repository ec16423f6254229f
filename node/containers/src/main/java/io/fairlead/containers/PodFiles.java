package io.fairlead.containers;

import io.fairlead.api.Ip;
import io.fairlead.api.Pod;
import io.fairlead.api.PodSurroundings;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The files by which a pod knows its own name and finds others: `/etc/hostname`, `/etc/hosts`, `/etc/resolv.conf`.
/// Pure.
///
/// `nameServers` are the cluster's; `hostResolv` is what the node itself has in `/etc/resolv.conf`.
public record PodFiles(Pod pod, String nodeName, String domain, List<Ip> nameServers, String hostResolv) {
    private static final int LONGEST_HOSTNAME = 63;
    private static final int MOST_SERVERS = 3;
    private static final int MOST_SEARCHES = 32;

    /// A pod on the node's network has the node's name.
    String hostname() {
        return hostname(pod, nodeName);
    }

    public static String hostname(Pod pod, String nodeName) {
        if (pod.spec().hostNetwork()) {
            return nodeName;
        }
        String own =
                pod.spec().hostname().isEmpty() ? pod.key().name() : pod.spec().hostname();
        return own.substring(0, Math.min(own.length(), LONGEST_HOSTNAME));
    }

    String hosts(List<Ip> addresses) {
        // Clients tell by the first line whether a file is the pod's own.
        List<String> lines = new ArrayList<>(List.of(
                pod.spec().hostNetwork()
                        ? "# Kubernetes-managed hosts file (host network)."
                        : "# Kubernetes-managed hosts file.",
                "127.0.0.1\tlocalhost",
                "::1\tlocalhost ip6-localhost ip6-loopback",
                "fe00::0\tip6-localnet",
                "fe00::0\tip6-mcastprefix",
                "fe00::1\tip6-allnodes",
                "fe00::2\tip6-allrouters"));
        addresses.forEach(ip -> lines.add(ip + "\t" + names()));
        pod.spec()
                .surroundings()
                .hostAliases()
                .forEach(alias -> lines.add(alias.ip() + "\t" + String.join("\t", alias.names())));
        return String.join("\n", lines) + "\n";
    }

    private String names() {
        String subdomain = pod.spec().subdomain();
        return subdomain.isEmpty()
                ? hostname()
                : "%s.%s.%s.svc.%s\t%s"
                        .formatted(hostname(), subdomain, pod.key().namespace(), domain, hostname());
    }

    String resolvConf() {
        PodSurroundings.Dns dns = pod.spec().surroundings().dns();
        boolean cluster = usesCluster(dns.policy());
        boolean own = dns.policy().equals("None");
        Set<String> servers = new LinkedHashSet<>();
        Set<String> searches = new LinkedHashSet<>();
        Set<String> options = new LinkedHashSet<>();
        if (cluster) {
            nameServers.forEach(ip -> servers.add(ip.toString()));
            searches.addAll(List.of(pod.key().namespace() + ".svc." + domain, "svc." + domain, domain));
            options.add("ndots:5");
        } else if (!own) {
            servers.addAll(hostWords("nameserver"));
            options.addAll(hostWords("options"));
        }
        if (!own) {
            searches.addAll(hostWords("search"));
        }
        servers.addAll(dns.nameservers());
        searches.addAll(dns.searches());
        return text(servers, searches, merged(options, dns.options()));
    }

    /// Without a name server of the cluster there is only the node's.
    private boolean usesCluster(String policy) {
        boolean wanted = policy.equals("ClusterFirstWithHostNet")
                || (policy.equals("ClusterFirst") && !pod.spec().hostNetwork());
        return wanted && !nameServers.isEmpty();
    }

    /// An option of the pod takes the place of one of the same name.
    private static Set<String> merged(Set<String> options, List<String> own) {
        Set<String> all = new LinkedHashSet<>(options);
        own.forEach(option -> all.removeIf(other -> name(other).equals(name(option))));
        all.addAll(own);
        return all;
    }

    private static String name(String option) {
        return option.split(":", 2)[0];
    }

    private static String text(Set<String> servers, Set<String> searches, Set<String> options) {
        StringBuilder text = new StringBuilder();
        if (!searches.isEmpty()) {
            text.append("search ")
                    .append(String.join(
                            " ", searches.stream().limit(MOST_SEARCHES).toList()))
                    .append('\n');
        }
        servers.stream()
                .limit(MOST_SERVERS)
                .forEach(s -> text.append("nameserver ").append(s).append('\n'));
        if (!options.isEmpty()) {
            text.append("options ").append(String.join(" ", options)).append('\n');
        }
        return text.toString();
    }

    private List<String> hostWords(String keyword) {
        return hostResolv
                .lines()
                .map(line -> line.strip().split("\\s+", -1))
                .filter(words -> words[0].equals(keyword))
                .flatMap(words -> Stream.of(words).skip(1))
                .toList();
    }
}
