package io.fairlead.containers;

import io.fairlead.api.Pod;
import io.fairlead.api.Quantity;
import io.fairlead.api.Resources;
import java.util.List;
import java.util.stream.Stream;

/// What the containers of a pod may use of their node. Pure.
public final class PodResources {
    private static final List<String> COUNTED = List.of("cpu", "memory");
    /// A container that says nothing may have so many processes and threads: a fork bomb ends there.
    private static final long MOST_PROCESSES = 4096;
    private static final long LEAST_SHARES = 2;
    private static final int GUARANTEED_SCORE = -997;
    private static final int LOWEST_SCORE = 1000;

    private PodResources() {}

    /// `Guaranteed`, `Burstable` or `BestEffort`.
    public static String qosClass(Pod pod) {
        List<Resources> all =
                all(pod).map(container -> container.settings().resources()).toList();
        boolean nothing = all.stream()
                .allMatch(r -> COUNTED.stream()
                        .allMatch(name ->
                                r.request(name).isZero() && r.limit(name).isZero()));
        if (nothing) {
            return "BestEffort";
        }
        boolean exact = all.stream()
                .allMatch(r -> COUNTED.stream()
                        .allMatch(name -> !r.limit(name).isZero()
                                && r.limit(name)
                                                .amount()
                                                .compareTo(r.request(name).amount())
                                        == 0));
        return exact ? "Guaranteed" : "Burstable";
    }

    /// What the pod as a whole gets of the processors when all want them: what its containers ask for.
    public static long cpuShares(Pod pod) {
        return shares(pod.spec().lastingContainers().stream()
                .mapToLong(c -> c.settings().resources().request("cpu").thousandths())
                .sum());
    }

    private static long shares(long millis) {
        return Math.max(LEAST_SHARES, millis * 1024 / 1000);
    }

    static ContainerSpec.Limits limits(Pod pod, Pod.Container container, String cgroup, ContainerHost.Machine machine) {
        Resources resources = container.settings().resources();
        long millis = resources.request("cpu").thousandths();
        return new ContainerSpec.Limits(
                cgroup,
                shares(millis),
                resources.limit("cpu").thousandths(),
                resources.limit("memory").units(),
                MOST_PROCESSES,
                Math.max(machine.lowestScore(), score(pod, resources.request("memory"), machine.memory())));
    }

    /// Who is killed first when the machine is out of memory: the one who asked for the least.
    private static int score(Pod pod, Quantity request, long machineMemory) {
        return switch (qosClass(pod)) {
            case "Guaranteed" -> GUARANTEED_SCORE;
            case "BestEffort" -> LOWEST_SCORE;
            default -> {
                long used = machineMemory <= 0 ? 0 : LOWEST_SCORE * request.units() / machineMemory;
                yield (int) Math.max(3, Math.min(LOWEST_SCORE - 1, LOWEST_SCORE - used));
            }
        };
    }

    private static Stream<Pod.Container> all(Pod pod) {
        return Stream.concat(pod.spec().initContainers().stream(), pod.spec().containers().stream());
    }
}
