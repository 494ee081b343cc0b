import { ACCESS_HELP } from './access-help.ts';
import type { HelpEntries, HelpEntry } from './help-entry.ts';
import { MIGRATION_HELP } from './migration-help.ts';
import { RUNS_HELP } from './runs-help.ts';
import { SERVER_HELP } from './server-help.ts';
import { SESSION_HELP } from './session-help.ts';
import { WORKSPACES_HELP } from './workspaces-help.ts';

/** Group of commands that no other group names. */
export const OTHER = 'Other';

/** Groups of commands, as the help and the reference list them. A command belongs to one group. */
export const GROUPS: readonly { readonly title: string; readonly commands: readonly string[] }[] = [
  { title: 'Sign in', commands: ['login', 'logout', 'whoami', 'open'] },
  { title: 'Workspaces', commands: ['workspace', 'project', 'variable', 'state', 'explorer', 'vcs', 'api'] },
  { title: 'Runs', commands: ['run', 'approval-rule', 'schedule', 'notification'] },
  {
    title: 'Access',
    commands: ['team', 'user', 'token', 'policy', 'auth', 'cert', 'read', 'write', 'list', 'delete'],
  },
  { title: 'Agent', commands: ['agent'] },
  { title: 'Moving', commands: ['import', 'export'] },
  {
    title: 'Server',
    commands: ['dev', 'serve', 'status', 'init', 'migrate', 'backup', 'keyring', 'diagnose'],
  },
  { title: OTHER, commands: ['completion', 'help'] },
];

/** Help of all commands, by their paths. */
export const HELP: HelpEntries = {
  ...SESSION_HELP,
  ...WORKSPACES_HELP,
  ...RUNS_HELP,
  ...ACCESS_HELP,
  ...MIGRATION_HELP,
  ...SERVER_HELP,
};

/** Returns the help of a command by its path; the guide may be that of the command above it. */
export function helpOf(path: string): HelpEntry {
  const [top = ''] = path.split(' ');
  const { examples = [], guide = HELP[top]?.guide } = HELP[path] ?? {};
  return { examples, ...(guide !== undefined && { guide }) };
}
