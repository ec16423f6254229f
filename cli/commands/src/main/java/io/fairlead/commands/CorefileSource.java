package io.fairlead.commands;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.kubectl.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Where a Corefile is: in a file, or in the ConfigMap `kube-system/coredns`.
record CorefileSource(Optional<Path> file, ApiClient client) {
    private static final NamespacedName MAP = new NamespacedName("kube-system", "coredns");
    private static final Duration LOOK = Duration.ofSeconds(2);

    /// The text; empty where there is no such ConfigMap, or none that we may see.
    String read() throws InterruptedException {
        if (file.isPresent()) {
            try {
                return Files.readString(file.get());
            } catch (IOException e) {
                throw new CommandException("error: --corefile: cannot read %s: %s".formatted(file.get(), e), e);
            }
        }
        return ofMap().orElse("");
    }

    /// Nothing where the API server does not answer.
    private Optional<String> ofMap() throws InterruptedException {
        try {
            return Optional.of(client.find(Kind.CONFIG_MAP, MAP)
                    .map(map -> Json.text(map, "data", "Corefile"))
                    .orElse(""));
        } catch (ApiException e) {
            return Optional.empty();
        }
    }

    /// Waits until it is another, and gives that.
    String awaitOther(String before) throws InterruptedException {
        while (true) {
            Thread.sleep(LOOK);
            String now = file.isPresent() ? read() : ofMap().orElse(before);
            if (!now.equals(before)) {
                return now;
            }
        }
    }

    /// What a person calls it.
    String name() {
        return file.map(Path::toString).orElse("ConfigMap " + MAP);
    }
}
