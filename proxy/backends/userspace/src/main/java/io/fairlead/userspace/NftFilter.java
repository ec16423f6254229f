package io.fairlead.userspace;

import io.fairlead.api.Family;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Support;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.KernelException;
import io.fairlead.userspace.UserspaceEntry.Gate;
import io.fairlead.userspace.UserspaceEntry.Portal;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Rules in a table of nftables, written by `nft`; each change is one transaction.
final class NftFilter implements PacketFilter {
    @Override
    public Support support() {
        try {
            Gate gate = new Gate(Family.IPV4, new LocalPods.Unknown(), List.of(), List.of());
            Command.Result result = Command.run(
                    List.of("nft", "--check", "--file", "-"), new NftText(new Anywhere()).replace(gate, List.of()));
            return result.succeeded()
                    ? new Support.Supported()
                    : new Support.Unsupported(
                            "nft refuses it: " + result.errors().strip());
        } catch (KernelException e) {
            return new Support.Unsupported("nft cannot be run: " + e.getMessage());
        }
    }

    /// Where nothing is led yet.
    private static final class Anywhere implements Ports {
        @Override
        public int tcp(Family family, boolean inside) {
            return 1;
        }

        @Override
        public int udp(Portal.Key portal) {
            return 1;
        }
    }

    @Override
    public boolean isPresent(Family family) {
        return has(family, NftText.TABLE);
    }

    private static boolean has(Family family, String name) {
        String table = "table %s %s".formatted(NftText.name(family), name);
        return run(List.of("nft", "list", "tables"), "").lines().anyMatch(table::equals);
    }

    @Override
    public String listing() {
        return Arrays.stream(Family.values())
                .filter(this::isPresent)
                .map(family ->
                        run(List.of("nft", "--stateless", "list", "table", NftText.name(family), NftText.TABLE), ""))
                .collect(Collectors.joining());
    }

    @Override
    public void replace(Collection<UserspaceEntry> entries, Ports ports) {
        NftText text = new NftText(ports);
        String gates = entries.stream()
                .filter(Gate.class::isInstance)
                .map(gate -> text.replace((Gate) gate, entries))
                .collect(Collectors.joining());
        write(gates);
    }

    @Override
    public void change(Patch<UserspaceEntry> patch, Collection<UserspaceEntry> after, Ports ports) {
        if (NftText.isOfElements(patch)) {
            write(new NftText(ports).change(patch));
        } else {
            replace(after, ports);
        }
    }

    @Override
    public void clear() {
        write(inBoth(NftText::clear) + inBoth(NftText::forget));
    }

    @Override
    public void release() {
        write(inBoth(NftText::release));
    }

    @Override
    public boolean isReleased(Family family) {
        return has(family, NftText.RELEASED);
    }

    @Override
    public void forget() {
        write(inBoth(NftText::forget));
    }

    private static String inBoth(Function<Family, String> text) {
        return Arrays.stream(Family.values()).map(text).collect(Collectors.joining());
    }

    private static void write(String text) {
        if (!text.isEmpty()) {
            run(List.of("nft", "--file", "-"), text);
        }
    }

    private static String run(List<String> words, String input) {
        Command.Result result;
        try {
            result = Command.run(words, input);
        } catch (KernelException e) {
            throw new ApplyException("nft cannot be run", e);
        }
        if (!result.succeeded()) {
            throw new ApplyException("nft: " + result.errors().strip());
        }
        return result.output();
    }
}
