import type { HelpEntries } from './help-entry.ts';

/** Help of the commands about workspaces. */
export const WORKSPACES_HELP: HelpEntries = {
  workspace: { guide: 'guides/command-line.md', examples: [] },
  'workspace create': {
    examples: [
      'lockkeeper workspace create acme/network',
      'lockkeeper workspace create acme/network --repository acme/infra --connection github',
    ],
  },
  'workspace list': {
    examples: [
      'lockkeeper workspace list --organization acme --search net',
      "lockkeeper workspace list --organization acme --json name,locked | jq -r '.[] | select(.locked) | .name'",
    ],
  },
  'workspace show': { examples: ['lockkeeper workspace show acme/network'] },
  'workspace set': {
    examples: [
      'lockkeeper workspace set acme/network auto-apply=true description="Networks of all regions"',
      'lockkeeper workspace set acme/review-7 auto-destroy-at=2h',
    ],
  },
  'workspace delete': { examples: ['lockkeeper workspace delete acme/network'] },
  'workspace lock': { examples: ['lockkeeper workspace lock acme/network --reason "moving the state"'] },
  'workspace unlock': { examples: ['lockkeeper workspace unlock acme/network'] },
  project: { guide: 'guides/command-line.md', examples: [] },
  'project list': { examples: ['lockkeeper project list --organization acme'] },
  'project show': { examples: ['lockkeeper project show acme/platform'] },
  variable: { guide: 'guides/command-line.md', examples: [] },
  'variable list': { examples: ['lockkeeper variable list acme/network'] },
  'variable set': {
    examples: [
      'lockkeeper variable set acme/network region=eu-central-1',
      'lockkeeper variable set acme/network AWS_SECRET_ACCESS_KEY=@secret.txt --env --sensitive',
      'pass show db | lockkeeper variable set acme/network password=- --sensitive',
    ],
  },
  'variable delete': { examples: ['lockkeeper variable delete acme/network region'] },
  state: { guide: 'guides/state.md', examples: [] },
  'state list': { examples: ['lockkeeper state list acme/network'] },
  'state pull': { examples: ['lockkeeper state pull acme/network --out network.tfstate'] },
  'state push': { examples: ['lockkeeper state push acme/network network.tfstate'] },
  'state rollback': { examples: ['lockkeeper state rollback acme/network 7'] },
  'state export': {
    examples: ['lockkeeper state export --config lockkeeper.yaml --workspace acme/network --out network.tfstate'],
  },
  explorer: {
    guide: 'guides/explorer.md',
    examples: ['lockkeeper explorer workspaces --organization acme --filter "days_since_apply gteq 30"'],
  },
  vcs: { guide: 'guides/repositories.md', examples: [] },
  'vcs connections': { examples: ['lockkeeper vcs connections --organization acme'] },
  'vcs connect': {
    examples: ['lockkeeper vcs connect gitea --organization acme --url https://git.example.com --token-file token.txt'],
  },
  'vcs check': { examples: ['lockkeeper vcs check github --organization acme'] },
  'vcs repositories': { examples: ['lockkeeper vcs repositories github --organization acme --available'] },
  'vcs events': { examples: ['lockkeeper vcs events acme/network'] },
  'vcs explain': { examples: ['lockkeeper vcs explain acme/network --pull 7'] },
  'vcs preview': { examples: ['lockkeeper vcs preview acme/network --pattern "modules/**"'] },
  'vcs look-up': { examples: ['lockkeeper vcs look-up acme/network'] },
  'vcs deliveries': { examples: ['lockkeeper vcs deliveries github acme/infra --organization acme'] },
  'vcs approve-fork': {
    examples: ['lockkeeper vcs approve-fork acme/network --pull 7 --commit 1c002dd4b536e7479fe34593e72e6c6c1819e53b'],
  },
  api: {
    guide: 'guides/command-line.md',
    examples: ['lockkeeper api GET organizations/acme/projects'],
  },
};
