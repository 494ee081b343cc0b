/** A submodule as `.gitmodules` describes it. */
export interface Submodule {
  readonly path: string;
  readonly url: string;
}

const SECTION = /^\[\s*submodule\s+"((?:[^"\\]|\\.)*)"\s*\]\s*(?:[#;].*)?$/i;
const SETTING = /^([a-z][a-z\d-]*)\s*=\s*(.*)$/i;

/**
 * Returns the submodules of `.gitmodules` by their paths. Lines that cannot be read are passed over; the last of equal
 * keys wins.
 * @see https://git-scm.com/docs/gitmodules
 */
export function parseGitmodules(text: string): ReadonlyMap<string, Submodule> {
  const sections = new Map<string, Map<string, string>>();
  let section: Map<string, string> | undefined;
  for (const line of text.replaceAll(/\\\r?\n/g, '').split(/\r?\n/)) {
    const trimmed = line.trim();
    if (trimmed.startsWith('[')) {
      const name = SECTION.exec(trimmed)?.[1];
      section = name === undefined ? undefined : (sections.get(name) ?? new Map());
      if (name !== undefined && section) sections.set(name, section);
    } else {
      const [, key = '', value = ''] = SETTING.exec(trimmed) ?? [];
      section?.set(key.toLowerCase(), plainValue(value));
    }
  }
  const submodules = [...sections.values()].flatMap((settings) => {
    const [path, url] = [settings.get('path'), settings.get('url')];
    return path === undefined || url === undefined ? [] : [[path, { path, url }] as const];
  });
  return new Map(submodules);
}

/** Returns a value without quotes, escapes and a comment at its end. */
function plainValue(text: string): string {
  let value = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    else if (character === '\\') value += ESCAPES[text.charAt(++at)] ?? text.charAt(at);
    else if (!isQuoted && (character === '#' || character === ';')) break;
    else value += character;
  }
  return value.trim();
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' };
