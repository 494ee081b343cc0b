import type { Resources } from '../../api/client.ts';
import type { Meaning } from '../../components/icon/Icon.tsx';
import type { IconName } from '../../components/icon/icons.tsx';

type Attributes = Resources['configuration-versions']['attributes'];

const SIGNS: Readonly<Record<Attributes['status'], { readonly icon: IconName; readonly is: Meaning }>> = {
  uploaded: { icon: 'ok', is: 'good' },
  pending: { icon: 'queued', is: 'idle' },
  fetching: { icon: 'run', is: 'run' },
  archived: { icon: 'slash', is: 'idle' },
  errored: { icon: 'err', is: 'bad' },
};

export const signOf = (status: Attributes['status']) => SIGNS[status];

/** What a configuration is for, in words. */
export function kindOf(of: Pick<Attributes, 'provisional' | 'speculative' | 'auto-queue-runs'>): string {
  if (of.speculative) return 'plans only';
  if (of.provisional) return 'provisional, until a run of it is applied';
  return of['auto-queue-runs'] ? 'a run, once it is there' : 'runs';
}
