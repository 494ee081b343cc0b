import type { Finding, NamedFinding } from '../../lib/finding/finding.ts';
import type { Site } from './site.ts';

/** One thing that is looked at. It changes nothing that stays. */
export interface Check {
  /** Below its subject: `folder`. */
  readonly name: string;
  /**
   * What there is, or each of what there is by its name.
   * @param signal aborted when its time is up: what it holds open is to be closed then
   * @throws NotAvailable where another check says what is missing; whatever else is thrown is a failure
   */
  run(site: Site, signal: AbortSignal): Promise<Finding | readonly NamedFinding[]>;
  /** Whether a server that serves may ask it again and again: it takes milliseconds, writes nothing and opens no connection. */
  readonly isCheap?: true;
}

/** What checks are about. */
export interface Subject {
  readonly name: string;
  readonly checks: readonly Check[];
}

/** What the check needs is not there, or (`cause`) cannot be used; another one tells why. */
export class NotAvailable extends Error {
  override readonly name = 'NotAvailable';
}
