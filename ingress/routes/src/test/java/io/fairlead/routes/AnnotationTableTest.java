package io.fairlead.routes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class AnnotationTableTest {
    private static final Path PAGE =
            Path.of(System.getProperty("fairlead.root", "../..")).resolve("docs/reference/ingress-annotations.md");

    @Test
    void the_page_of_annotations_is_what_the_code_says() throws IOException {
        if (System.getProperty("golden", "compare").equals("update")) {
            Files.writeString(PAGE, AnnotationTable.page());
        }
        assertThat(AnnotationTable.page()).as("-Dgolden=update rewrites it").isEqualTo(Files.readString(PAGE));
    }
}
