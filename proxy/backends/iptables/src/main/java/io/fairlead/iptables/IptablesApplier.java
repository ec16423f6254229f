package io.fairlead.iptables;

import io.fairlead.api.Family;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;
import io.fairlead.iptables.IptablesText.Section;
import io.fairlead.iptables.IptablesText.Stages;
import io.fairlead.iptables.PacketCount.Subject;
import io.fairlead.iptables.SavedTables.Found;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.KernelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes patches with `iptables-restore --noflush`, and reads back with `iptables-save`, in the network namespace of
/// the calling thread.
///
/// A table of a family is a transaction of its own, behind those of chains that are filled ahead. If one is refused,
/// those before it are taken back.
final class IptablesApplier {
    private static final Logger LOG = LoggerFactory.getLogger(IptablesApplier.class);
    private static final Path LIBERAL = Path.of("/proc/sys/net/netfilter/nf_conntrack_tcp_be_liberal");
    private static final Pattern LINE = Pattern.compile("line:? (\\d+)");

    private final Optional<Tools> tools;
    private final RouteLocalnetApplier routeLocalnet = new RouteLocalnetApplier();
    private final Objections objections;
    private final Traits traits;
    private final RuleTally tally;
    private @Nullable Fingerprint known;
    private boolean told;
    private Set<ChainKey> usedByOthers = Set.of(); // when we last looked

    IptablesApplier(Optional<Tools> tools) {
        this.tools = tools;
        boolean randomFully =
                tools.isEmpty() || objection(tools.get(), Family.IPV4, true).isEmpty();
        this.objections = Objections.of(family -> objection(tools, family, randomFully));
        List<Family> families = objections.usable();
        boolean routesLocalnet = families.contains(Family.IPV4)
                && tools.map(routeLocalnet::wasOn).orElse(false);
        this.traits = new Traits(families, randomFully, isLiberal(), routesLocalnet);
        this.tally = new RuleTally(families);
    }

    /// Why a family cannot be programmed here; empty if it can.
    private static String objection(Optional<Tools> tools, Family family, boolean randomFully) {
        return tools.map(found -> objection(found, family, randomFully)).orElse("iptables-restore is not installed");
    }

    private static String objection(Tools tools, Family family, boolean randomFully) {
        for (Table table : Table.values()) {
            try {
                Command.Result result = restore(tools, SupportProbe.section(family, table, randomFully));
                if (!result.succeeded()) {
                    return "%s refused rules of table %s: %s"
                            .formatted(tools, table, result.errors().strip().replace('\n', ' '));
                }
            } catch (KernelException e) {
                return String.valueOf(e.getMessage());
            }
        }
        return "";
    }

    private static Command.Result restore(Tools tools, Section section) {
        return Command.run(tools.restore(section.family()), section.text());
    }

    Traits traits() {
        return traits;
    }

    Support support() {
        String objection = objections.to(Family.IPV4);
        return objection.isEmpty() ? new Support.Supported() : new Support.Unsupported(objection);
    }

    Program<IptablesEntry> observe() {
        tellWhatIsLeftOut();
        try {
            Fingerprint before = fingerprint();
            List<IptablesEntry> entries = new ArrayList<>();
            Set<ChainKey> used = new HashSet<>();
            for (Family family : traits.families()) {
                Command.Result saved = ToolsReader.read(tools().save(family));
                if (!saved.succeeded()) {
                    throw new ApplyException("%s cannot tell what is there: %s".formatted(tools(), saved.errors()));
                }
                Found found = IptablesText.parse(family, saved.output());
                entries.addAll(found.entries());
                used.addAll(found.usedByOthers());
            }
            entries.addAll(routeLocalnet.observe(entries));
            known = before;
            usedByOthers = Set.copyOf(used);
            tally.found(entries);
            return Program.of(entries);
        } catch (KernelException e) {
            throw new ApplyException("%s cannot tell what is there".formatted(tools()), e);
        }
    }

    /// Once, and only where there is something to do: a mode that is merely tried says nothing.
    private void tellWhatIsLeftOut() {
        if (!told) {
            told = true;
            objections.notes().forEach(LOG::warn);
        }
    }

    void apply(Patch<IptablesEntry> patch) {
        if (patch.isEmpty()) {
            return;
        }
        try {
            routeLocalnet.before(patch);
            Fingerprint before = fingerprint();
            int transactions = write(patch);
            tally.applied(patch);
            routeLocalnet.after(patch);
            Fingerprint after = fingerprint();
            boolean alone = (known == null || known.equals(before))
                    && before.leadsTo(after, transactions, Growth.of(patch, usedByOthers));
            known = alone ? after : before;
        } catch (KernelException e) {
            throw new ApplyException("a change of %d entries failed".formatted(patch.size()), e);
        }
    }

