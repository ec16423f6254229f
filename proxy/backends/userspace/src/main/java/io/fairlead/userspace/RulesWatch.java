package io.fairlead.userspace;

import io.fairlead.forwarding.DriftWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Compares the rules that lead to the relay with those that were written, now and then, and writes them anew where
/// another program changed them.
///
/// The packet filter lists rules in other words than they are written in. So they are listed, written anew at one
/// moment and listed again: what differs is what was changed. Where nothing was written since the last look, one list
/// is enough.
final class RulesWatch implements DriftWatch {
    private static final Duration PERIOD = Duration.ofSeconds(30);

    /// Writes all rules anew; false where there are none to be written.
    interface Rewriting {
        boolean rewrite();
    }

    private final PacketFilter filter;
    private final Rewriting rewriting;
    private Map<String, Integer> written = Map.of();
    private List<String> findings = List.of();
    private long looked = System.nanoTime();
    private volatile boolean told;

    RulesWatch(PacketFilter filter, Rewriting rewriting) {
        this.filter = filter;
        this.rewriting = rewriting;
    }

    /// The rules were changed by this process.
    void wrote() {
        written = Map.of();
    }

    @Override
    public boolean drifted() {
        if (!told && System.nanoTime() - looked < PERIOD.toNanos()) {
            return false;
        }
        told = false;
        looked = System.nanoTime();
        Map<String, Integer> found = parts(filter.listing());
        if (found.equals(written) || !rewriting.rewrite()) {
            return false;
        }
        written = parts(filter.listing());
        findings = differences(found, written);
        return !findings.isEmpty();
    }

    @Override
    public List<String> findings() {
        return findings;
    }

    @Override
    public void compareNow() {
        told = true;
    }

    /// How often each rule and each element stands there: sets are listed in any order.
    static Map<String, Integer> parts(String listing) {
        Map<String, Integer> parts = new HashMap<>();
        for (String part : listing.split("[,\n]", -1)) {
            String text = part.replace("elements = {", "").replace("}", "").strip();
            if (!text.isEmpty()) {
                parts.merge(text, 1, Integer::sum);
            }
        }
        return parts;
    }

    static List<String> differences(Map<String, Integer> found, Map<String, Integer> wanted) {
        List<String> differences = new ArrayList<>();
        new TreeMap<>(wanted).forEach((part, count) -> {
            if (found.getOrDefault(part, 0) < count) {
                differences.add("missing: " + part);
            }
        });
        new TreeMap<>(found).forEach((part, count) -> {
            if (wanted.getOrDefault(part, 0) < count) {
                differences.add("not ours: " + part);
            }
        });
        return List.copyOf(differences);
    }
}
