import type { Resources } from '../../api/client.ts';
import * as texts from './texts.ts';

type Attributes = Resources['notification-configurations']['attributes'];
export type Trigger = Attributes['triggers'][number];

/** Labels of the destinations. */
export const DESTINATIONS: Readonly<Record<Attributes['destination-type'], string>> = {
  generic: texts.webhook,
  slack: 'Slack',
  'microsoft-teams': 'Microsoft Teams',
  email: texts.email,
};

/** Triggers with their labels. Triggers that never fire are left out. */
export const TRIGGERS: readonly (readonly [trigger: Trigger, words: string])[] = [
  ['run:created', texts.aRunIsCreated],
  ['run:planning', texts.aPlanStarts],
  ['run:needs_attention', texts.aRunNeedsAttention],
  ['run:applying', texts.anApplyStarts],
  ['run:completed', texts.aRunIsApplied],
  ['run:errored', texts.aRunFailsOr],
  ['assessment:drifted', texts.driftIsDetected],
  ['assessment:check_failure', texts.aCheckOfThe],
  ['assessment:failed', texts.aHealthAssessmentFails],
  ['workspace:auto_destroy_reminder', texts.autoDestroyReminder],
  ['workspace:auto_destroy_run_results', texts.autoDestroyResults],
];
