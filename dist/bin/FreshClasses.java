import java.io.IOException;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Writes the old classes of a jar in today's form: `java FreshClasses.java JAR`.
///
/// The JVM keeps no class of before Java 6 in its cache of started programs, because it would have to verify it anew. A
/// library of such classes then costs every start a fifth of a second. The code stays what it is; what is added is the
/// stack maps that a newer verifier reads.
final class FreshClasses {
    private static final int OLD = ClassFile.JAVA_6_VERSION;
    private static final int FRESH = ClassFile.JAVA_8_VERSION;

    public static void main(String[] args) throws IOException {
        Path jar = Path.of(args[0]);
        try (var loader = new URLClassLoader(new URL[] {jar.toUri().toURL()});
                FileSystem files = FileSystems.newFileSystem(jar)) {
            ClassFile writer = ClassFile.of(
                    ClassFile.ConstantPoolSharingOption.NEW_POOL,
                    ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                    ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(loader)
                            .orElse(ClassHierarchyResolver.defaultResolver())));
            for (Path file : classes(files)) {
                ClassModel old = writer.parse(file);
                if (old.majorVersion() < OLD) {
                    Files.write(file, writer.transformClass(old, (fresh, element) -> {
                        ClassElement kept =
                                element instanceof ClassFileVersion ? ClassFileVersion.of(FRESH, 0) : element;
                        fresh.with(kept);
                    }));
                }
            }
        }
    }

    private static List<Path> classes(FileSystem files) throws IOException {
        try (Stream<Path> all = Files.walk(files.getPath("/"))) {
            return all.filter(file -> file.toString().endsWith(".class")).toList();
        }
    }
}
