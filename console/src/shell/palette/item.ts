import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '../../components/icon/icons.tsx';
import type { Recent } from './recent.ts';

/** One thing that can be gone to, or done. */
export interface Item {
  readonly key: string;
  readonly icon: IconName;
  readonly label: string;
  /** What else there is to say of it. */
  readonly mid?: string | undefined;
  readonly end?: string | undefined;
  readonly to?: Pick<LinkProps, 'to' | 'params' | 'search'>;
  /** What it does, where it leads nowhere. */
  readonly run?: () => void;
  /** Why it cannot be chosen now. */
  readonly off?: string | undefined;
  /** How it is remembered. */
  readonly recent?: Recent;
}

export interface ItemGroup {
  readonly id: string;
  readonly label: string;
  readonly items: readonly Item[];
}

type Address = NonNullable<LinkProps['to']>;

/** An address with its names; nothing leads to a page that is not there. */
export type Leads = (addresses: readonly string[], params: Readonly<Record<string, string>>) => Item['to'] | undefined;

/** @param known addresses of pages, as they stand in the routes */
export function leadsAmong(known: Readonly<Record<string, unknown>>): Leads {
  return (addresses, params) => {
    const to = addresses.find((address) => address in known);
    return to === undefined ? undefined : { to: to as Address, params: params as never };
  };
}
