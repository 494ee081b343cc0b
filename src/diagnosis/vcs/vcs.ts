import { type Finding, skipped, success, warning } from '../../lib/finding/finding.ts';
import type { Subject } from '../model/check.ts';
import type { Site, UsedFacts } from '../model/site.ts';

const CONNECTIONS =
  'see `connection-status-reason` of each: a new token for `refused`, the network and `vcs.allowed_addresses` for `unreachable`';
const REPOSITORIES =
  'see `health-reason` of each: give the connection access again, or change the repository of the workspaces';

/** Connections to VCS providers, and repositories that workspaces follow. */
export const versionControl: Subject = {
  name: 'version control',
  checks: [
    { name: 'connections', run: async (site: Site) => finding((await site.vcs()).connections, CONNECTIONS), isCheap: true },
    { name: 'repositories', run: async (site: Site) => finding((await site.vcs()).repositories, REPOSITORIES), isCheap: true },
  ],
};

function finding({ total, failing, names }: UsedFacts, advice: string): Finding {
  if (total === 0) return skipped('no workspace follows a repository');
  return failing === 0 ? success(`${total} work`) : warning(`${failing} of ${total} fail`, advice, names.join(', '));
}
