package io.fairlead.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/// Source text that breaks a rule on purpose, compiled for real: it shows that the rule can fail.
record Planted(Path folder) {

    /// The compiled form of a source whose only top-level type is `name`.
    CompiledClass compile(String room, String name, String body) throws IOException {
        String text = "package io.fairlead.%s;\n%s\n".formatted(room, body);
        Path source = write(name, text);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of("-d", folder.toString(), "-proc:none");
            boolean compiled = compiler.getTask(null, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            if (!compiled) {
                throw new IllegalArgumentException("does not compile: " + text);
            }
        }
        return CompiledClass.read(folder.resolve("io/fairlead/%s/%s.class".formatted(room, name)));
    }

    Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name + ".java"), text);
    }
}
