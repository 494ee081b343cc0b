/**
 * Prepares a string for the comparison of names (RFC 5280 §7.1, RFC 4518): map, normalize, fold case, remove
 * insignificant spaces. Two names are equal if their prepared strings are.
 */
export function prepareForComparison(text: string): string {
  return squeezeSpaces(isPlain(text) ? text.toLowerCase() : prepareUnicode(text));
}

/** Returns whether the text is printable ASCII, like nearly every name: only case and spaces matter then. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

/** Characters that count as a space (RFC 4518 §2.2). */
const SPACE = /[\t\n\v\f\r\u0085\p{Z}]/gu;
/**
 * Characters that are removed (RFC 4518 §2.2): other controls, format characters, and some that only affect how
 * neighbours are displayed.
 */
const NOTHING = /\p{Cc}|\p{Cf}|\p{Variation_Selector}|\u034f|\u1806|\ufffc/gu;

function prepareUnicode(text: string): string {
  return foldCase(text.replace(SPACE, ' ').replace(NOTHING, '').normalize('NFKC'));
}

/**
 * Case folding of RFC 3454 B.2: lower case, except for ß and the final sigma. The result is normalized again, because
 * folding can undo normalization.
 */
function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ').normalize('NFKC');
}

/** Spaces at both ends do not count, and several spaces count as one (RFC 4518 §2.6.1). */
function squeezeSpaces(text: string): string {
  const trimmed = text.startsWith(' ') || text.endsWith(' ') ? text.trim() : text;
  return trimmed.includes('  ') ? trimmed.replace(/ +/g, ' ') : trimmed;
}
