import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '../../components/icon/icons.tsx';
import type { Recent } from './recent.ts';

/** One result of the palette: a destination or an action. */
export interface Item {
  readonly key: string;
  readonly icon: IconName;
  readonly label: string;
  /** Secondary text. */
  readonly mid?: string | undefined;
  readonly end?: string | undefined;
  readonly to?: Pick<LinkProps, 'to' | 'params' | 'search'>;
  /** Action of an item without a destination. */
  readonly run?: () => void;
  /** Reason why the item is disabled. */
  readonly off?: string | undefined;
  /** Entry for the list of recent items. */
  readonly recent?: Recent;
}

export interface ItemGroup {
  readonly id: string;
  readonly label: string;
  readonly items: readonly Item[];
}

type Address = NonNullable<LinkProps['to']>;

/** Returns a link to the first address that exists as a route, else undefined. */
export type Leads = (addresses: readonly string[], params: Readonly<Record<string, string>>) => Item['to'] | undefined;

/** @param known paths of all routes */
export function leadsAmong(known: Readonly<Record<string, unknown>>): Leads {
  return (addresses, params) => {
    const to = addresses.find((address) => address in known);
    return to === undefined ? undefined : { to: to as Address, params: params as never };
  };
}