    List<TableRules> rules() {
        return tally.rules();
    }

    /// What the counters of Services and endpoints show. It reads the whole table nat: for those who ask now and then.
    List<ConnectionCount> connections() {
        return traits.families().stream()
                .flatMap(family ->
                        CounterText.connections(
                                family, counters(tools().save(family, "-c", "-t", Table.NAT.toString())))
                                .stream())
                .toList();
    }

    List<PacketCount> packets(Subject subject) {
        return traits.families().stream()
                .flatMap(family -> CounterText.packets(words(subject), list(family, subject)).stream()
                        .mapToObj(packets -> new PacketCount(family, subject, packets)))
                .toList();
    }

    private String list(Family family, Subject subject) {
        return counters(
                switch (subject) {
                    case INVALID_DROPPED -> tools().list(family, Table.FILTER, ChainNames.FORWARD);
                    case LOCALHOST_ACCEPTED -> tools().list(family, Table.NAT, ChainNames.POSTROUTING);
                });
    }

    private static String words(Subject subject) {
        return switch (subject) {
            case INVALID_DROPPED -> Foundation.INVALID;
            case LOCALHOST_ACCEPTED -> Foundation.LOCALHOST;
        };
    }

    private String counters(List<String> command) {
        try {
            Command.Result result = ToolsReader.read(command);
            if (!result.succeeded()) {
                throw new ApplyException("%s does not show its counters: %s".formatted(tools(), result.errors()));
            }
            return result.output();
        } catch (KernelException e) {
            throw new ApplyException("%s does not show its counters".formatted(tools()), e);
        }
    }

    /// Whether another program changed something since we last looked.
    boolean drifted() {
        try {
            return known != null && !known.equals(fingerprint());
        } catch (KernelException e) {
            throw new ApplyException("the packet filter does not tell whether it changed", e);
        }
    }

    /// Gives how many transactions that took.
    private int write(Patch<IptablesEntry> patch) {
        int most = tools().variant().pieces();
        Stages stages = Stages.of(patch, most);
        List<Section> ahead = IptablesText.formatAhead(stages.ahead(), most);
        restore(ahead, stages.ahead());
        List<Section> rest = IptablesText.format(stages.rest(), usedByOthers);
        try {
            restore(rest, stages.rest());
        } catch (ApplyException e) {
            takeBack(ahead, stages.ahead());
            throw e;
        }
        return Stream.concat(ahead.stream(), rest.stream())
                .mapToInt(section -> section.transactions().size())
                .sum();
    }

    private void restore(List<Section> sections, Patch<IptablesEntry> patch) {
        for (int i = 0; i < sections.size(); i++) {
            Section section = sections.get(i);
            Command.Result result = restore(tools(), section);
            if (!result.succeeded()) {
                // Of several transactions, those before the refused one are done.
                takeBack(sections.subList(0, section.transactions().size() > 1 ? i + 1 : i), patch);
                throw new ApplyException(explain(section, result));
            }
        }
    }

    /// Makes undone what of a patch is done. If that fails too, the next look finds what is there.
    private void takeBack(List<Section> done, Patch<IptablesEntry> patch) {
        if (done.isEmpty()) {
            return;
        }
        IptablesText.format(IptablesText.inverse(patch), usedByOthers).stream()
                .filter(section -> done.stream().anyMatch(section::isOfSameTable))
                .forEach(section -> restore(tools(), section));
    }

    private String explain(Section section, Command.Result result) {
        String told = result.errors().strip().replaceAll("\\s*\n\\s*", " ");
        Matcher line = LINE.matcher(told);
        String about = line.find() ? section.line(Integer.parseInt(line.group(1))) : "";
        return "%s refused a change of table %s: %s%s"
                .formatted(tools(), section.table(), told, about.isEmpty() ? "" : ", at \"%s\"".formatted(about));
    }

    private static boolean isLiberal() {
        try {
            return !Files.readString(LIBERAL).strip().equals("0");
        } catch (IOException e) {
            return false; // connection tracking is not loaded yet, and begins as strict
        }
    }

    private Fingerprint fingerprint() {
        return FingerprintReader.read(tools().variant(), traits.families());
    }

    private Tools tools() {
        return tools.orElseThrow(() -> new ApplyException(objections.to(Family.IPV4)));
    }
}
