import { readFileSync } from 'node:fs';

/** Memory in MB. */
export interface Memory {
  /** Resident memory, including pages of the Node.js binary that processes share. */
  readonly rss: number;
  /** Proportional share of the process. */
  readonly pss: number;
}

export function memoryOf(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(text)?.[1]) / 1024;
  return { rss: megabytes('Rss'), pss: megabytes('Pss') };
}

export const inMegabytes = ({ rss, pss }: Memory): string =>
  `RSS ${rss.toFixed(0)} MB, its own share ${pss.toFixed(0)} MB`;
