package io.fairlead.dist;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/// How large files and methods are, counted on the syntax trees of the compiler itself.
final class Sizes {
    static final int MAX_FILE_LINES = 400;
    static final int MAX_METHOD_LINES = 50;
    static final int MAX_PARAMETERS = 7;
    static final int MAX_NESTING = 4;
    static final int MAX_TYPES = 60;

    private Sizes() {}

    /// Something too large: `where` is a file, `file#method`, or a room.
    record TooLarge(String where, long size, String unit, int limit) {
        @Override
        public String toString() {
            return "%s has %d %s; the limit is %d".formatted(where, size, unit, limit);
        }
    }

    /// Rooms with too many types; `schema` may hold more, most of them are small pure readers of one table.
    static List<TooLarge> tooManyTypes(String room, int types) {
        return types <= MAX_TYPES || room.equals("schema")
                ? List.of()
                : List.of(new TooLarge(room, types, "types", MAX_TYPES));
    }

    static List<TooLarge> tooLarge(Path root, List<Path> sources) {
        if (sources.isEmpty()) {
            return List.of();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            var task = (JavacTask)
                    compiler.getTask(null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            List<TooLarge> found = new ArrayList<>();
            for (CompilationUnitTree unit : task.parse()) {
                found.addAll(tooLarge(root, unit, positions));
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<TooLarge> tooLarge(Path root, CompilationUnitTree unit, SourcePositions positions) {
        String file = root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
        LineMap lines = unit.getLineMap();
        List<TooLarge> found = new ArrayList<>();
        long fileLines = lines.getLineNumber(positions.getEndPosition(unit, unit));
        if (fileLines > MAX_FILE_LINES) {
            found.add(new TooLarge(file, fileLines, "lines", MAX_FILE_LINES));
        }
        new TreeScanner<@Nullable Void, @Nullable Void>() {
            @Override
            public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
                long first = lines.getLineNumber(positions.getStartPosition(unit, method));
                long last = lines.getLineNumber(Math.max(0, positions.getEndPosition(unit, method)));
                if (last - first + 1 > MAX_METHOD_LINES) {
                    found.add(new TooLarge(file + "#" + method.getName(), last - first + 1, "lines", MAX_METHOD_LINES));
                }
                // A constructor has what its record has: fields of the API, or settings.
                int parameters = method.getParameters().size();
                if (method.getReturnType() != null && parameters > MAX_PARAMETERS) {
                    found.add(new TooLarge(file + "#" + method.getName(), parameters, "parameters", MAX_PARAMETERS));
                }
                int nesting = method.getBody() == null ? 0 : Nesting.of(method.getBody());
                if (nesting > MAX_NESTING) {
                    found.add(new TooLarge(file + "#" + method.getName(), nesting, "nested levels", MAX_NESTING));
                }
                return super.visitMethod(method, null);
            }
        }.scan(unit, null);
        return found;
    }
}
