package io.fairlead.dist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// What a compiled class names: other classes, and the members it uses of them.
///
/// @param name    as in `io.fairlead.api.Service$Port`
/// @param classes every class it names, in code, in signatures and in annotations
/// @param members every method and field it uses, as in `java.time.Instant.now`
record CompiledClass(String name, Set<String> classes, Set<String> members) {
    // Types stand as bare names in class entries, and as Lname; in descriptors and signatures.
    private static final Pattern IN_DESCRIPTOR = Pattern.compile("L([a-zA-Z_$][\\w$]*(?:/[\\w$]+)+)[;<]");

    static CompiledClass read(Path file) {
        try {
            return of(ClassFile.of().parse(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static CompiledClass of(ClassModel model) {
        Set<String> classes = new TreeSet<>();
        Set<String> members = new TreeSet<>();
        for (PoolEntry entry : model.constantPool()) {
            switch (entry) {
                case ClassEntry type -> classes.add(dotted(type.asInternalName()));
                case MemberRefEntry member ->
                    members.add(dotted(member.owner().asInternalName()) + "."
                            + member.name().stringValue());
                case Utf8Entry text ->
                    IN_DESCRIPTOR.matcher(text.stringValue()).results().forEach(m -> classes.add(dotted(m.group(1))));
                default -> {}
            }
        }
        return new CompiledClass(dotted(model.thisClass().asInternalName()), classes, members);
    }

    /// The room it lives in: `api` for `io.fairlead.api.Service`.
    String room() {
        return roomOf(name);
    }

    /// The outermost class that holds it, without the package.
    String topLevelName() {
        String simple = name.substring(name.lastIndexOf('.') + 1);
        int nested = simple.indexOf('$');
        return nested < 0 ? simple : simple.substring(0, nested);
    }

    static String roomOf(String className) {
        return className.startsWith("io.fairlead.") ? className.split("\\.", -1)[2] : "";
    }

    private static String dotted(String internalName) {
        return internalName.replace('/', '.');
    }
}
