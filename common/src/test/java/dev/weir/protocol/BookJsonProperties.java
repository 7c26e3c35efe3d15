package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.quota.QuotaBook;
import dev.weir.testkit.Seeds;
import java.util.Random;

class BookJsonProperties {
  @Seeds
  void aBookComesBackAsItWas(Random random) {
    QuotaBook book = Books.book(random);
    assertThat(BookJson.decode(BookJson.encode(book))).isEqualTo(new Parsed.Message<>(book));
  }

  @Seeds
  void aBookThatIsCutShortIsMalformed(Random random) {
    String text = BookJson.encode(Books.book(random));
    String cut = text.substring(0, random.nextInt(text.length()));
    assertThat(BookJson.decode(cut)).isInstanceOf(Parsed.Malformed.class);
  }

  @Seeds
  void aBookWithOneCharacterChangedNeverThrows(Random random) {
    StringBuilder text = new StringBuilder(BookJson.encode(Books.book(random)));
    text.setCharAt(random.nextInt(text.length()), (char) (' ' + random.nextInt(95)));
    assertThat(BookJson.decode(text.toString())).isNotNull();
  }
}
