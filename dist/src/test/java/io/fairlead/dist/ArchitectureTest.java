package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.dist.Repository.Room;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Holds the promises of ARCHITECTURE.md and STYLE.md, on what was compiled and on what was written.
///
/// Each rule comes twice: it holds for the project, and it does not hold for a class planted to break it.
final class ArchitectureTest {
    private static final Repository PROJECT = Repository.here();
    private static final List<Room> ROOMS = PROJECT.rooms();
    private static final List<CompiledClass> CLASSES = ROOMS.stream()
            .flatMap(room -> room.classes().stream())
            .map(CompiledClass::read)
            .toList();

    @TempDir
    Path folder;

    @Test
    void every_room_is_compiled_and_in_the_table_of_arrows() {
        assertThat(ROOMS).extracting(Room::name).contains("api", "forwarding", "nftables", "kernel", "commands");
        assertThat(Arrows.unlisted(ROOMS.stream().map(Room::name).toList())).isEmpty();
        assertThat(ROOMS.stream().filter(room -> !room.mainSources().isEmpty()))
                .allSatisfy(room -> assertThat(room.classes()).as(room.name()).isNotEmpty());
    }

    @Test
    void rooms_use_each_other_along_the_arrows_only() {
        assertThat(broken(Arrows::violations)).isEmpty();
    }

    @Test
    void an_arrow_against_the_picture_is_found() throws IOException {
        CompiledClass planted = plant("forwarding", "Planted", """
            interface Planted { io.fairlead.kernel.KernelException cause(java.util.List<io.fairlead.api.Ip> ips); }\
            """);
        assertThat(Arrows.violations(planted)).containsExactly("io.fairlead.forwarding.Planted uses the room kernel");
        assertThat(Arrows.unlisted(List.of("api", "attic"))).containsExactly("attic");
    }

    @Test
    void native_memory_is_touched_in_the_kernel_room_only() throws IOException {
        assertThat(broken(Effects::foreign)).isEmpty();
        CompiledClass planted = plant("agent", "Planted", """
            class Planted { Object memory = java.lang.foreign.Arena.ofAuto(); }\
            """);
        assertThat(Effects.foreign(planted)).containsExactly("io.fairlead.agent.Planted uses java.lang.foreign.Arena");
    }

    @Test
    void c_functions_are_called_through_typed_methods() throws IOException {
        assertThat(broken(Effects::untypedCalls)).isEmpty();
        CompiledClass planted = plant("kernel", "Planted", """
            class Planted { long close() { return Libc.CLOSE.attempt(7); } }\
            """);
        assertThat(Effects.untypedCalls(planted))
                .containsExactly("io.fairlead.kernel.Planted uses io.fairlead.kernel.Libc");
    }

    @Test
    void pure_rooms_touch_nothing_outside_themselves() {
        assertThat(broken(Effects::impurities)).isEmpty();
    }

    @Test
    void every_kind_of_effect_in_a_pure_room_is_found() throws IOException {
        List<String> effects = List.of(
                "java.time.Instant.now()",
                "System.nanoTime()",
                "new java.util.Random()",
                "java.util.random.RandomGenerator.getDefault()",
                "java.util.UUID.randomUUID()",
                "java.nio.file.Files.exists(java.nio.file.Path.of(\"/\"))",
                "new java.io.FileReader(\"/\")",
                "new java.net.Socket()",
                "java.net.InetAddress.getByName(\"localhost\")",
                "java.nio.channels.SocketChannel.open()",
                "new ProcessBuilder(\"ls\").start()",
                "Thread.startVirtualThread(() -> {})",
                "System.out.append(\"\")",
                "org.slf4j.LoggerFactory.getLogger(\"\")",
                "io.fairlead.kernel.NetfilterSocket.open()");
        for (String effect : effects) {
            String body = "class Planted { Object effect() throws Exception { return %s; } }".formatted(effect);
            assertThat(Effects.impurities(plant("kinds", "Planted", body)))
                    .as(effect)
                    .isNotEmpty();
        }
    }

    @Test
    void shells_may_touch_the_world() throws IOException {
        assertThat(Effects.impurities(plant("agent", "Planted", "class Planted { long now = System.nanoTime(); }")))
                .isEmpty();
        assertThat(Effects.impurities(
                        plant("nftables", "NftApplier", "class NftApplier { long now = System.nanoTime(); }")))
                .isEmpty();
    }

    @Test
    void threads_start_in_their_few_owners_only() throws IOException {
        assertThat(broken(Effects::threads)).isEmpty();
        CompiledClass planted = plant("agent", "Planted", """
            class Planted { void go() { Thread.ofVirtual().start(() -> {}); } }\
            """);
        assertThat(Effects.threads(planted))
                .containsExactly("io.fairlead.agent.Planted uses java.lang.Thread.ofVirtual");
    }

    @Test
    void names_say_what_a_thing_is() throws IOException {
        assertThat(broken(Names::violations)).isEmpty();
        assertThat(Names.violations(plant("api", "PodManager", "class PodManager {}")))
                .containsExactly("io.fairlead.api.PodManager has the word Manager in its name");
        assertThat(Names.violations(plant("api", "Database", "class Database {}")))
                .isEmpty();
    }

