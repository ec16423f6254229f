package io.fairlead.agent;

import io.fairlead.api.ContainerSettings.Hook;
import io.fairlead.api.Pod;
import io.fairlead.containers.HookCall;
import io.fairlead.containers.RuntimeContainer;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the containers of a pod want to have done when they have started and before they end.
///
/// `pod` is empty where the API knows it no more; then nothing is done.
record Hooks(Optional<Pod> pod, List<io.fairlead.api.Ip> addresses) {
    private static final Logger LOG = LoggerFactory.getLogger(Hooks.class);

    /// A hook that fails does not keep the container.
    void beforeStop(String name, RuntimeContainer entry) throws InterruptedException {
        Optional<Pod.Container> container = find(name);
        if (container.isPresent()
                && !run(container.get(), container.get().settings().preStop(), entry)) {
            LOG.info("event=hook-failed container={} hook=preStop", name);
        }
    }

    boolean waitsAfterStart(String name) {
        return find(name)
                .filter(container -> !(container.settings().postStart() instanceof Hook.None))
                .isPresent();
    }

    /// A container whose hook fails is killed, as the API says.
    void afterStart(String name, RuntimeContainer entry) throws InterruptedException {
        Optional<Pod.Container> container = find(name);
        if (container.isPresent()
                && !run(container.get(), container.get().settings().postStart(), entry)) {
            LOG.info("event=hook-failed container={} hook=postStart effect=killed", name);
            entry.signal("KILL");
        }
    }

    private boolean run(Pod.Container container, Hook hook, RuntimeContainer entry) throws InterruptedException {
        return addresses.isEmpty() || new HookCall(container, addresses.getFirst(), entry).run(hook);
    }

    private Optional<Pod.Container> find(String name) {
        return pod.flatMap(known -> find(known, name));
    }

    static Optional<Pod.Container> find(Pod pod, String name) {
        return Stream.of(
                        pod.spec().containers(),
                        pod.spec().initContainers(),
                        pod.spec().ephemeralContainers())
                .flatMap(List::stream)
                .filter(container -> container.name().equals(name))
                .findFirst();
    }
}
