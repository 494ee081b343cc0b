/**
 * RE2 syntax that JavaScript writes differently: quoted text, classes that start with a bracket, named groups,
 * repeated anchors, flags for the rest of the pattern or for a group.
 */
const RE2_ONLY =
  /(?<quoted>\\Q.*?(?:\\E|$))|(?<anchor>\\[AzbB]|[$^])|\\.|\[\^?(?<bracket>\])?(?:\\.|\[:\^?\w+:\]|[^\\\]])*\]|(?<named>\(\?P<)|\(\?-?[imsU][imsU-]*(?<flags>[:)])/gs;

/**
 * Returns whether a text is a valid regular expression in RE2 or JavaScript, the two syntaxes that users write for
 * tags (spec §4.1). The pattern is only parsed, never run. RE2 syntax is translated to JavaScript first, because RE2
 * parsers expand `x{1000}`, which takes hundreds of milliseconds.
 */
export function isTagsRegex(text: string): boolean {
  return parses(text) || parses(text.replace(RE2_ONLY, inJavaScript));
}

function inJavaScript(found: string, ...rest: unknown[]): string {
  const { quoted, anchor, bracket, named, flags } = rest.at(-1) as Record<string, string | undefined>;
  if (quoted) return 'q';
  if (anchor) return '(?:)';
  if (bracket) return found.replace(']', '\\]');
  if (named) return '(?<';
  if (flags) return flags === ':' ? '(?:' : '(?:)';
  return found;
}

function parses(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
