/** Names of all checks of a response. */
export type OcspCheckName =
  | 'response-status'
  | 'certificate-id'
  | 'critical-extensions'
  | 'signature-algorithm'
  | 'signature'
  | 'responder'
  | 'nonce'
  | 'this-update'
  | 'next-update';

/** Result of one check of a response, worded for an administrator. */
export interface OcspVerdict {
  readonly check: OcspCheckName;
  readonly outcome: 'passed' | 'refused';
  readonly expected: string;
  readonly actual: string;
}

/**
 * Some of the text comes from the responder.
 * @limit a text from an OCSP responder in a verdict, characters -> it is truncated
 */
const MAX_TEXT = 256;

/** Returns a verdict that passed if `holds` is true. */
export function ocspVerdict(check: OcspCheckName, holds: boolean, expected: string, actual: string): OcspVerdict {
  return { check, outcome: holds ? 'passed' : 'refused', expected: shorten(expected), actual: shorten(actual) };
}

function shorten(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
