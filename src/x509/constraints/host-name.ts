/** @limit length of the host of a URI, characters -> the URI matches no name constraint */
const MAX_HOST_LENGTH = 253;
const LABEL = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;

/**
 * Returns whether the text is labels of letters, digits, hyphens and underscores, separated by dots. Labels must not be
 * empty, so there is no dot at either end.
 */
export function isHostName(text: string): boolean {
  return text.length <= MAX_HOST_LENGTH && text.split('.').every((label) => LABEL.test(label));
}

/** A host, or with a leading dot every host below it. Lower case. */
export interface HostBase {
  readonly host: string;
  readonly onlyBelow: boolean;
}

/** Parses a host in a constraint; `''` is every host. */
export function hostBase(text: string): HostBase | undefined {
  const onlyBelow = text.startsWith('.');
  const host = onlyBelow ? text.slice(1) : text;
  if (text !== '' && !isHostName(host)) return undefined;
  return { host: host.toLowerCase(), onlyBelow };
}

/** `host` must be in lower case. */
export function isWithinHost(host: string, base: HostBase): boolean {
  if (base.host === '') return true;
  return base.onlyBelow ? host.endsWith(`.${base.host}`) : host === base.host;
}
