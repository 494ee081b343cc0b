import type { HelpEntries } from './help-entry.ts';

/** Help of the commands that move organizations, states and access configuration between servers. */
export const MIGRATION_HELP: HelpEntries = {
  import: { guide: 'guides/move-from-hcp-terraform.md', examples: [] },
  'import hcp-terraform': {
    examples: [
      'lockkeeper import hcp-terraform --organization acme',
      'lockkeeper import hcp-terraform --organization acme --workspaces "net-*" --states all --apply',
    ],
  },
  'import states': {
    guide: 'guides/move-from-atlantis.md',
    examples: [
      "lockkeeper import states --organization acme --from ./envs --pattern '{name}/terraform.tfstate'",
      "lockkeeper import states --organization acme --from s3://acme-states --pattern '{name}/terraform.tfstate' --apply",
    ],
  },
  'import vault': {
    guide: 'guides/move-from-vault.md',
    examples: ['lockkeeper import vault --source-address https://vault.example.com:8200'],
  },
  'import access-folder': {
    guide: 'guides/move-from-vault.md',
    examples: ['lockkeeper import access-folder ./access --apply'],
  },
  'import folder': { examples: ['lockkeeper import folder ./acme --organization acme --apply'] },
  export: { guide: 'guides/move-from-hcp-terraform.md', examples: [] },
  'export access': { guide: 'guides/move-from-vault.md', examples: ['lockkeeper export access ./access'] },
  'export organization': { examples: ['lockkeeper export organization ./acme --organization acme'] },
};
