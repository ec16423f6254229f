package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.balancers.AddressPools;
import io.fairlead.balancers.LoadBalancers;
import io.fairlead.runner.Controller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The table of controllers in `controllers/README.md`, held to the code.
final class ControllersTest {
    private static final Pattern ROW = Pattern.compile("^\\| `(\\w+)` \\| (\\w+) \\|.*");

    private static final List<Controller> ALL = Stream.concat(
                    Controllers.all(ControllersConfig.DEFAULT).stream(),
                    LoadBalancers.controllers(AddressPools.parse(List.of("edge=10.0.0.0/24"))).stream())
            .toList();

    @Test
    void the_table_names_every_controller_and_its_room() throws IOException {
        Path readme = Path.of(System.getProperty("fairlead.root"), "controllers/README.md");
        List<String> listed = Files.readAllLines(readme).stream()
                .flatMap(line -> ROW.matcher(line).results().map(row -> row.group(2) + "." + row.group(1)))
                .toList();
        assertThat(listed)
                .containsExactlyInAnyOrderElementsOf(ALL.stream()
                        .map(controller -> controller.getClass().getName().replace("io.fairlead.", ""))
                        .distinct()
                        .toList());
    }

    @Test
    void no_two_controllers_have_one_name() {
        assertThat(ALL).extracting(Controller::name).doesNotHaveDuplicates();
    }
}
