import java.text.BreakIterator;
import java.util.Locale;

/** Prints, for runs of code points, how they affect Java's word breaks. */
public class WordClasses {
    // Contexts in which the word breaks around a character distinguish the classes.
    static final String[] PLACES = {"A@A", "1@1", "A@1", "!@!"};

    static String breaks(String text) {
        BreakIterator words = BreakIterator.getWordInstance(Locale.ROOT);
        words.setText(text);
        StringBuilder found = new StringBuilder();
        // Iterate: queries for a position after a letter beyond U+FFFF are not consistent.
        for (int at = words.first(); at != BreakIterator.DONE; at = words.next()) {
            found.append(at).append('.');
        }
        return found.toString();
    }

    static String place(int c, String place) {
        String found = breaks(place.replace("@", new String(Character.toChars(c))));
        int length = Character.charCount(c);
        return found.replace(String.valueOf(1 + length) + ".", "b").replace(String.valueOf(2 + length) + ".", "c");
    }

    /** Whether a letter counts for the final sigma. `1` is not a letter and does not break words. */
    static boolean cased(int c) {
        String before = c > 0xffff ? "" : "1";
        String text = before + new String(Character.toChars(c)) + "\u03a3";
        return text.toLowerCase(Locale.ROOT).endsWith("\u03c2");
    }

    static String name(int c) {
        String letters = place(c, PLACES[0]);
        String digits = place(c, PLACES[1]);
        String mixed = place(c, PLACES[2]);
        String alone = place(c, PLACES[3]);
        boolean inWord = letters.equals("0.c");
        boolean inNumber = digits.equals("0.c");
        boolean between = mixed.equals("0.c");
        if (inWord && inNumber && between) {
            // A letter starts a word after another character; marks and format characters do not.
            if (!alone.startsWith("0.1.")) {
                String first = breaks(new String(Character.toChars(c)) + "A");
                boolean ignored = first.equals("0." + (Character.charCount(c) + 1) + ".");
                return ignored ? "Format" : cased(c) ? "CasedMark" : "Mark";
            }
            boolean digit = breaks("A." + new String(Character.toChars(c))).startsWith("0.1.");
            if (digit) return cased(c) ? "CasedDigit" : "Digit";
            return cased(c) ? "CasedLetter" : "Letter";
        }
        if (between) return "Danda";
        if (inWord && inNumber) return "MidBoth";
        if (inWord) return "MidWord";
        if (inNumber) return "MidNumber";
        return "Other";
    }

    public static void main(String[] arguments) {
        String last = "Other";
        for (int c = 0; c < 0x110000; c++) {
            boolean surrogate = c >= 0xd800 && c < 0xe000;
            String name = surrogate ? "Other" : name(c);
            if (!name.equals(last)) System.out.println(Integer.toHexString(c) + " " + name);
            last = name;
        }
    }
}
