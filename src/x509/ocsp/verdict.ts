/** Everything that the verification of a response checks, by name. */
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

/** The outcome of one check of a response, in words for an administrator. */
export interface OcspVerdict {
  readonly check: OcspCheckName;
  readonly outcome: 'passed' | 'refused';
  readonly expected: string;
  readonly actual: string;
}

/**
 * A responder chooses some of the words.
 * @limit a text of a responder in a verdict, characters -> it is cut
 */
const MAX_TEXT = 256;

/** Passed when it `holds`. */
export function ocspVerdict(check: OcspCheckName, holds: boolean, expected: string, actual: string): OcspVerdict {
  return { check, outcome: holds ? 'passed' : 'refused', expected: shorten(expected), actual: shorten(actual) };
}

function shorten(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
