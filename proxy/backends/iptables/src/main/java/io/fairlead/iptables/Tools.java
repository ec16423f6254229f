package io.fairlead.iptables;

import io.fairlead.api.Family;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.KernelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The programs that speak to one packet filter: `iptables-nft-restore` and its siblings.
///
/// @param infix what stands in the middle of their names; empty where a machine has only one kind
record Tools(Variant variant, String infix) {
    /// Chains that the kubelet and we leave in the table mangle: where they are is where Kubernetes lives.
    private static final List<String> HINTS =
            List.of(":KUBE-IPTABLES-HINT ", ":KUBE-KUBELET-CANARY ", ":KUBE-PROXY-CANARY ");

    private static final String LOCK_SECONDS = "5";

    /// The tools of the packet filter that this machine uses: where others of Kubernetes have left their hints, or else
    /// what plain `iptables` is. Nothing if there are none.
    static Optional<Tools> find() {
        return Arrays.stream(Variant.values())
                .flatMap(variant -> find(variant).stream())
                .filter(Tools::isHinted)
                .findFirst()
                .or(Tools::usual);
    }

    /// The tools of one packet filter.
    static Optional<Tools> find(Variant variant) {
        Tools named = new Tools(variant, "-" + variant);
        return named.version().isEmpty() ? usual().filter(tools -> tools.variant() == variant) : Optional.of(named);
    }

    private static Optional<Tools> usual() {
        String version = new Tools(Variant.NFT, "").version();
        return version.isEmpty()
                ? Optional.empty()
                : Optional.of(new Tools(version.contains("nf_tables") ? Variant.NFT : Variant.LEGACY, ""));
    }

    /// What is there, in the words of `iptables-save`: the tables that exist, or only one of them.
    Command.Result save(Family family, String... arguments) {
        return run(family, "-save", List.of(arguments), "");
    }

    /// The rules of one chain with what their counters show, each in one line.
    Command.Result list(Family family, Table table, String chain) {
        return run(family, "", List.of("-w", LOCK_SECONDS, "-t", table.toString(), "-v", "-S", chain), "");
    }

    /// Makes one transaction.
    Command.Result restore(IptablesText.Section section) {
        return run(section.family(), "-restore", List.of("--noflush", "-w", LOCK_SECONDS), section.text());
    }

    /// `iptables v1.8.9 (nf_tables)`, or empty if it is not there.
    String version() {
        try {
            return run(Family.IPV4, "", List.of("--version"), "").output().strip();
        } catch (KernelException e) {
            return "";
        }
    }

    private boolean isHinted() {
        // Not with a table's name in the old filter: to look at a table there makes it.
        String saved = (variant == Variant.NFT ? save(Family.IPV4, "-t", "mangle") : save(Family.IPV4)).output();
        return HINTS.stream().anyMatch(saved::contains);
    }

    private Command.Result run(Family family, String suffix, List<String> arguments, String input) {
        List<String> words = new ArrayList<>();
        words.add((family == Family.IPV4 ? "iptables" : "ip6tables") + infix + suffix);
        words.addAll(arguments);
        return Command.run(words, input);
    }

    @Override
    public String toString() {
        return "iptables" + infix + " (" + variant + ")";
    }
}
