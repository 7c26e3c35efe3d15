package dev.weir.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.QuotaBook;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A whole book as JSON, for the wire and for the disk: {@code {generation, domains: [...]}}, each
 * domain as a quota file has it. Equal books give equal bytes.
 */
public final class BookJson {
  private static final JsonFactory JSON = new JsonFactory();

  private BookJson() {}

  /** Returns the bytes of a book. */
  public static byte[] encode(QuotaBook book) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = JSON.createGenerator(bytes)) {
      out.writeStartObject();
      out.writeNumberField("generation", book.generation());
      out.writeArrayFieldStart("domains");
      for (DomainBook domain : book.domains().values()) {
        new QuotaWriter(out).domain(domain);
      }
      out.writeEndArray();
      out.writeEndObject();
    } catch (IOException cannotHappen) {
      throw new IllegalStateException("writing to memory", cannotHappen);
    }
    return bytes.toByteArray();
  }

  /**
   * Returns the book of these bytes.
   *
   * @param name where they came from, for messages
   * @throws ConfigException if they are no book
   */
  public static QuotaBook decode(String name, byte[] bytes) {
    Problems problems = new Problems();
    String text = text(name, bytes, problems);
    Node root = text == null ? null : NodeReader.read(name, text, problems);
    Section book = root == null ? null : Section.of("a quota book", root, problems);
    if (book == null) {
      throw new ConfigException(problems.errors());
    }
    book.require("generation");
    book.require("domains");
    long generation = book.value("generation", BookJson::generation, 0L);
    List<DomainDraft> drafts = new ArrayList<>();
    for (Node item : book.items("domains")) {
      DomainDraft draft = DomainDraft.read(item, problems);
      if (draft != null) {
        drafts.add(draft);
      }
    }
    book.close();
    if (QuotaFile.merge(drafts, problems) instanceof QuotaFile.Accepted accepted) {
      return new QuotaBook(generation, accepted.domains());
    }
    throw new ConfigException(problems.errors());
  }

  private static @Nullable String text(String name, byte[] bytes, Problems problems) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException malformed) {
      problems.error(Place.of(name), TextFile.reason(malformed));
      return null;
    }
  }

  private static long generation(String text) throws BadValue {
    try {
      long generation = Long.parseLong(text);
      if (generation >= 0) {
        return generation;
      }
    } catch (NumberFormatException notANumber) {
      throw new BadValue("is not a generation");
    }
    throw new BadValue("must not be negative");
  }
}
