package io.fairlead.containers;

import io.fairlead.api.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The system calls that a container may make; all others fail with EPERM. The list is data: `seccomp.txt`.
///
/// A line has the names of system calls; one that begins with `CAP:` has those that need that capability.
record SeccompProfile(List<Line> lines) {
    private static final String FILE = "seccomp.txt";
    /// CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET.
    private static final long NEW_NAMESPACES = 0x7E020000L;

    private static final List<Long> PERSONALITIES = List.of(0L, 8L, 0x20000L, 0x20008L, 0xFFFFFFFFL);
    private static final int ENOSYS = 38;
    private static final SeccompProfile STANDARD = parse(resource());

    /// `capability` is empty for calls that every container may make.
    record Line(String capability, List<String> calls) {}

    static SeccompProfile standard() {
        return STANDARD;
    }

    static SeccompProfile parse(String text) {
        List<Line> lines = new ArrayList<>();
        for (String line :
                text.lines().filter(l -> !l.isBlank() && !l.startsWith("#")).toList()) {
            int colon = line.indexOf(':');
            String calls = line.substring(colon + 1).strip();
            lines.add(new Line(colon < 0 ? "" : line.substring(0, colon), List.of(calls.split("\\s+", -1))));
        }
        return new SeccompProfile(List.copyOf(lines));
    }

    /// As the OCI writes it, for a container with these capabilities.
    ObjectNode config(Set<String> capabilities) {
        ObjectNode config = Json.object().put("defaultAction", "SCMP_ACT_ERRNO").put("defaultErrnoRet", 1);
        ArrayNode architectures = config.putArray("architectures");
        architectures
                .add("SCMP_ARCH_X86_64")
                .add("SCMP_ARCH_X86")
                .add("SCMP_ARCH_X32")
                .add("SCMP_ARCH_AARCH64")
                .add("SCMP_ARCH_ARM");
        ArrayNode rules = config.putArray("syscalls");
        ArrayNode allowed = rules.addObject().put("action", "SCMP_ACT_ALLOW").putArray("names");
        lines.stream()
                .filter(line -> line.capability().isEmpty() || capabilities.contains(line.capability()))
                .flatMap(line -> line.calls().stream())
                .distinct()
                .forEach(allowed::add);
        PERSONALITIES.forEach(value -> putRule(rules, "personality", value, "SCMP_CMP_EQ", 0));
        if (!capabilities.contains("SYS_ADMIN")) {
            putRule(rules, "clone", NEW_NAMESPACES, "SCMP_CMP_MASKED_EQ", 0);
            // Its flags are in memory, where no filter can see them: the C library then falls back to clone.
            rules.addObject()
                    .put("action", "SCMP_ACT_ERRNO")
                    .put("errnoRet", ENOSYS)
                    .putArray("names")
                    .add("clone3");
        }
        return config;
    }

    private static void putRule(ArrayNode rules, String call, long value, String operation, long second) {
        ObjectNode rule = rules.addObject().put("action", "SCMP_ACT_ALLOW");
        rule.putArray("names").add(call);
        rule.putArray("args")
                .addObject()
                .put("index", 0)
                .put("value", value)
                .put("valueTwo", second)
                .put("op", operation);
    }

    private static String resource() {
        try (InputStream in = SeccompProfile.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException(FILE + " is missing beside this class");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new NodeException("cannot read " + FILE, e);
        }
    }
}
