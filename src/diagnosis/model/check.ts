import type { Finding, NamedFinding } from '../../lib/finding/finding.ts';
import type { Site } from './site.ts';

/** One check. It leaves no lasting change. */
export interface Check {
  /** Name below its subject, such as `folder`. */
  readonly name: string;
  /**
   * Returns one finding, or a named finding for each thing that it examined.
   * @param signal aborted at the timeout; the check must then close everything that it has open
   * @throws NotAvailable if another check reports what is missing; any other error becomes a failure
   */
  run(site: Site, signal: AbortSignal): Promise<Finding | readonly NamedFinding[]>;
  /**
   * Whether a serving process may run the check repeatedly: it takes milliseconds, writes nothing and opens no
   * connection.
   */
  readonly isCheap?: true;
  /** Whether the names of its findings are constants, so that a serving process shows all findings. */
  readonly hasPublicNames?: true;
}

/** A group of checks about one subject. */
export interface Subject {
  readonly name: string;
  readonly checks: readonly Check[];
}

/** The check lacks a prerequisite, which is missing or (`cause`) broken; another check reports the reason. */
export class NotAvailable extends Error {
  override readonly name = 'NotAvailable';
}
