import type { Resources } from '../../api/client.ts';
import type { Meaning } from '../icon/Icon.tsx';
import type { IconName } from '../icon/icons.tsx';
import * as texts from './texts.ts';

export type Schedule = Resources['schedules'];
export type Outcome = Resources['schedule-outcomes'];

/** The workspace or the project whose schedules are shown. */
export interface ScheduleOwner {
  readonly kind: 'workspace' | 'project';
  readonly id: string;
}

export const LISTS = {
  workspace: 'GET /workspaces/{workspace_id}/schedules',
  project: 'GET /projects/{project_id}/schedules',
} as const;

export const OPERATIONS = [
  ['plan', texts.plan],
  ['apply', texts.apply],
  ['refresh', texts.refresh],
  ['drift', texts.drift],
] as const;

export const WHEN_BUSY = [
  ['skip', texts.skip],
  ['queue', texts.queue],
] as const;

/** Sign and word of an outcome. */
export const SIGNS: Readonly<
  Record<Outcome['attributes']['status'], { readonly icon: IconName; readonly is: Meaning; readonly word: string }>
> = {
  started: { icon: 'ok', is: 'good', word: texts.started },
  skipped: { icon: 'minus', is: 'idle', word: texts.skipped },
  refused: { icon: 'err', is: 'bad', word: texts.refused },
};
