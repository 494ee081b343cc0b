import type { Form } from './form.ts';
import { type HostBase, hostBase, isHostName } from './host-name.ts';

const WILDCARD = '*.';

/**
 * Names in lower case. RFC 5280 gives a base with a leading dot no meaning for DNS names. Go and OpenSSL take it as URIs do:
 * every name below the host, and not the host.
 */
export const dnsForm: Form<string, HostBase> = {
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

/** A name with more labels to the left, or the host itself unless the base has a leading dot. */
function isWithin(name: string, { host, onlyBelow }: HostBase): boolean {
  return host === '' || name.endsWith(`.${host}`) || (!onlyBelow && name === host);
}

/** `*.example.com` stands for `a.example.com`, and so for a name that may be excluded. */
function wildcardCovers(name: string, { host, onlyBelow }: HostBase): boolean {
  return !onlyBelow && name.startsWith(WILDCARD) && host.slice(host.indexOf('.') + 1) === name.slice(WILDCARD.length);
}
