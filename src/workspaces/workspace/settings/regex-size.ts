/** Elements that RE2 makes of a Unicode class such as `\pL`, roughly. */
const UNICODE_CLASS_ELEMENTS = 20;

/** Parts of an expression: escapes, classes, groups, counted repetitions, and single characters. */
const PART =
  /\\[pP](?:\{\^?\w+\}|\w)|\\Q(?<quoted>.*?)(?:\\E|$)|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\\\]])*\]|(?<open>\()(?:\?(?:P?<\w*>|[imsU-]*:?))?|(?<close>\))|\{(?<least>\d+)(?:,(?<most>\d*))?\}|./gsu;

/**
 * Returns roughly how many elements a regular expression has after its counted repetitions are expanded, as RE2 does.
 * An expression of 20 characters may have 20,000, whose compilation takes hundreds of milliseconds.
 */
export function regexSize(text: string): number {
  const open = [0];
  let last = 0;
  const add = (size: number) => {
    last = size;
    open[open.length - 1] = (open.at(-1) ?? 0) + size;
  };
  for (const { 0: part, groups = {} } of text.matchAll(PART)) {
    if (groups.open) open.push(0);
    else if (groups.close && open.length > 1) add(open.pop() ?? 0);
    else if (groups.least) add(last * (Math.max(Number(groups.least), Number(groups.most || 0)) - 1));
    else add(groups.quoted?.length ?? (/\\[pP]/.test(part) ? UNICODE_CLASS_ELEMENTS : 1));
  }
  return open.reduce((total, size) => total + size, 0);
}
