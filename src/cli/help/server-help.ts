import type { HelpEntries } from './help-entry.ts';

/** Help of the commands of the server's operator, and of agents. */
export const SERVER_HELP: HelpEntries = {
  agent: { guide: 'guides/agents.md', examples: ['lockkeeper agent --config agent.yaml'] },
  dev: { guide: 'guides/try-it.md', examples: ['lockkeeper dev'] },
  serve: { guide: 'guides/first-server.md', examples: ['lockkeeper serve --config lockkeeper.yaml'] },
  status: { guide: 'operations/install.md', examples: ['lockkeeper status --config lockkeeper.yaml'] },
  init: { guide: 'guides/first-server.md', examples: ['lockkeeper init --config lockkeeper.yaml'] },
  migrate: { guide: 'operations/upgrade.md', examples: ['lockkeeper migrate --config lockkeeper.yaml --check'] },
  backup: { guide: 'operations/backup.md', examples: [] },
  'backup create': { examples: ['lockkeeper backup create /var/backups --config lockkeeper.yaml'] },
  'backup verify': { examples: ['lockkeeper backup verify /var/backups --config lockkeeper.yaml'] },
  'backup restore': { examples: ['lockkeeper backup restore /var/backups --config lockkeeper.yaml'] },
  'backup list': { examples: ['lockkeeper backup list --config lockkeeper.yaml'] },
  keyring: { guide: 'guides/keys.md', examples: [] },
  'keyring rotate': { examples: ['lockkeeper keyring rotate --config lockkeeper.yaml'] },
  'keyring list': { examples: ['lockkeeper keyring list --config lockkeeper.yaml'] },
  'keyring prune': { examples: ['lockkeeper keyring prune 1 --config lockkeeper.yaml'] },
  'keyring show': {
    guide: 'operations/keys-outside.md',
    examples: ['lockkeeper keyring show --config lockkeeper.yaml'],
  },
  'keyring recover': {
    guide: 'operations/keys-outside.md',
    examples: ['lockkeeper keyring recover --config lockkeeper.yaml --recovery-key recovery.pem'],
  },
  'keyring recovery-key': {
    guide: 'operations/keys-outside.md',
    examples: ['lockkeeper keyring recovery-key --out recovery.pem'],
  },
  'keyring wrap': {
    guide: 'operations/keys-outside.md',
    examples: ['lockkeeper keyring wrap --config lockkeeper.yaml'],
  },
  'keyring unwrap': {
    guide: 'operations/keys-outside.md',
    examples: ['lockkeeper keyring unwrap --config lockkeeper.yaml --to keyring.json'],
  },
  'keyring rewrap': {
    guide: 'operations/keys-outside.md',
    examples: ['lockkeeper keyring rewrap --config lockkeeper.yaml'],
  },
  diagnose: { guide: 'operations/diagnose.md', examples: [] },
  'diagnose check': { examples: ['lockkeeper diagnose --config lockkeeper.yaml'] },
  'diagnose bundle': { examples: ['lockkeeper diagnose bundle --config lockkeeper.yaml --out bundle.tar.gz'] },
};
