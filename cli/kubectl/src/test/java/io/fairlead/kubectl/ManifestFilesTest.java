package io.fairlead.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class ManifestFilesTest {
    private static final String SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: hello}\n";
    private static final String NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n";

    @TempDir
    Path folder;

    @Test
    void every_document_of_a_file_becomes_an_object_in_the_namespace_of_the_command() throws IOException {
        Path file = write("both.yaml", SERVICE + "---\n" + NODE);
        List<Manifest> manifests = read("", file.toString());
        assertThat(manifests).extracting(Manifest::kind).containsExactly(Kind.SERVICE, Kind.NODE);
        assertThat(manifests)
                .extracting(Manifest::key)
                .containsExactly(new NamespacedName("default", "hello"), new NamespacedName("", "node-1"));
        assertThat(manifests.get(1).place()).isEqualTo("\"%s\" (document 2)".formatted(file));
        assertThat(read("web", file.toString()).getFirst().key()).isEqualTo(new NamespacedName("web", "hello"));
    }

    @Test
    void a_list_stands_for_its_items() throws IOException {
        Path file = write("list.json", """
            {"apiVersion": "v1", "kind": "List", "items": [
              {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}},
              {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "b"}}]}\
            """);
        assertThat(read("", file.toString())).extracting(Manifest::reference).containsExactly("service/a", "service/b");
    }

    @Test
    void a_folder_stands_for_its_manifests_in_order() throws IOException {
        write("2.yml", SERVICE);
        write("1.yaml", NODE);
        write("notes.txt", "no manifest");
        assertThat(read("", folder.toString()))
                .extracting(Manifest::reference)
                .containsExactly("node/node-1", "service/hello");
    }

    @Test
    void a_dash_stands_for_the_standard_input() {
        InputStream input = new ByteArrayInputStream(SERVICE.getBytes(StandardCharsets.UTF_8));
        assertThat(ManifestFiles.read(List.of("-"), new NamespaceOptions(), input))
                .extracting(Manifest::place)
                .containsExactly("\"standard input\" (document 1)");
    }

    @Test
    void one_error_names_all_faults_of_all_files() throws IOException {
        Path broken = write("broken.yaml", "spec:\n  type: ClusterIP\n  sessionAffinity:ClientIP\n  ports: []\n");
        Path wrong = write(
                "wrong.yaml",
                SERVICE + "---\napiVersion: v1\nkind: Servce\nmetadata: {name: x}\n---\nkind: Pod\n---\n- a\n");
        assertThatThrownBy(() -> read("", broken.toString(), wrong.toString(), "nowhere.yaml"))
                .isInstanceOf(CommandException.class)
                .message()
                .contains("error: \"%s\": line 4, column 3: ".formatted(broken))
                .contains("a space is missing after the colon in \"sessionAffinity:ClientIP\"")
                .contains("error: \"%s\" (document 2): kind: no matches for kind \"Servce\" in version \"v1\""
                        .formatted(wrong))
                .contains("error: \"%s\" (document 3): apiVersion: Required value".formatted(wrong))
                .contains("error: \"%s\" (document 3): metadata.name: Required value".formatted(wrong))
                .contains("error: \"%s\" (document 4): an object is a mapping".formatted(wrong))
                .contains("error: the path \"nowhere.yaml\" does not exist");
    }

    @Test
    void a_namespace_may_not_be_said_in_two_ways() throws IOException {
        Path file = write("web.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: web}\n");
        assertThat(read("", file.toString()).getFirst().key()).isEqualTo(new NamespacedName("web", "a"));
        assertThat(read("web", file.toString())).hasSize(1);
        assertThatThrownBy(() -> read("shop", file.toString()))
                .hasMessageContaining("metadata.namespace: \"web\" does not match the namespace \"shop\" of -n");
    }

    @Test
    void a_file_without_an_object_is_no_silent_success() throws IOException {
        Path file = write("empty.yaml", "# nothing\n");
        assertThatThrownBy(() -> read("", file.toString())).hasMessage("error: there is no object in " + file);
    }

    @Test
    void a_file_that_is_no_text_is_refused() throws IOException {
        Path file = folder.resolve("bytes.yaml");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertThatThrownBy(() -> read("", file.toString())).hasMessageContaining("is not a text in UTF-8");
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static List<Manifest> read(String namespace, String... files) {
        NamespaceOptions options = new NamespaceOptions();
        String[] args = namespace.isEmpty() ? new String[0] : new String[] {"-n", namespace};
        new CommandLine(CommandLine.Model.CommandSpec.create()
                        .addMixin("n", CommandLine.Model.CommandSpec.forAnnotatedObject(options)))
                .parseArgs(args);
        return ManifestFiles.read(Arrays.asList(files), options, InputStream.nullInputStream());
    }
}
