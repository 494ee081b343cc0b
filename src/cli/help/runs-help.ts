import type { HelpEntries } from './help-entry.ts';

/** Help of the commands about runs. */
export const RUNS_HELP: HelpEntries = {
  run: { guide: 'guides/runs.md', examples: [] },
  'run start': {
    examples: [
      'lockkeeper run start acme/network --message "new region"',
      'lockkeeper run start acme/network --upload .',
      'lockkeeper run start acme/network --destroy',
    ],
  },
  'run follow': { examples: ['lockkeeper run follow run-CZcmD7eagjhyX0vN'] },
  'run list': { examples: ['lockkeeper run list acme/network', 'lockkeeper run list acme/network --status planned'] },
  'run show': { examples: ['lockkeeper run show run-CZcmD7eagjhyX0vN', 'lockkeeper run show acme/network'] },
  'run confirm': { examples: ['lockkeeper run confirm acme/network --comment "reviewed"'] },
  'run discard': { examples: ['lockkeeper run discard acme/network'] },
  'run cancel': { examples: ['lockkeeper run cancel acme/network'] },
  'run approve': {
    guide: 'guides/approvals.md',
    examples: ['lockkeeper run approve run-CZcmD7eagjhyX0vN --comment "reviewed"'],
  },
  'approval-rule': { guide: 'guides/approvals.md', examples: [] },
  'approval-rule list': { examples: ['lockkeeper approval-rule list acme/network'] },
  'approval-rule create': {
    examples: ['lockkeeper approval-rule create acme/network --name production --team security --approvals 2'],
  },
  'approval-rule delete': { examples: ['lockkeeper approval-rule delete aprule-CZcmD7eagjhyX0vN'] },
  schedule: { guide: 'guides/schedules.md', examples: [] },
  'schedule list': { examples: ['lockkeeper schedule list acme/network'] },
  'schedule create': {
    examples: [
      'lockkeeper schedule create acme/network --name nightly --operation plan --cron "30 2 * * 1-5"',
      'lockkeeper schedule create --organization acme --project platform --name drift --operation drift --cron "0 6 * * *"',
    ],
  },
  'schedule outcomes': { examples: ['lockkeeper schedule outcomes sched-2XjZLtqbfVW6Nq3u'] },
  'schedule pause': { examples: ['lockkeeper schedule pause sched-2XjZLtqbfVW6Nq3u'] },
  'schedule resume': { examples: ['lockkeeper schedule resume sched-2XjZLtqbfVW6Nq3u'] },
  'schedule delete': { examples: ['lockkeeper schedule delete sched-2XjZLtqbfVW6Nq3u'] },
  notification: { guide: 'guides/notifications.md', examples: [] },
  'notification list': { examples: ['lockkeeper notification list acme/network --inherited'] },
  'notification create': {
    examples: [
      'lockkeeper notification create acme/network --name on-call --type slack --url-file slack-url.txt',
      'lockkeeper notification create acme/network --name owners --type email --user grace --trigger run:errored',
    ],
  },
  'notification verify': { examples: ['lockkeeper notification verify nc-CZcmD7eagjhyX0vN'] },
  'notification delete': { examples: ['lockkeeper notification delete nc-CZcmD7eagjhyX0vN'] },
};
