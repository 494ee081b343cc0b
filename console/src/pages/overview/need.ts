import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Meaning } from '../../components/icon/Icon.tsx';
import type { IconName } from '../../components/icon/icons.tsx';
import * as texts from './texts.ts';

/** Groups of items, most urgent first. */
export const GROUPS = [
  { id: 'decision', title: texts.waitingForConfirmation },
  { id: 'broken', title: texts.broken },
  { id: 'locked', title: texts.lockedForMoreThan },
  { id: 'ends', title: texts.expiringSoon, note: texts.next30Days },
] as const;

/** An item that needs attention. */
export interface Need {
  readonly key: string;
  readonly group: (typeof GROUPS)[number]['id'];
  readonly icon: IconName;
  readonly is: Meaning;
  /** Name of the object that needs attention. */
  readonly name: string;
  /** Organization, shown if there are several. */
  readonly organization?: string;
  readonly say: ReactNode;
  /** Start of the problem, or time of expiry. */
  readonly time: string | null;
  /** Link to the page for the action. */
  readonly to?: Pick<LinkProps, 'to' | 'params' | 'search'>;
  /** Label of the link: `Review`. */
  readonly action?: string;
}

const DAY_MS = 86_400_000;
/** Period in which an expiry counts as soon. */
const SOON_MS = 30 * DAY_MS;

/** Whether the time is within 30 days from now. */
export function endsSoon(time: string | null | undefined, now: number): boolean {
  const left = time ? Date.parse(time) - now : Number.POSITIVE_INFINITY;
  return left > 0 && left < SOON_MS;
}

/** Whether the time is more than a day ago. */
export const isOld = (time: string | null | undefined, now: number): boolean =>
  Boolean(time) && now - Date.parse(time ?? '') > DAY_MS;

/** Sorts by time: longest waiting first, earliest expiry first. */
export function inOrder(needs: readonly Need[]): Need[] {
  return needs.toSorted(
    (one, other) => (one.time ?? '').localeCompare(other.time ?? '') || one.key.localeCompare(other.key),
  );
}
