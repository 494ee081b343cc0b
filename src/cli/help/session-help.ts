import type { HelpEntries } from './help-entry.ts';

/** Help of the commands that sign in and out, and that belong to no other group. */
export const SESSION_HELP: HelpEntries = {
  login: {
    guide: 'guides/command-line.md',
    examples: ['lockkeeper login', 'lockkeeper login --cert runner.pem --key runner.key --role builders'],
  },
  logout: { guide: 'guides/command-line.md', examples: ['lockkeeper logout'] },
  whoami: { guide: 'guides/command-line.md', examples: ['lockkeeper whoami'] },
  open: { guide: 'guides/console.md', examples: ['lockkeeper open', 'lockkeeper open acme/network'] },
  completion: { guide: 'guides/command-line.md', examples: ['eval "$(lockkeeper completion bash)"'] },
};
