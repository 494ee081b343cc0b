import { workspaces } from '../../api/client.ts';
import { holderOf } from '../../components/lock/holder.ts';
import { isOld, type Need } from './need.ts';
import { MOST } from './run-needs.tsx';

const LIST = 'GET /organizations/{organization_name}/workspaces';

export const locksQuery = (organization: string) =>
  workspaces.query(LIST, {
    path: { organization_name: organization },
    query: { 'filter[locked]': 'true', include: 'locked_by', sort: 'latest-change-at', 'page[size]': MOST },
  });

type Answer = Awaited<ReturnType<ReturnType<typeof locksQuery>['queryFn']>>;

/** Workspaces that somebody has forgotten to unlock. */
export function lockNeeds(organization: string, answer: Answer, now: number): Need[] {
  return answer.data.flatMap((workspace) => {
    const { name, 'locked-reason': reason, 'locked-at': lockedAt } = workspace.attributes;
    if (!isOld(lockedAt, now)) return [];
    return [
      {
        key: `lock ${workspace.id}`,
        group: 'locked',
        icon: 'gate-shut',
        is: 'locked',
        name,
        organization,
        say: (
          <>
            by {holderOf(workspace, answer)}
            {reason ? <>: “{reason}”</> : ', without a reason'}
          </>
        ),
        time: lockedAt,
        to: { to: '/$organization/workspaces/$workspace', params: { organization, workspace: name } },
        action: 'Lock',
      } satisfies Need,
    ];
  });
}
