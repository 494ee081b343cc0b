import type { Certificate } from '../certificate/certificate.ts';

/** Names of all checks of a validation. */
export type CheckName =
  | 'validity'
  | 'critical-extensions'
  | 'serial-number'
  | 'issuer-name'
  | 'public-key'
  | 'key-usage'
  | 'extended-key-usage'
  | 'basic-constraints'
  | 'path-length'
  | 'signature-algorithm'
  | 'signature'
  | 'name-constraints'
  | 'certificate-policies'
  | 'trust-anchor'
  | 'work-limit';

/** Result of one check of one certificate, worded for an administrator. */
export interface Verdict {
  readonly check: CheckName;
  readonly outcome: 'passed' | 'refused';
  readonly certificate: {
    /** Position in the path: 0 is the leaf. */
    readonly index: number;
    /** RFC 4514, truncated to 256 characters. */
    readonly subject: string;
  };
  readonly expected: string;
  readonly actual: string;
}

/** A certificate at its position in a path. */
export interface Position {
  readonly certificate: Certificate;
  /** 0 is the leaf. */
  readonly index: number;
  /** Number of CAs between this certificate and the leaf, self-issued ones not counted (RFC 5280 §4.2.1.9). */
  readonly authoritiesBelow: number;
}

/** @limit a text in a verdict of path validation, characters -> it is truncated */
const MAX_TEXT = 256;

/** Truncates a text that a client chose, so that a log line is never 64 KiB long. */
function shorten(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

export function passed(check: CheckName, position: Position, expected: string, actual: string): Verdict {
  return verdict(check, 'passed', position, expected, actual);
}

export function refused(check: CheckName, position: Position, expected: string, actual: string): Verdict {
  return verdict(check, 'refused', position, expected, actual);
}

function verdict(
  check: CheckName,
  outcome: Verdict['outcome'],
  { certificate, index }: Position,
  expected: string,
  actual: string,
): Verdict {
  const subject = shorten(certificate.subject.toString());
  return { check, outcome, certificate: { index, subject }, expected: shorten(expected), actual: shorten(actual) };
}
