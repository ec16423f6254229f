package io.fairlead.dist;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Where a class may touch the world: files, sockets, processes, clocks, chance, threads, native memory, logs.
final class Effects {
    private static final Set<String> SHELLS = Set.of(
            "client",
            "store",
            "runtime",
            "kernel",
            "agent",
            "containers",
            "commands",
            "lab",
            "up",
            "kubectl",
            "fakes",
            "bench",
            "objects",
            "upkeep",
            "http",
            "sync",
            "testkit",
            "announce",
            "resolver",
            "nginx",
            "userspace",
            "sessions");
    private static final Pattern SHELL_NAMES =
            Pattern.compile(".*(Applier|Reader|Watch|Server|Main|Runner)|Pki|StaticTokens");

    /// What is pure also in the room of the relay, which is an effect itself.
    private static final Pattern PURE_NAMES = Pattern.compile("Userspace(Compiler|Entry|Tracer)");

    // Readers and writers in memory are no effect, and every lambda names java.lang.invoke.
    private static final Predicate<String> TOUCHES_THE_WORLD = Pattern.compile(
                    "java\\.io\\.(File|RandomAccess|PrintStream|Console).*"
                            + "|java\\.nio\\.(file|channels)\\..*"
                            + "|java\\.net\\..*"
                            + "|java\\.lang\\.Process(Builder|Handle)?"
                            + "|java\\.util\\.(Random|concurrent\\.ThreadLocalRandom|Timer)"
                            + "|java\\.security\\.SecureRandom"
                            + "|java\\.util\\.concurrent\\.(Executors?|.*Executor.*|CompletableFuture)"
                            + "|org\\.slf4j\\..*"
                            // the kernel, but for the bytes and the numbers that it speaks in
                            + "|io\\.fairlead\\.kernel\\.(?!(Netlink(Attributes|Message|Writer)|Netfilter(Batch|Refusal)"
                            + "|Errno|KernelException|GenericFamily|BpfHook|BpfObject)\\b).*")
            .asMatchPredicate();

    private static final Predicate<String> ASKS_THE_WORLD = Pattern.compile("java\\.time\\.\\w+\\.now"
                    + "|java\\.time\\.Clock\\.(system|tick).*"
                    + "|java\\.lang\\.System\\.(currentTimeMillis|nanoTime|getenv|getProperty|out|err|in)"
                    + "|java\\.lang\\.Runtime\\.(exec|addShutdownHook)"
                    + "|java\\.lang\\.Math\\.random"
                    + "|java\\.util\\.random\\.RandomGenerator\\.(getDefault|of)"
                    + "|java\\.util\\.UUID\\.randomUUID")
            .asMatchPredicate();

    private static final Predicate<String> STARTS_A_THREAD = Pattern.compile(
                    "java\\.lang\\.Thread\\.(<init>|start|ofVirtual|ofPlatform|startVirtualThread)"
                            + "|java\\.util\\.concurrent\\.Executors\\..*"
                            + "|java\\.util\\.concurrent\\.CompletableFuture\\.\\w+Async")
            .asMatchPredicate();

    /// Each with its reason: the owner of threads, the one who enters namespaces, Jetty's own pool, and the
    /// hook that the JVM itself starts, and benches that need many clients at once.
    private static final Set<String> THREAD_STARTERS = Set.of(
            "io.fairlead.runtime.TaskGroup",
            "io.fairlead.kernel.NetworkNamespace",
            "io.fairlead.http.ApiServer",
            "io.fairlead.commands.Shutdown",
            "io.fairlead.bench.ReadsBench",
            "io.fairlead.bench.ServedCluster");

    private Effects() {}

    /// A pure class touches nothing outside itself.
    static List<String> impurities(CompiledClass type) {
        boolean mayTouch = (SHELLS.contains(type.room())
                        && !PURE_NAMES.matcher(type.topLevelName()).matches())
                || SHELL_NAMES.matcher(type.topLevelName()).matches();
        return mayTouch
                ? List.of()
                : uses(
                        type,
                        Stream.concat(
                                type.classes().stream().filter(TOUCHES_THE_WORLD),
                                type.members().stream().filter(ASKS_THE_WORLD.or(STARTS_A_THREAD))));
    }

    /// Threads have few owners, also where effects are allowed.
    static List<String> threads(CompiledClass type) {
        boolean mayStart = THREAD_STARTERS.stream()
                .anyMatch(owner -> type.name().equals(owner) || type.name().startsWith(owner + "$"));
        return mayStart ? List.of() : uses(type, type.members().stream().filter(STARTS_A_THREAD));
    }

    /// Native memory stays in one room.
    static List<String> foreign(CompiledClass type) {
        return type.room().equals("kernel")
                ? List.of()
                : uses(type, type.classes().stream().filter(name -> name.startsWith("java.lang.foreign.")));
    }

    /// C functions are called through typed methods; `BpfCall` is the one of bpf(2).
    static List<String> untypedCalls(CompiledClass type) {
        boolean typed = type.topLevelName().endsWith("Calls")
                || Set.of("BpfCall", "Libc").contains(type.topLevelName());
        return typed ? List.of() : uses(type, type.classes().stream().filter("io.fairlead.kernel.Libc"::equals));
    }

    private static List<String> uses(CompiledClass type, Stream<String> used) {
        return used.map(name -> "%s uses %s".formatted(type.name(), name)).toList();
    }
}
