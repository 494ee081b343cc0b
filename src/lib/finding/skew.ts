import { type Finding, failure, success, warning } from './finding.ts';

/**
 * Clock skew that is a warning, milliseconds: logs of several nodes are hard to compare, and tokens expire early or
 * late.
 */
const ODD = 2_000;
/** Clock skew that is a failure, milliseconds: tokens of one node are not yet valid, or already expired, on another. */
const WRONG = 30_000;

/** Returns the distance of a time from an interval. */
export const outside = (time: number, from: number, to: number): number => Math.max(0, from - time, time - to);

/** @param skew milliseconds */
export function skewFinding(skew: number, whose: string): Finding {
  if (skew < ODD) return success(`within ${Math.max(1, Math.ceil(skew / 1000))} s of the clock of ${whose}`);
  const found = `${(skew / 1000).toFixed(1)} s from that of ${whose}`;
  const advice = 'synchronize the clocks of all machines (chrony, systemd-timesyncd) and find out which one is wrong';
  return skew < WRONG ? warning(found, advice) : failure(found, advice);
}
