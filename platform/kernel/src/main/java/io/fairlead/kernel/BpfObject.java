package io.fairlead.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What a compiler made for BPF: programs, and the maps they name. Read from an ELF file, without touching the kernel.
///
/// Of ELF it knows what `clang -target bpf` writes for our sources: each program in a section of its own, the maps as
/// variables of the section `maps` (five numbers each), and relocations where a program names a map.
public record BpfObject(Map<String, BpfMap.Shape> maps, List<Code> programs, String license) {
    private static final int MAGIC = 0x464c457f;
    private static final int MACHINE_BPF = 247;
    private static final int SECTION_PROGBITS = 1;
    private static final int SECTION_SYMTAB = 2;
    private static final int SECTION_REL = 9;
    private static final int FLAG_EXECUTABLE = 4;
    private static final int SYMBOL_SIZE = 24;
    private static final int RELOCATION_SIZE = 16;
    private static final int MAP_SIZE = 20;

    /// A program before it is loaded: `mapsAt` says at which byte it names which map.
    public record Code(String name, String section, byte[] instructions, Map<Integer, String> mapsAt) {}

    public BpfObject {
        maps = Map.copyOf(maps);
        programs = List.copyOf(programs);
    }

    /// Reads an object; throws [IllegalArgumentException] for anything else.
    public static BpfObject parse(byte[] file) {
        return new Reader(file).object();
    }

    private record Section(String name, int type, long flags, int offset, int size, int link, int appliesTo) {}

    private record Symbol(String name, int section, int value) {}

    private static final class Reader {
        private final ByteBuffer file;
        private final List<Section> sections = new ArrayList<>();
        private final List<Symbol> symbols = new ArrayList<>();

        private Reader(byte[] bytes) {
            file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            if (bytes.length < 64 || file.getInt(0) != MAGIC || file.getShort(18) != MACHINE_BPF) {
                throw new IllegalArgumentException("this is no ELF object for little-endian BPF");
            }
            readSections();
            readSymbols();
        }

        private void readSections() {
            int table = (int) file.getLong(40);
            int entrySize = file.getShort(58);
            int count = file.getShort(60);
            int names = (int) file.getLong(table + file.getShort(62) * entrySize + 24);
            for (int i = 0; i < count; i++) {
                int at = table + i * entrySize;
                sections.add(new Section(
                        text(names + file.getInt(at)),
                        file.getInt(at + 4),
                        file.getLong(at + 8),
                        (int) file.getLong(at + 24),
                        (int) file.getLong(at + 32),
                        file.getInt(at + 40),
                        file.getInt(at + 44)));
            }
        }

        private void readSymbols() {
            for (Section section : sections) {
                if (section.type == SECTION_SYMTAB) {
                    int names = sections.get(section.link).offset;
                    for (int at = section.offset; at < section.offset + section.size; at += SYMBOL_SIZE) {
                        symbols.add(new Symbol(
                                text(names + file.getInt(at)), file.getShort(at + 6), (int) file.getLong(at + 8)));
                    }
                }
            }
        }

        private BpfObject object() {
            Map<String, BpfMap.Shape> maps = new HashMap<>();
            List<Code> programs = new ArrayList<>();
            String license = "";
            for (int i = 0; i < sections.size(); i++) {
                Section section = sections.get(i);
                if (section.name.equals("maps")) {
                    addMaps(i, section, maps);
                } else if (section.name.equals("license")) {
                    license = text(section.offset);
                } else if (isProgram(section)) {
                    programs.add(code(i, section));
                }
            }
            return new BpfObject(maps, programs, license);
        }

        private static boolean isProgram(Section section) {
            return section.type == SECTION_PROGBITS && (section.flags & FLAG_EXECUTABLE) != 0 && section.size > 0;
        }

        private void addMaps(int number, Section section, Map<String, BpfMap.Shape> maps) {
            for (Symbol symbol : symbols) {
                if (symbol.section == number && !symbol.name.isEmpty() && symbol.value + MAP_SIZE <= section.size) {
                    int at = section.offset + symbol.value;
                    maps.put(
                            symbol.name,
                            new BpfMap.Shape(
                                    symbol.name,
                                    file.getInt(at),
                                    file.getInt(at + 4),
                                    file.getInt(at + 8),
                                    file.getInt(at + 12),
                                    file.getInt(at + 16)));
                }
            }
        }

        private Code code(int number, Section section) {
            String name = symbols.stream()
                    .filter(symbol -> symbol.section == number && symbol.value == 0 && isName(symbol.name))
                    .map(Symbol::name)
                    .findFirst()
                    .orElse(section.name);
            byte[] instructions = Arrays.copyOfRange(file.array(), section.offset, section.offset + section.size);
            return new Code(name, section.name, instructions, mapsAt(number));
        }

        /// Not a label inside a function.
        private static boolean isName(String name) {
            return !name.isEmpty() && Character.isLetter(name.charAt(0)) && !name.startsWith("LBB");
        }

        private Map<Integer, String> mapsAt(int number) {
            Map<Integer, String> at = new HashMap<>();
            for (Section section : sections) {
                if (section.type == SECTION_REL && section.appliesTo == number) {
                    for (int entry = section.offset; entry < section.offset + section.size; entry += RELOCATION_SIZE) {
                        Symbol symbol = symbols.get((int) (file.getLong(entry + 8) >>> 32));
                        at.put((int) file.getLong(entry), symbol.name);
                    }
                }
            }
            return Map.copyOf(at);
        }

        private String text(int offset) {
            int end = offset;
            while (file.get(end) != 0) {
                end++;
            }
            return new String(file.array(), offset, end - offset, StandardCharsets.US_ASCII);
        }
    }
}
