import { RE2JS } from 're2js';
import { lruCache } from '../../../lib/lru-cache.ts';
import { regexSize } from './regex-size.ts';

/**
 * Maximum size of a regular expression for tags. Counted repetitions are expanded: `(ab){50}` has 100 elements.
 * @limit size of `tags-regex` with repetitions expanded, elements -> 422; a stored one starts no runs
 */
export const MAX_REGEX_ELEMENTS = 1_024;
/** Maximum number of compiled expressions in memory. */
const MAX_CACHED = 500;

/** A compiled expression, or why it cannot be run. */
export type TagsRegex = { matches(tag: string): boolean } | { readonly problem: string };

const compiled = lruCache<string, TagsRegex>(MAX_CACHED);

/**
 * Returns the compiled expression. It matches if it is found anywhere in a tag: `^v` matches `v1.0`. The engine is RE2:
 * its time is linear in the tag, and it has neither look-around nor back-references.
 */
export function tagsRegexOf(text: string): TagsRegex {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const regex = compile(text);
  compiled.set(text, regex);
  return regex;
}

function compile(text: string): TagsRegex {
  if (regexSize(text) > MAX_REGEX_ELEMENTS) {
    return { problem: `It has more than ${MAX_REGEX_ELEMENTS} elements with its repetitions expanded. Write + or *.` };
  }
  try {
    const regex = RE2JS.compile(text);
    return { matches: (tag) => regex.test(tag) };
  } catch {
    return {
      problem: 'RE2 does not support its syntax. Write it without look-around, back-references and \\u escapes.',
    };
  }
}

/**
 * RE2 syntax that JavaScript writes differently: quoted text, classes that start with a bracket, named groups,
 * repeated anchors, flags for the rest of the pattern or for a group.
 */
const RE2_ONLY =
  /(?<quoted>\\Q.*?(?:\\E|$))|(?<anchor>\\[AzbB]|[$^])|\\.|\[\^?(?<bracket>\])?(?:\\.|\[:\^?\w+:\]|[^\\\]])*\]|(?<named>\(\?P<)|\(\?-?[imsU][imsU-]*(?<flags>[:)])/gs;

/**
 * Returns whether a text is a valid regular expression in RE2 or JavaScript, the two syntaxes that users write for
 * tags (spec §4.1). Tells a typing error from an expression that is right but cannot be run (`tagsRegexOf`).
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
