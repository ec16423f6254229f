package io.fairlead.commands;

import io.fairlead.kubectl.CommandException;
import io.fairlead.kubectl.Console;
import io.fairlead.resolver.DnsException;
import io.fairlead.resolver.PodDoor;
import io.fairlead.sync.ProxyCleanup;
import java.util.stream.Collectors;

/// What `--cleanup` of the proxy and of a node does: every rule of every mode goes from this machine, and the user
/// reads what it was.
final class RulesCleanup {
    private RulesCleanup() {}

    static void run(Console console) {
        ProxyCleanup.Report report = ProxyCleanup.removeAll();
        report.removed().forEach(rules -> console.println("removed the rules of " + rules));
        if (!report.failed().isEmpty()) {
            throw new CommandException(report.failed().stream()
                    .map(failure -> "error: --cleanup: " + failure)
                    .collect(Collectors.joining("\n")));
        }
        boolean door = removeDoor();
        if (door) {
            console.println("removed the rules of node DNS");
        }
        if (report.removed().isEmpty() && !door) {
            console.println("no rules to remove");
        }
    }

    /// What a node's server of names left, unless it runs.
    private static boolean removeDoor() {
        try {
            return PodDoor.remove();
        } catch (DnsException e) {
            throw new CommandException("error: --cleanup: node DNS: " + e.getMessage(), e);
        }
    }
}
