import { type Finding, failure, success, warning } from './finding.ts';

/** Beyond it logs of several nodes are hard to read, and tokens end early or late, milliseconds. */
const ODD = 2_000;
/** Beyond it what one node has issued is not valid yet, or not any more, on another, milliseconds. */
const WRONG = 30_000;

/** How far a time lies outside of two others. */
export const outside = (time: number, from: number, to: number): number => Math.max(0, from - time, time - to);

/** @param skew milliseconds */
export function skewFinding(skew: number, whose: string): Finding {
  if (skew < ODD) return success(`within ${Math.max(1, Math.ceil(skew / 1000))} s of that of ${whose}`);
  const found = `${(skew / 1000).toFixed(1)} s from that of ${whose}`;
  const advice = 'have all machines set their clocks (chrony, systemd-timesyncd), and see which of them is wrong';
  return skew < WRONG ? warning(found, advice) : failure(found, advice);
}
