package dev.weir.sim.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The continents of top-level domains, as the United Nations' geoscheme has countries, but for
 * Cyprus, which is in Europe here. The domains that only the United States use are North America's.
 * All other domains, addresses and names without a dot are {@link #OTHER}.
 */
enum Continent {
  EUROPE(
      "eu-west",
      "ad al at ax ba be bg by ch cy cz de dk ee es eu fi fo fr gb gg gi gr hr hu ie im is it je li"
          + " lt lu lv mc md me mk mt nl no pl pt ro rs ru se si sj sk sm su ua uk va xk"),
  AFRICA(
      "eu-west",
      "ac ao bf bi bj bw cd cf cg ci cm cv dj dz eg eh er et ga gh gm gn gq gw io ke km lr ls ly ma"
          + " mg ml mr mu mw mz na ne ng re rw sc sd sh sl sn so ss st sz td tf tg tn tz ug yt za"
          + " zm zw"),
  NORTH_AMERICA(
      "us-east",
      "ag ai aw bb bl bm bq bs bz ca cr cu cw dm do edu gd gl gov gp gt hn ht jm kn ky lc mf mil mq"
          + " ms mx ni pa pm pr sv sx tc tt us vc vg vi"),
  SOUTH_AMERICA("us-east", "ar bo br bv cl co ec fk gf gs gy pe py sr uy ve"),
  ASIA(
      "ap-south",
      "ae af am asia az bd bh bn bt cn ge hk id il in iq ir jo jp kg kh kp kr kw kz la lb lk mm mn"
          + " mo mv my np om ph pk ps qa sa sg sy th tj tl tm tr tw uz vn ye"),
  OCEANIA(
      "ap-south",
      "aq as au cc ck cx fj fm gu hm ki mh mp nc nf nr nu nz pf pg pn pw sb tk to tv um vu wf ws"),
  OTHER("us-east", "");

  private static final Map<String, Continent> BY_DOMAIN = new HashMap<>();

  static {
    for (Continent continent : values()) {
      for (String domain : continent.domains.split(" ", -1)) {
        BY_DOMAIN.put(domain, continent);
      }
    }
  }

  private final String usualRegion;
  private final String domains;

  Continent(String usualRegion, String domains) {
    this.usualRegion = usualRegion;
    this.domains = domains;
  }

  /** Returns the continent of a top-level domain in lower case. */
  static Continent of(String domain) {
    return BY_DOMAIN.getOrDefault(domain, OTHER);
  }

  /** Returns all words, for messages. */
  static String words() {
    List<String> words = new ArrayList<>();
    for (Continent continent : values()) {
      words.add(continent.word());
    }
    return String.join(", ", words);
  }

  /** Its region unless another is said. */
  String usualRegion() {
    return usualRegion;
  }

  /** Its name in options. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
