package io.fairlead.iptables;

import io.fairlead.api.Family;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.KernelException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Finds the tools of this machine, and reads what they print.
final class ToolsReader {
    /// Chains that the kubelet and we leave in the table mangle: where they are is where Kubernetes lives.
    private static final List<String> HINTS =
            List.of(":KUBE-IPTABLES-HINT ", ":KUBE-KUBELET-CANARY ", ":KUBE-PROXY-CANARY ");

    private ToolsReader() {}

    /// The tools of the packet filter that this machine uses: where others of Kubernetes have left their hints, or else
    /// what plain `iptables` is. Nothing if there are none.
    static Optional<Tools> find() {
        return Arrays.stream(Variant.values())
                .flatMap(variant -> find(variant).stream())
                .filter(ToolsReader::isHinted)
                .findFirst()
                .or(ToolsReader::usual);
    }

    /// The tools of one packet filter.
    static Optional<Tools> find(Variant variant) {
        Tools named = new Tools(variant, "-" + variant);
        return version(named).isEmpty() ? usual().filter(tools -> tools.variant() == variant) : Optional.of(named);
    }

    private static Optional<Tools> usual() {
        String version = version(new Tools(Variant.NFT, ""));
        return version.isEmpty()
                ? Optional.empty()
                : Optional.of(new Tools(version.contains("nf_tables") ? Variant.NFT : Variant.LEGACY, ""));
    }

    /// `iptables v1.8.9 (nf_tables)`, or empty if it is not there.
    private static String version(Tools tools) {
        try {
            return read(tools.version()).output().strip();
        } catch (KernelException e) {
            return "";
        }
    }

    private static boolean isHinted(Tools tools) {
        // Not with a table's name in the old filter: to look at a table there makes it.
        List<String> save = tools.variant() == Variant.NFT
                ? tools.save(Family.IPV4, "-t", Table.MANGLE.toString())
                : tools.save(Family.IPV4);
        String saved = read(save).output();
        return HINTS.stream().anyMatch(saved::contains);
    }

    /// Runs a tool that changes nothing.
    static Command.Result read(List<String> command) {
        return Command.run(command, "");
    }
}
