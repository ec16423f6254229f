package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The script `fairlead` in a checkout of its own, whose JDK and Maven only write down how they were called.
final class LauncherTest {
    private static final Path PROJECT = Repository.here().root();

    @TempDir
    Path folder;

    private Path checkout;
    private Path calls;

    @BeforeEach
    void makeCheckout() throws IOException {
        checkout = Files.createDirectories(folder.resolve("my checkout"));
        calls = Files.createFile(folder.resolve("calls"));
        Files.createDirectories(checkout.resolve("dist/bin"));
        Files.createDirectories(checkout.resolve("cli/src/main/java"));
        Files.copy(PROJECT.resolve("fairlead"), checkout.resolve("fairlead"));
        Files.copy(PROJECT.resolve("dist/bin/toolchain.sh"), checkout.resolve("dist/bin/toolchain.sh"));
        age(Files.createFile(checkout.resolve("pom.xml")));
        age(Files.createFile(checkout.resolve("cli/src/main/java/Main.java")));
        age(checkout.resolve("cli/src/main/java"));
        age(checkout.resolve("cli/src/main"));
        script(folder.resolve("tools/mvn"), """
            echo "mvn $*" >>"%1$s"
            [[ ! -e "%2$s/broken" ]] || { echo '[ERROR] Main.java: it does not compile'; exit 1; }
            mkdir -p dist/target/fairlead/lib && touch dist/target/fairlead/lib/cli.jar
            """.formatted(calls, folder));
        jdk("jdk", "25.0.3");
    }

    @Test
    void the_first_call_builds_and_rehearses_and_the_next_ones_only_run() throws Exception {
        Call first = launch(checkout.resolve("fairlead"), "get", "services", "-l", "a b");
        assertThat(first.code).isZero();
        assertThat(first.out).contains("building; the first time", "built in", "rehearsing");
        assertThat(calls())
                .satisfiesExactly(
                        build -> assertThat(build).startsWith("mvn ").contains("-pl dist -am", "package"),
                        freshened -> assertThat(freshened).contains("FreshClasses.java", "picocli"),
                        rehearsal -> assertThat(rehearsal)
                                .contains("-XX:AOTCacheOutput=", "io.fairlead.commands.Main rehearse"),
                        run -> assertThat(run)
                                .contains("-XX:AOTCache=")
                                .endsWith("io.fairlead.commands.Main get services -l a b"));

        Call second = launch(checkout.resolve("fairlead"), "version");
        assertThat(second.out).isEmpty();
        assertThat(calls()).hasSize(5).last().asString().endsWith("io.fairlead.commands.Main version");
    }

    @Test
    void a_newer_source_is_built() throws Exception {
        launch(checkout.resolve("fairlead"), "version");
        Files.setLastModifiedTime(
                checkout.resolve("cli/src/main/java/Main.java"),
                FileTime.from(Instant.now().plusSeconds(60)));
        assertThat(launch(checkout.resolve("fairlead"), "version").out).contains("building");
    }

