package io.fairlead.resolver;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Master;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/// What a server elsewhere says.
final class Answers {
    private Answers() {}

    /// These records, whatever the question is.
    static Function<Message, Message> of(String... lines) {
        List<Record> records = Arrays.stream(lines).map(Answers::record).toList();
        return question -> {
            Message answer = to(question, question.getQuestion());
            records.forEach(record -> answer.addRecord(record, Section.ANSWER));
            return answer;
        };
    }

    /// The record where it is asked for, and else that there is no such name.
    static Function<Message, Message> orNone(String line) {
        Record record = record(line);
        return question -> {
            Message answer = to(question, question.getQuestion());
            if (question.getQuestion().getName().equals(record.getName())) {
                answer.addRecord(record, Section.ANSWER);
            } else {
                answer.getHeader().setRcode(Rcode.NXDOMAIN);
            }
            return answer;
        };
    }

    /// The same answers, to a question in small letters.
    static Function<Message, Message> inSmallLetters(Function<Message, Message> answers) {
        return question -> {
            Record asked = question.getQuestion();
            Name small = Name.fromConstantString(asked.getName().toString().toLowerCase(Locale.ROOT));
            Message answer = to(question, Record.newRecord(small, asked.getType(), asked.getDClass()));
            answers.apply(question)
                    .getSection(Section.ANSWER)
                    .forEach(record -> answer.addRecord(record, Section.ANSWER));
            return answer;
        };
    }

    private static Message to(Message question, Record asked) {
        Message answer = new Message(question.getHeader().getID());
        answer.getHeader().setFlag(Flags.QR);
        answer.addRecord(asked, Section.QUESTION);
        return answer;
    }

    private static Record record(String line) {
        try (Master master = new Master(new ByteArrayInputStream(line.getBytes(StandardCharsets.UTF_8)))) {
            return master.nextRecord();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
