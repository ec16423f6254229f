package io.fairlead.client;

import java.time.InstantSource;
import java.util.Optional;

/// Keeps what a [CredentialPlugin] answered for as long as it counts.
final class Login {
    private final Optional<PluginRunner> plugin;
    private final InstantSource clock;
    private PluginCredential credential = PluginCredential.NONE;

    Login(Optional<PluginRunner> plugin, InstantSource clock) {
        this.plugin = plugin;
        this.clock = clock;
    }

    /// What to show now; nothing where there is no plugin. One that runs holds up all who ask.
    synchronized PluginCredential current() throws InterruptedException {
        boolean missing = credential.equals(PluginCredential.NONE) || !credential.countsAt(clock.instant());
        if (plugin.isPresent() && missing) {
            credential = plugin.get().run();
        }
        return credential;
    }

    /// The server did not take it: the plugin is asked again, unless it was meanwhile.
    synchronized void refused(String authorization) {
        if (authorization.endsWith(credential.token())) {
            credential = PluginCredential.NONE;
        }
    }
}
