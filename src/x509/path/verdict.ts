import type { Certificate } from '../certificate/certificate.ts';

/** Everything that validation checks, by name. */
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

/** The outcome of one check of one certificate, in words for an administrator. */
export interface Verdict {
  readonly check: CheckName;
  readonly outcome: 'passed' | 'refused';
  readonly certificate: {
    /** Place in the path that was tried: 0 is the leaf. */
    readonly index: number;
    /** RFC 4514, cut at 256 characters. */
    readonly subject: string;
  };
  readonly expected: string;
  readonly actual: string;
}

/** A certificate at its place in a path. */
export interface Position {
  readonly certificate: Certificate;
  /** 0 is the leaf. */
  readonly index: number;
  /** Authorities between this certificate and the leaf, self-issued ones not counted (RFC 5280 §4.2.1.9). */
  readonly authoritiesBelow: number;
}

/** @limit a text in a verdict, characters -> it is cut */
const MAX_TEXT = 256;

/** Cuts what a stranger chose: a line of a log must not be 64 KiB long. */
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
