import type { Form } from './form.ts';
import { isHostName } from './host-name.ts';

const WILDCARD = '*.';

/** Names and bases in lower case. `''` as a base is every name. */
export const dnsForm: Form<string, string> = {
  type: 'dns',
  name: (name) => (name.type === 'dns' ? hostPattern(name.value) : undefined),
  base: (base) => (base.type === 'dns' ? hostBase(base.value) : undefined),
  isWithin,
  overlaps: (name, base) => isWithin(name, base) || wildcardCovers(name, base),
};

/** A host name, or one with `*` in place of its first label. */
function hostPattern(text: string): string | undefined {
  const host = text.startsWith(WILDCARD) ? text.slice(WILDCARD.length) : text;
  return isHostName(host) ? text.toLowerCase() : undefined;
}

function hostBase(text: string): string | undefined {
  return text === '' || isHostName(text) ? text.toLowerCase() : undefined;
}

/** The same name, or one with more labels to the left. */
function isWithin(name: string, base: string): boolean {
  return base === '' || name === base || name.endsWith(`.${base}`);
}

/** `*.example.com` stands for `a.example.com`, and so for a name that may be excluded. */
function wildcardCovers(name: string, base: string): boolean {
  return name.startsWith(WILDCARD) && base.slice(base.indexOf('.') + 1) === name.slice(WILDCARD.length);
}
