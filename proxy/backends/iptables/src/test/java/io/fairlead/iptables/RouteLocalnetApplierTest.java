package io.fairlead.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.Patch;
import io.fairlead.iptables.IptablesEntry.Switch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The switch as a file that is there, one that cannot be written, and one that need not be.
final class RouteLocalnetApplierTest {
    private static final Patch<IptablesEntry> ON = new Patch<>(List.of(new Switch()), List.of(), List.of());
    private static final Patch<IptablesEntry> OFF = new Patch<>(List.of(), List.of(), List.of(new Switch()));
    private static final FileTime LONG_AGO = FileTime.fromMillis(1_000);

    @TempDir
    Path folder;

    private Path file(String value) throws IOException {
        return Files.writeString(folder.resolve("route_localnet"), value + "\n");
    }

    @Test
    void it_goes_on_and_off() throws IOException {
        Path file = file("0");
        RouteLocalnetApplier applier = new RouteLocalnetApplier(file);
        applier.before(ON);
        assertThat(file).as("not before the guard stands").hasContent("0");
        applier.after(ON);
        assertThat(file).hasContent("1");
        applier.before(OFF);
        assertThat(file).hasContent("0");
    }

    @Test
    void what_is_as_it_should_be_is_not_written() throws IOException {
        Path file = file("1");
        Files.setLastModifiedTime(file, LONG_AGO);
        new RouteLocalnetApplier(file).after(ON);
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(LONG_AGO);

        file("0");
        Files.setLastModifiedTime(file, LONG_AGO);
        new RouteLocalnetApplier(file).before(OFF);
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(LONG_AGO);
    }

    @Test
    void one_that_cannot_be_turned_on_keeps_nothing_else() {
        RouteLocalnetApplier applier = new RouteLocalnetApplier(folder.resolve("absent/route_localnet"));
        assertThatCode(() -> applier.after(ON)).doesNotThrowAnyException();
        assertThatCode(() -> applier.before(OFF)).as("it is not on").doesNotThrowAnyException();
    }

    @Test
    void one_that_cannot_be_turned_off_keeps_its_guard() {
        // A file of the kernel that no process can write, and that does not hold 0.
        RouteLocalnetApplier applier = new RouteLocalnetApplier(Path.of("/proc/version"));
        assertThatExceptionOfType(ApplyException.class)
                .isThrownBy(() -> applier.before(OFF))
                .withMessageContaining("/proc/version")
                .withMessageContaining("guard stays");
    }
}
