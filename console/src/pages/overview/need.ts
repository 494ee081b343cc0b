import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Meaning } from '../../components/icon/Icon.tsx';
import type { IconName } from '../../components/icon/icons.tsx';

/** What is to be done first comes first. */
export const GROUPS = [
  { id: 'decision', title: 'Waits for a decision' },
  { id: 'broken', title: 'Does not work' },
  { id: 'locked', title: 'Locked for more than a day' },
  { id: 'ends', title: 'Ends soon', note: 'next 30 days' },
] as const;

/** Something that a person should look at. */
export interface Need {
  readonly key: string;
  readonly group: (typeof GROUPS)[number]['id'];
  readonly icon: IconName;
  readonly is: Meaning;
  /** What it is about. */
  readonly name: string;
  /** Of an organization beside others. */
  readonly organization?: string;
  readonly say: ReactNode;
  /** Since when, or until when. */
  readonly time: string | null;
  /** Where it is done; nothing leads to a page that is not there. */
  readonly to?: Pick<LinkProps, 'to' | 'params' | 'search'>;
  /** The word of the link: `Review`. */
  readonly action?: string;
}

const DAY_MS = 86_400_000;
/** So far ahead. */
const SOON_MS = 30 * DAY_MS;

/** Whether it ends within a month, and has not yet. */
export function endsSoon(time: string | null | undefined, now: number): boolean {
  const left = time ? Date.parse(time) - now : Number.POSITIVE_INFINITY;
  return left > 0 && left < SOON_MS;
}

/** Whether it has been so for more than a day. */
export const isOld = (time: string | null | undefined, now: number): boolean =>
  Boolean(time) && now - Date.parse(time ?? '') > DAY_MS;

/** What waits longest first, what ends first first. */
export function inOrder(needs: readonly Need[]): Need[] {
  return needs.toSorted(
    (one, other) => (one.time ?? '').localeCompare(other.time ?? '') || one.key.localeCompare(other.key),
  );
}
