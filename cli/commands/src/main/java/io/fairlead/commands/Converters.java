package io.fairlead.commands;

import picocli.CommandLine;

/// Makes what annotations name by its class, as picocli's own factory does; but that one looks for Groovy first, in
/// every library there is, even where nothing is to be made.
final class Converters implements CommandLine.IFactory {
    @Override
    public <K> K create(Class<K> type) throws Exception {
        return CommandLine.defaultFactory().create(type);
    }
}