    @Test
    void a_types_name_stands_in_one_room() {
        Map<String, Set<String>> rooms = new HashMap<>();
        ROOMS.forEach(room -> room.mainSources()
                .forEach(source -> rooms.computeIfAbsent(
                                source.getFileName().toString().replace(".java", ""), _ -> new HashSet<>())
                        .add(room.name())));
        assertThat(Names.shared(rooms)).isEmpty();
        rooms.put("Snapshot", Set.of("api", "attic"));
        assertThat(Names.shared(rooms)).containsExactly("Snapshot stands in the rooms [api, attic]");
    }

    @Test
    void a_room_is_one_flat_package() throws IOException {
        assertThat(ROOMS.stream()
                        .flatMap(room -> room.classes().stream()
                                .map(CompiledClass::read)
                                .flatMap(type -> Names.misplaced(room.name(), type).stream())))
                .isEmpty();
        assertThat(Names.misplaced("kernel", plant("api", "Planted", "class Planted {}")))
                .hasSize(1);
    }

    @Test
    void files_methods_and_rooms_are_small() throws IOException {
        List<Path> sources =
                ROOMS.stream().flatMap(room -> room.allSources().stream()).toList();
        List<Sizes.TooLarge> found = new ArrayList<>(Sizes.tooLarge(PROJECT.root(), sources));
        ROOMS.forEach(room ->
                found.addAll(Sizes.tooManyTypes(room.name(), room.mainSources().size())));
        SizeExceptions excused = SizeExceptions.read(PROJECT.root().resolve("docs/decisions/size-exceptions.txt"));
        assertThat(excused.violations(found)).isEmpty();
    }

    @Test
    void a_large_file_and_a_long_method_are_found_unless_excused() throws IOException {
        String method = "  void run() {\n" + "    hashCode();\n".repeat(Sizes.MAX_METHOD_LINES) + "  }\n";
        String text = "class Large {\n" + method + "\n".repeat(Sizes.MAX_FILE_LINES) + "}\n";
        List<Sizes.TooLarge> found = Sizes.tooLarge(folder, List.of(new Planted(folder).write("Large", text)));
        assertThat(found).extracting(Sizes.TooLarge::where).containsExactly("Large.java", "Large.java#run");

        SizeExceptions excused = SizeExceptions.parse(List.of("# why", "Large.java: it is data", "Small.java: none"));
        assertThat(excused.violations(found))
                .containsExactly(
                        "Large.java#run has 52 lines; the limit is 50", "Small.java is excused but not too large");
        assertThatThrownBy(() -> SizeExceptions.parse(List.of("Large.java"))).hasMessageContaining("gives no reason");
    }

    @Test
    void a_method_with_many_parameters_is_found() throws IOException {
        String text = """
            record Wide(int a, int b, int c, int d, int e, int f, int g, int h) {
              static int sum(int a, int b, int c, int d, int e, int f, int g, int h) { return a; }
              static int less(int a, int b, int c, int d, int e, int f, int g) { return a; }
            }
            """;
        assertThat(Sizes.tooLarge(folder, List.of(new Planted(folder).write("Wide", text))))
                .extracting(Sizes.TooLarge::toString)
                .containsExactly("Wide.java#sum has 8 parameters; the limit is 7");
    }

    @Test
    void a_deeply_nested_method_is_found() throws IOException {
        String text = """
            class Deep {
              void five() { if (a) { for (;;) { while (b) { try { if (c) { run(); } } finally { run(); } } } } }
              void four() { if (a) { for (;;) { while (b) { if (c) { run(); } else if (d) { run(); } } } } }
            }
            """;
        assertThat(Sizes.tooLarge(folder, List.of(new Planted(folder).write("Deep", text))))
                .extracting(Sizes.TooLarge::toString)
                .containsExactly("Deep.java#five has 5 nested levels; the limit is 4");
    }

    @Test
    void a_room_with_many_types_is_found() {
        assertThat(Sizes.tooManyTypes("attic", 61))
                .extracting(Sizes.TooLarge::toString)
                .containsExactly("attic has 61 types; the limit is 60");
        assertThat(Sizes.tooManyTypes("attic", 60)).isEmpty();
        assertThat(Sizes.tooManyTypes("schema", 99)).isEmpty();
    }

    @Test
    void every_room_says_what_it_is() {
        assertThat(ROOMS.stream().filter(room -> !hasReadme(room)).map(Room::name))
                .isEmpty();
        assertThat(hasReadme(new Room("attic", folder))).isFalse();
    }

    private static boolean hasReadme(Room room) {
        try (Stream<String> lines = Files.lines(room.folder().resolve("README.md"))) {
            return lines.count() >= 10;
        } catch (IOException _) {
            return false;
        }
    }

    private static List<String> broken(Function<CompiledClass, List<String>> rule) {
        return CLASSES.stream().flatMap(type -> rule.apply(type).stream()).toList();
    }

    private CompiledClass plant(String room, String name, String body) throws IOException {
        return new Planted(folder).compile(room, name, body);
    }
}
