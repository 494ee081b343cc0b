import type { Resources } from '../../api/client.ts';
import type { Meaning } from '../../components/icon/Icon.tsx';
import type { IconName } from '../../components/icon/icons.tsx';
import * as texts from './texts.ts';

type Attributes = Resources['configuration-versions']['attributes'];

const SIGNS: Readonly<Record<Attributes['status'], { readonly icon: IconName; readonly is: Meaning }>> = {
  uploaded: { icon: 'ok', is: 'good' },
  pending: { icon: 'queued', is: 'idle' },
  fetching: { icon: 'run', is: 'run' },
  archived: { icon: 'slash', is: 'idle' },
  errored: { icon: 'err', is: 'bad' },
};

export const signOf = (status: Attributes['status']) => SIGNS[status];

/** Describes the purpose of a configuration version. */
export function kindOf(of: Pick<Attributes, 'provisional' | 'speculative' | 'auto-queue-runs'>): string {
  if (of.speculative) return texts.plansOnly;
  if (of.provisional) return texts.provisionalUntilARun;
  return of['auto-queue-runs'] ? texts.aRunAfterTheUpload : texts.runs;
}
