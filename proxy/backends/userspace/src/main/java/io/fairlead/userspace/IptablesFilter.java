package io.fairlead.userspace;

import io.fairlead.api.Family;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Support;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.KernelException;
import io.fairlead.userspace.UserspaceEntry.Gate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Rules in the chains of the documents, written by `iptables-restore`: where there is no nftables. Every change writes
/// all of them; a table changes at one moment.
final class IptablesFilter implements PacketFilter {
    /// A built-in chain, and the one of ours that it leads to.
    private record Hook(String table, String from, String to) {
        List<String> words(String verb) {
            return List.of("-w", "-t", table, verb, from, "-m", "comment", "--comment", "fairlead portals", "-j", to);
        }
    }

    private static final List<Hook> HOOKS = List.of(
            new Hook("nat", "PREROUTING", PortalRules.CONTAINER),
            new Hook("nat", "OUTPUT", PortalRules.HOST),
            new Hook("filter", "INPUT", PortalRules.FILTER),
            new Hook("filter", "FORWARD", PortalRules.FILTER),
            new Hook("filter", "OUTPUT", PortalRules.FILTER_HOST));

    private static final String RELEASED = "KUBE-PORTALS-RELEASED";

    private final String suffix;

    /// With the tools of this ending: `-legacy`, `-nft`, or none for those that the machine prefers.
    IptablesFilter(String suffix) {
        this.suffix = suffix;
    }

    @Override
    public Support support() {
        try {
            Command.Result result = Command.run(List.of(tool(Family.IPV4, ""), "-w", "-t", "nat", "-S"), "");
            return result.succeeded()
                    ? new Support.Supported()
                    : new Support.Unsupported(
                            "iptables refuses: " + result.errors().strip());
        } catch (KernelException e) {
            return new Support.Unsupported("iptables cannot be run: " + e.getMessage());
        }
    }

    private String tool(Family family, String verb) {
        return (family == Family.IPV4 ? "iptables" : "ip6tables") + suffix + verb;
    }

    @Override
    public boolean isPresent(Family family) {
        return run(List.of(tool(family, "-save"), "-t", "nat"), "")
                .lines()
                .anyMatch(line -> line.startsWith(":" + PortalRules.CONTAINER));
    }

    @Override
    public String listing() {
        return Arrays.stream(Family.values())
                .flatMap(family -> run(List.of(tool(family, "-save")), "")
                        .lines()
                        .filter(line -> line.startsWith("-A ") && line.contains(PortalRules.PREFIX))
                        .map(line -> family + " " + line))
                .collect(Collectors.joining("\n"));
    }

    @Override
    public void replace(Collection<UserspaceEntry> entries, Ports ports) {
        for (UserspaceEntry entry : entries) {
            if (entry instanceof Gate gate) {
                restore(gate, entries, ports);
                HOOKS.forEach(hook -> hang(gate.family(), hook));
            }
        }
    }

    @Override
    public void change(Patch<UserspaceEntry> patch, Collection<UserspaceEntry> after, Ports ports) {
        for (UserspaceEntry entry : after) {
            if (entry instanceof Gate gate) {
                restore(gate, after, ports);
            }
        }
    }

    private void restore(Gate gate, Collection<UserspaceEntry> entries, Ports ports) {
        run(List.of(tool(gate.family(), "-restore"), "-w", "--noflush"), PortalRules.text(gate, entries, ports));
    }

    private void hang(Family family, Hook hook) {
        if (!Command.run(words(family, hook.words("-C")), "").succeeded()) {
            run(words(family, hook.words("-I")), "");
        }
    }

    @Override
    public void clear() {
        forget();
        removeRules();
    }

    private void removeRules() {
        for (Family family : Family.values()) {
            if (!isPresent(family)) {
                continue;
            }
            for (Hook hook : HOOKS) {
                while (Command.run(words(family, hook.words("-D")), "").succeeded()) {
                    // once more: it may be there twice
                }
            }
            run(
                    List.of(tool(family, "-restore"), "-w", "--noflush"),
                    empty("nat", PortalRules.CONTAINER, PortalRules.HOST)
                            + empty("filter", PortalRules.FILTER, PortalRules.FILTER_HOST));
        }
    }

    /// A chain that no rule leads to: its one rule asks about connections, and so the kernel goes on tracking them.
    @Override
    public void release() {
        for (Family family : Family.values()) {
            run(
                    List.of(tool(family, "-restore"), "-w", "--noflush"),
                    "*nat\n:%1$s - [0:0]\n-A %1$s -m conntrack --ctstate NEW -j RETURN\nCOMMIT\n".formatted(RELEASED));
        }
        removeRules();
    }

    @Override
    public boolean isReleased(Family family) {
        return run(List.of(tool(family, "-save"), "-t", "nat"), "")
                .lines()
                .anyMatch(line -> line.startsWith(":" + RELEASED));
    }

    @Override
    public void forget() {
        for (Family family : Family.values()) {
            if (isReleased(family)) {
                run(
                        List.of(tool(family, "-restore"), "-w", "--noflush"),
                        "*nat\n:%1$s - [0:0]\n-X %1$s\nCOMMIT\n".formatted(RELEASED));
            }
        }
    }

    private static String empty(String table, String first, String second) {
        return "*%1$s\n:%2$s - [0:0]\n:%3$s - [0:0]\n-X %2$s\n-X %3$s\nCOMMIT\n".formatted(table, first, second);
    }

    private List<String> words(Family family, List<String> rest) {
        return Stream.concat(Stream.of(tool(family, "")), rest.stream()).toList();
    }

    private static String run(List<String> words, String input) {
        Command.Result result;
        try {
            result = Command.run(words, input);
        } catch (KernelException e) {
            throw new ApplyException(words.getFirst() + " cannot be run", e);
        }
        if (!result.succeeded()) {
            throw new ApplyException(
                    "%s: %s".formatted(words.getFirst(), result.errors().strip()));
        }
        return result.output();
    }
}
