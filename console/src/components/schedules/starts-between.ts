import { exact } from '../../format/time.ts';
import * as texts from './texts.ts';

/** Returns when workspaces start whose delay is not known: the first and the last possible time. @param jitter seconds */
export function startsBetween(time: string, jitter: number): string {
  if (jitter === 0) return exact(time);
  return texts.between(exact(time), exact(new Date(Date.parse(time) + jitter * 1000).toISOString()));
}
