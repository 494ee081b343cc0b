/**
 * String preparation for comparing names (RFC 5280 §7.1, RFC 4518): map, normalise, fold case, squeeze spaces. Texts that
 * come out the same are the same name.
 */
export function prepareForComparison(text: string): string {
  return squeezeSpaces(isPlain(text) ? text.toLowerCase() : prepareUnicode(text));
}

/** Printable ASCII, nearly every name there is: nothing but case and spaces to see to. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

/** Count as a space (RFC 4518 §2.2). */
const SPACE = /[\t\n\v\f\r\u0085\p{Z}]/gu;
/** Map to nothing (RFC 4518 §2.2): other controls, format characters, and a few that only steer how neighbours look. */
const NOTHING = /\p{Cc}|\p{Cf}|\p{Variation_Selector}|\u034f|\u1806|\ufffc/gu;

function prepareUnicode(text: string): string {
  return foldCase(text.replace(SPACE, ' ').replace(NOTHING, '').normalize('NFKC'));
}

/** The case folding of RFC 3454 B.2: lower case, but for ß and the final sigma; normalised again, as folding can undo it. */
function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ').normalize('NFKC');
}

/** Spaces at either end do not count, and several count as one (RFC 4518 §2.6.1). */
function squeezeSpaces(text: string): string {
  const trimmed = text.startsWith(' ') || text.endsWith(' ') ? text.trim() : text;
  return trimmed.includes('  ') ? trimmed.replace(/ +/g, ' ') : trimmed;
}
