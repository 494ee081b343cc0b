import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';
import { counted } from '../../format/number.ts';
import { accessInWords, type Identity, ownerOf } from './bridges.ts';

/** Workspaces that are named of one reach. */
const NAMED = 20;

/** A workspace that a machine reaches. */
export interface Reached {
  readonly name: string;
  readonly id: string;
  /** What it may do there. */
  readonly may: string;
}

/** What a machine can get at. */
export interface Reach {
  /** `13 workspaces` */
  readonly says: string;
  /** `network, dns, …` */
  readonly names: string;
  readonly total: number;
  /** The first of them; of a pool nobody names them. */
  readonly some: readonly Reached[];
}

/** Which workspaces a machine reaches by an identity: what its team sees, or what its pool carries out runs of. */
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
      says: total === 0 ? 'no workspace yet' : counted(total, 'workspace'),
      names: isAlike && first && total > 1 ? `${first.may}: ${namesOf(some, total)}` : oneByOne(some, total),
      total,
      some,
    };
  }
  if (pool.data) {
    const { attributes, relationships } = pool.data.data;
    const total = relationships.workspaces.data.length;
    return {
      says: total === 0 ? 'no workspace yet' : `runs of ${counted(total, 'workspace')}`,
      names: attributes['organization-scoped']
        ? 'any workspace may be given to it'
        : 'some workspaces may be given to it',
      total,
      some: [],
    };
  }
  return undefined;
}

const FEW = 3;
const rest = (shown: number, total: number) => (total > shown ? `, ${total - shown} more` : '');
const namesOf = (some: readonly Reached[], total: number) =>
  `${some
    .slice(0, FEW)
    .map(({ name }) => name)
    .join(', ')}${rest(Math.min(FEW, some.length), total)}`;
const oneByOne = (some: readonly Reached[], total: number) =>
  some.length === 0
    ? 'its team has no access to any'
    : `${some
        .slice(0, 2)
        .map(({ name, may }) => `${name} (${may})`)
        .join(', ')}${rest(Math.min(2, some.length), total)}`;
