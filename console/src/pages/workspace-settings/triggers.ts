import type { Resources } from '../../api/client.ts';

type Attributes = Resources['notification-configurations']['attributes'];
export type Trigger = Attributes['triggers'][number];

/** Who can be told. */
export const DESTINATIONS: Readonly<Record<Attributes['destination-type'], string>> = {
  generic: 'a program',
  slack: 'Slack',
  'microsoft-teams': 'Microsoft Teams',
};

/** What of, in words. Those that nothing fires yet are left out. */
export const TRIGGERS: readonly (readonly [trigger: Trigger, words: string])[] = [
  ['run:created', 'a run is made'],
  ['run:planning', 'its plan begins'],
  ['run:needs_attention', 'somebody has to decide'],
  ['run:applying', 'its apply begins'],
  ['run:completed', 'it is applied, or there was nothing to apply'],
  ['run:errored', 'it failed, or was canceled'],
  ['assessment:drifted', 'resources have drifted'],
  ['assessment:check_failure', 'a check of the configuration fails'],
  ['assessment:failed', 'an assessment could not be made'],
];