    @Test
    void it_works_through_a_link_and_from_another_folder() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("fl"), checkout.resolve("fairlead"));
        assertThat(launch(link, "version").code).isZero();
        assertThat(calls().getLast())
                .contains("-Dfairlead.launcher=" + checkout.resolve("fairlead"), "-Dfairlead.typed=" + link)
                .contains("-cp " + checkout.resolve("dist/target/fairlead/lib/cli.jar"));
    }

    @Test
    void a_build_that_fails_shows_its_errors_and_nothing_runs() throws Exception {
        Files.createFile(folder.resolve("broken"));
        Call call = launch(checkout.resolve("fairlead"), "up");
        assertThat(call.code).isEqualTo(70);
        assertThat(call.out).contains("[ERROR] Main.java: it does not compile", "the build failed; the whole log is");
        assertThat(calls()).allMatch(line -> line.startsWith("mvn "));
    }

    @Test
    void children_are_started_by_the_same_script_which_does_not_look_for_changes_again() throws Exception {
        launch(checkout.resolve("fairlead"), "up");
        assertThat(calls().getLast())
                .contains("-Xmx256m", "TieredStopAtLevel=1")
                .endsWith("Main up");
        Files.setLastModifiedTime(
                checkout.resolve("pom.xml"), FileTime.from(Instant.now().plusSeconds(60)));
        ProcessBuilder child = process(checkout.resolve("fairlead"), "server");
        child.environment().put("FAIRLEAD_BUILT", "1");
        child.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        assertThat(run(child).out).isEmpty();
        assertThat(calls().getLast()).doesNotContain("TieredStopAtLevel").endsWith("Main server");
    }

    @Test
    void a_word_among_the_arguments_makes_no_program() throws Exception {
        launch(checkout.resolve("fairlead"), "get", "svc", "proxy", "server", "up");
        assertThat(calls().getLast())
                .contains("TieredStopAtLevel=1")
                .doesNotContain("MaxNewSize", "namedGroups", "-Xms16m", "proxy.aot")
                .endsWith("Main get svc proxy server up");
    }

    /// A JVM that has thrown OutOfMemoryError in one thread goes on with the others, and serves half of what it should.
    @Test
    void every_program_ends_when_memory_is_out() throws Exception {
        launch(checkout.resolve("fairlead"), "version");
        for (String program : List.of("server", "node", "proxy", "dns", "ingress", "load-balancer", "up")) {
            ProcessBuilder process = process(checkout.resolve("fairlead"), program);
            process.environment().put("FAIRLEAD_BUILT", "1");
            assertThat(run(process).code).isZero();
            assertThat(calls().getLast())
                    .contains("-XX:+ExitOnOutOfMemoryError")
                    .endsWith("Main " + program);
        }
    }

    @Test
    void dns_takes_the_cache_of_the_proxy() throws Exception {
        launch(checkout.resolve("fairlead"), "version");
        Files.createFile(checkout.resolve("dist/target/fairlead/proxy.aot"));
        ProcessBuilder dns = process(checkout.resolve("fairlead"), "dns");
        dns.environment().put("FAIRLEAD_BUILT", "1");
        assertThat(run(dns).code).isZero();
        assertThat(calls().getLast())
                .contains("-XX:AOTCache=" + checkout.resolve("dist/target/fairlead/proxy.aot"), "-XX:MaxNewSize=4m")
                .doesNotContain("TieredStopAtLevel")
                .endsWith("Main dns");
    }

    @Test
    void options_before_the_command_do_not_hide_it() throws Exception {
        launch(checkout.resolve("fairlead"), "version");
        Files.createFile(checkout.resolve("dist/target/fairlead/proxy.aot"));
        ProcessBuilder proxy = process(checkout.resolve("fairlead"), "--dir", "server", "proxy");
        proxy.environment().put("FAIRLEAD_BUILT", "1");
        assertThat(run(proxy).code).isZero();
        assertThat(calls().getLast())
                .contains("-XX:AOTCache=" + checkout.resolve("dist/target/fairlead/proxy.aot"), "-XX:MaxNewSize=8m")
                .endsWith("Main --dir server proxy");
    }

    @Test
    void a_link_named_kubectl_is_a_client_whatever_is_typed() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("kubectl"), checkout.resolve("fairlead"));
        assertThat(launch(link, "proxy").code).isZero();
        assertThat(calls().getLast())
                .contains("-Dfairlead.called=kubectl", "TieredStopAtLevel=1")
                .doesNotContain("MaxNewSize");
        launch(checkout.resolve("fairlead"), "version");
        assertThat(calls().getLast()).contains("-Dfairlead.called=fairlead");
    }

    @Test
    void a_jdk_that_is_too_old_is_passed_over() throws Exception {
        Path old = jdk("old", "17.0.15");
        ProcessBuilder process = process(checkout.resolve("fairlead"), "version");
        process.environment().put("JAVA_HOME", old.toString());
        process.environment()
                .put(
                        "PATH",
                        folder.resolve("jdk/bin") + ":" + process.environment().get("PATH"));
        assertThat(run(process).code).isZero();
        assertThat(calls()).noneMatch(line -> line.contains("17.0.15")).anyMatch(line -> line.contains("25.0.3"));
    }

    /// A JDK whose `java` writes down its arguments, and leaves a cache where it is asked to.
    private Path jdk(String name, String version) throws IOException {
        Path home = Files.createDirectories(folder.resolve(name));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"%s\"\n".formatted(version));
        script(home.resolve("bin/javac"), "exit 1\n");
        script(home.resolve("bin/java"), """
            echo "java %1$s $*" >>"%2$s"
            for word in "$@"; do
              [[ $word != -XX:AOTCacheOutput=* ]] || touch "${word#*=}"
            done
            """.formatted(version, calls));
        return home;
    }

    private static void script(Path file, String body) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/usr/bin/env bash\n" + body);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void age(Path file) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(3600)));
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(calls);
    }

    private record Call(int code, String out) {}

    private Call launch(Path script, String... args) throws Exception {
        return run(process(script, args));
    }

    private ProcessBuilder process(Path script, String... args) {
        List<String> command =
                Stream.concat(Stream.of(script.toString()), Stream.of(args)).toList();
        ProcessBuilder process =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        process.environment().remove("FAIRLEAD_BUILT");
        process.environment().remove("FAIRLEAD_JAVA_OPTS");
        process.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        process.environment().put("PATH", folder.resolve("tools") + ":" + System.getenv("PATH"));
        return process;
    }

    private static Call run(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.start();
        try {
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return new Call(process.exitValue(), out);
        } finally {
            process.destroyForcibly();
        }
    }
}
