package io.fairlead.commands;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.ParseException;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads the values of options that are addresses; what is none is refused in a sentence of its own.
final class AddressOption {
    private AddressOption() {}

    static final class OfIp implements ITypeConverter<Ip> {
        @Override
        public Ip convert(String text) {
            return read(text, Ip::parse);
        }
    }

    static final class OfCidr implements ITypeConverter<Cidr> {
        @Override
        public Cidr convert(String text) {
            return read(text, Cidr::parse);
        }
    }

    static final class OfIpPort implements ITypeConverter<IpPort> {
        @Override
        public IpPort convert(String text) {
            return read(text, IpPort::parse);
        }
    }

    static <T> T read(String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (ParseException | IllegalArgumentException e) {
            throw new TypeConversionException("\"%s\": %s".formatted(text, e.getMessage()));
        }
    }
}
