import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';
import { counted } from '../../format/number.ts';
import { accessInWords, type Identity, ownerOf } from './bridges.ts';
import * as texts from './texts.ts';

/** Maximum number of workspaces listed for one identity. */
const NAMED = 20;

/** A workspace that an identity can access. */
export interface Reached {
  readonly name: string;
  readonly id: string;
  /** Description of the access. */
  readonly may: string;
}

/** Workspaces that an identity can access. */
export interface Reach {
  /** Summary: `13 workspaces`. */
  readonly says: string;
  /** Names: `network, dns, …`. */
  readonly names: string;
  readonly total: number;
  /** First workspaces of a team; empty for an agent pool. */
  readonly some: readonly Reached[];
}

/** Loads the workspaces that an identity can access: those of its team, or those whose runs its pool executes. */
export function useReach(identity: Identity): Reach | undefined {
  const { kind, id } = ownerOf(identity);
  const team = useQuery({
    ...workspaces.query('GET /teams/{team_id}/workspaces', {
      path: { team_id: id },
      query: { 'page[size]': `${NAMED}` },
    }),
    enabled: kind === 'team' && id !== '',
  });
  const pool = useQuery({
    ...workspaces.query('GET /agent-pools/{agent_pool_id}', { path: { agent_pool_id: id } }),
    enabled: kind === 'agent pool' && id !== '',
  });
  if (team.data) {
    const total = team.data.meta.pagination['total-count'] ?? 0;
    const some = team.data.data.map(({ id: workspace, attributes: { name, permissions } }) => ({
      name,
      id: workspace,
      may: accessInWords(permissions),
    }));
    const [first] = some;
    const isAlike = some.length === total && some.every(({ may }) => may === first?.may);
    return {
      says: total === 0 ? texts.noWorkspacesYet : counted(total, texts.workspace),
      names: isAlike && first && total > 1 ? `${first.may}: ${namesOf(some, total)}` : oneByOne(some, total),
      total,
      some,
    };
  }
  if (pool.data) {
    const { attributes, relationships } = pool.data.data;
    const total = relationships.workspaces.data.length;
    return {
      says: total === 0 ? texts.noRunsYet : texts.runsOf(counted(total, 'workspace')),
      names: attributes['organization-scoped'] ? texts.availableToEveryWorkspace : texts.availableToSomeWorkspaces,
      total,
      some: [],
    };
  }
  return undefined;
}

const FEW = 3;
const rest = (shown: number, total: number) => (total > shown ? texts.more(total - shown) : '');
const namesOf = (some: readonly Reached[], total: number) =>
  `${some
    .slice(0, FEW)
    .map(({ name }) => name)
    .join(', ')}${rest(Math.min(FEW, some.length), total)}`;
const oneByOne = (some: readonly Reached[], total: number) =>
  some.length === 0
    ? texts.itsTeamHasNo
    : `${some
        .slice(0, 2)
        .map(({ name, may }) => `${name} (${may})`)
        .join(', ')}${rest(Math.min(2, some.length), total)}`;
