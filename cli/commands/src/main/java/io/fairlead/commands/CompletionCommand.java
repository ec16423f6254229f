package io.fairlead.commands;

import io.fairlead.kubectl.Console;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `fairlead completion`: the script that has a shell complete the words of `fairlead`.
@Command(
        name = "completion",
        description = "Print the script that has bash or zsh complete commands and options.",
        footer = {
            "",
            "Examples:",
            "  fairlead completion bash >/etc/bash_completion.d/fairlead",
            "  source <(fairlead completion zsh)"
        })
final class CompletionCommand implements Callable<Integer> {
    /// The shells there is a script for; it is the same one, which looks where it runs.
    enum Shell {
        BASH,
        ZSH
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "bash|zsh", description = "Which shell.")
    private Shell shell = Shell.BASH;

    @Override
    public Integer call() {
        Console.of(spec).println("# For %s to source.".formatted(shell.name().toLowerCase(Locale.ROOT)));
        Console.of(spec).print(AutoComplete.bash("fairlead", Main.commandLine()));
        return 0;
    }
}
