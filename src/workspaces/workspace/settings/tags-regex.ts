/**
 * What RE2 writes otherwise than JavaScript: quoted text, classes that begin with a bracket, named groups, anchors that
 * are repeated, flags for all that follows or for one group.
 */
const RE2_ONLY =
  /(?<quoted>\\Q.*?(?:\\E|$))|(?<anchor>\\[AzbB]|[$^])|\\.|\[\^?(?<bracket>\])?(?:\\.|\[:\^?\w+:\]|[^\\\]])*\]|(?<named>\(\?P<)|\(\?-?[imsU][imsU-]*(?<flags>[:)])/gs;

/**
 * Whether a text is a regular expression in RE2 or in JavaScript, which is what people write for tags (spec §4.1). It is
 * only parsed, never run. What RE2 alone has is said in JavaScript first: its own parsers expand `x{1000}`, which costs
 * hundreds of milliseconds.
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
